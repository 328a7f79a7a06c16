import { type Query, useQueryClient } from '@tanstack/react-query';
import { timesOf } from './api/freshness.ts';
import { useMoment } from './api/use-moment.ts';
import { asOfHead } from './chain/head.ts';
import { useHead } from './chain/use-clock.ts';
import { words } from './words/en/frame.ts';
import { exactAsOf } from './words/times.ts';

/** The queries whose age is shown, by the first part of their key. */
const sources = { chain: 'chainAt', quote: 'quoteAt' } as const;

/** Shown in every section: for each source, the age of the oldest displayed reading that is still being refreshed. */
export function Ages() {
  const queries = useQueryClient();
  const now = useMoment();
  const head = useHead(now);
  const cache = queries.getQueryCache();
  const ages = Object.entries(sources).flatMap(([key, name]) => {
    const shown = cache.findAll({ queryKey: [key], type: 'active' }).filter(isRenewed);
    const times = shown.flatMap(({ state }) => timesOf(state.data, state.dataUpdatedAt));
    if (times.length === 0) return [];
    // A reading without its own time is at most as new as the newest block.
    if (key === 'chain' && head) times.push(asOfHead(head.seen, head.age).wall);
    return [words.frame[name](exactAsOf(Math.min(...times), now.wall))];
  });
  if (ages.length === 0) return null;
  return <p className="ages faint">{words.frame.read(ages)}</p>;
}

/** Records are refetched only until they are final (chain/until-final.ts). */
const isRenewed = (query: Query): boolean =>
  query.observers.some(({ options: { refetchInterval: every } }) =>
    typeof every === 'function' ? every(query) : every,
  );
