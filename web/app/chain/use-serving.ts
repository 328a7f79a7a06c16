import type { Moment } from '../api/age.ts';
import { useQuote } from '../api/quote.ts';
import { useSettings } from '../settings.tsx';
import { type Buyer, buyerOf, type Watcher, watcherOf } from './serving.ts';

/** Who makes buys. @param now the chain's time, unix seconds. */
export function useBuyer(now: bigint | undefined, moment: Moment): Buyer {
  const settings = useSettings();
  const { data, isError } = useQuote();
  return buyerOf(data, isError, settings, now, moment);
}

/** Who watches loans. Anyone else may be a keeper too, and no chain tells who watches. @param now as for useBuyer. */
export function useWatcher(now: bigint | undefined, moment: Moment): Watcher {
  const settings = useSettings();
  const { data } = useQuote();
  return watcherOf(data, settings, now, moment);
}
