import { Spot, SpotRestAPI } from '@binance/spot';
import { z } from 'zod';
import type { Candle } from '../domain/facts.ts';
import type { CandleInterval, Clock, MarketData } from '../domain/ports.ts';
import { BowlineError } from '../domain/result.ts';
import { parseUnitsDown } from '../domain/units.ts';

const TIMEOUT_MS = 3_000;

/** Decimal text, as 18 decimals. */
const wad = z.string().transform((text, context) => {
  const parsed = parseUnitsDown(text, 18);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'is no decimal' });
  return z.NEVER;
});
const price = wad.refine((usdWad) => usdWad > 0n, 'is no price');

const bookTicker = z
  .object({ symbol: z.string(), bidPrice: price, askPrice: price })
  .refine(({ bidPrice, askPrice }) => bidPrice <= askPrice, 'has its bid above its ask');

/** Opening time in milliseconds, open, high, low, close, volume; the rest is not used. */
const kline = z.tuple([z.int().nonnegative(), price, price, price, price, wad]).rest(z.unknown());

const intervals: Readonly<Record<CandleInterval, SpotRestAPI.KlinesIntervalEnum>> = {
  '1m': SpotRestAPI.KlinesIntervalEnum.INTERVAL_1m,
  '5m': SpotRestAPI.KlinesIntervalEnum.INTERVAL_5m,
  '1h': SpotRestAPI.KlinesIntervalEnum.INTERVAL_1h,
  '1d': SpotRestAPI.KlinesIntervalEnum.INTERVAL_1d,
};

/**
 * The exchange's public prices, through its own client. One try for each question: what is asked again a second later is
 * asked of a price a second older, and the loops come back by themselves.
 */
export function createMarketData(baseUrl: string, clock: Clock): MarketData {
  const { restAPI } = new Spot({
    configurationRestAPI: {
      // Prices need no key; without one there is nothing that a request could sign or spend.
      apiKey: '',
      basePath: baseUrl.replace(/\/+$/, ''),
      timeout: TIMEOUT_MS,
      retries: 0,
    },
  });

  return {
    async bookTicker(pair) {
      const askedAt = clock();
      const ticker = await answered(bookTicker, () => restAPI.tickerBookTicker({ symbol: pair }));
      if (ticker.symbol !== pair) throw unavailable(`answered for ${ticker.symbol}`);
      return { bidWad: ticker.bidPrice, askWad: ticker.askPrice, askedAt };
    },
    async candles(pair, interval, count) {
      const question = { symbol: pair, interval: intervals[interval], limit: count };
      const klines = await answered(z.array(kline), () => restAPI.klines(question));
      return klines.map(
        ([openedAtMs, openWad, highWad, lowWad, closeWad, volumeWad]): Candle => ({
          openedAt: BigInt(openedAtMs) / 1000n,
          openWad,
          highWad,
          lowWad,
          closeWad,
          volumeWad,
        }),
      );
    },
  };
}

/** Asks, and takes the answer only in the shape that the exchange promises. */
async function answered<Schema extends z.ZodType>(
  schema: Schema,
  ask: () => Promise<{ data(): Promise<unknown> }>,
): Promise<z.output<Schema>> {
  try {
    const response = await ask();
    return schema.parse(await response.data());
  } catch (cause) {
    throw unavailable(cause);
  }
}

const unavailable = (cause: unknown): BowlineError =>
  new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true, cause });
