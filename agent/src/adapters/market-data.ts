import { Spot, SpotRestAPI } from '@binance/spot';
import { z } from 'zod';
import type { Candle } from '../domain/facts.ts';
import type { CandleInterval, MarketData } from '../domain/ports.ts';
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
 * @param apiKey names the caller, where a provider wants that. Prices need none, and nothing is signed with it.
 */
export function createMarketData(baseUrl: string, apiKey = ''): MarketData {
  const { restAPI } = new Spot({
    configurationRestAPI: {
      apiKey,
      basePath: baseUrl.replace(/\/+$/, ''),
      timeout: TIMEOUT_MS,
      retries: 0,
    },
  });

  return {
    async bookTicker(pair) {
      const question = { symbol: pair };
      const { answer: ticker, answeredAt } = await answered(bookTicker, () => restAPI.tickerBookTicker(question));
      if (ticker.symbol !== pair) throw unavailable(`answered for ${ticker.symbol}`);
      return { bidWad: ticker.bidPrice, askWad: ticker.askPrice, answeredAt };
    },
    async candles(pair, interval, count) {
      const question = { symbol: pair, interval: intervals[interval], limit: count };
      const { answer: klines } = await answered(z.array(kline), () => restAPI.klines(question));
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

/** The date of an HTTP answer, to the second. */
const date = z
  .string()
  .transform((text) => Date.parse(text))
  .refine(Number.isInteger, 'is no date')
  .transform((milliseconds) => BigInt(milliseconds) / 1000n);

interface Response {
  readonly headers: Readonly<Record<string, string>>;
  data(): Promise<unknown>;
}

/** Asks, and takes the answer only in the shape that the exchange promises, with the time that it is dated. */
async function answered<Schema extends z.ZodType>(
  schema: Schema,
  ask: () => Promise<Response>,
): Promise<{ answer: z.output<Schema>; answeredAt: bigint }> {
  try {
    const response = await ask();
    return { answer: schema.parse(await response.data()), answeredAt: date.parse(response.headers.date) };
  } catch (cause) {
    throw unavailable(cause);
  }
}

const unavailable = (cause: unknown): BowlineError =>
  new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true, cause });
