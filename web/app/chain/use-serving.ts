import { elapsed, type Moment } from '../api/age.ts';
import { useQuote } from '../api/quote.ts';
import { useSettings } from '../settings.tsx';
import { type Buyer, buyerOf, type ChainTime, type Watcher, watcherOf } from './serving.ts';
import { useNewestBlock } from './use-clock.ts';

/** Who makes buys. */
export function useBuyer(moment: Moment): Buyer {
  const settings = useSettings();
  const { data, isError } = useQuote();
  return buyerOf(data, isError, settings, useTime(moment), moment);
}

/** Who watches loans. Others may be keepers too, and the chain does not show who watches. */
export function useWatcher(moment: Moment): Watcher {
  const settings = useSettings();
  const { data } = useQuote();
  return watcherOf(data, settings, useTime(moment), moment);
}

function useTime(moment: Moment): ChainTime | undefined {
  const block = useNewestBlock();
  if (block === undefined) return undefined;
  const { timestamp: newest, at } = block;
  return { newest, now: newest + BigInt(Math.floor(elapsed(at, moment) / 1_000)) };
}
