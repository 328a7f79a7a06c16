import type { Asset } from '@bowline/core/domain/assets';
import type { MarketData } from '@bowline/core/domain/market-data';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import type { YearAnswer } from '../wire.ts';

const days = 365;
/** How long an answer is shared. The last close is of today, and moves. */
const freshMs = 600_000;

/**
 * Daily closes of the past year, from the exchange, shared by all who ask. Empty for an asset without a pair or without an
 * exchange.
 * @returns undefined for an asset that is not listed.
 * @throws BowlineError `market_unavailable`
 */
export function createYears(
  assets: readonly Asset[],
  exchange: Pick<MarketData, 'candles'> | undefined,
  nowMs: () => number,
): (symbol: string) => Promise<YearAnswer | undefined> {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<YearAnswer> }>();

  async function read({ symbol, exchangePair }: Asset): Promise<YearAnswer> {
    if (exchange === undefined || exchangePair === undefined) return { symbol, closes: [] };
    const { candles, broken = 0 } = await exchange.candles(exchangePair, '1d', days);
    // A chart would draw a line through the holes.
    if (broken > 0) throw new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true });
    return { symbol, closes: candles.map(({ openedAt, closeWad }) => [Number(openedAt), formatUnits(closeWad, 18)]) };
  }

  return async (symbol) => {
    const asset = assets.find((each) => each.symbol === symbol);
    if (asset === undefined) return undefined;
    const last = known.get(symbol);
    if (last !== undefined && nowMs() - last.at < freshMs) return last.answer;
    const answer = read(asset);
    known.set(symbol, { at: nowMs(), answer });
    // A failure is not kept: the next who asks tries again.
    answer.catch(() => known.delete(symbol));
    return answer;
  };
}
