import { SpotRestAPI } from '@binance/spot';
import type { Candle } from '@bowline/core/domain/facts';
import type { CandleInterval, Clock, MarketData } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { z } from 'zod';
import { type BackOff, createBackOff } from './back-off.ts';

const TIMEOUT_MS = 3_000;
/** Of a decimal, with its point. What is larger than floating point goes would have no statistics. */
const MAX_DIGITS = 48;
/**
 * Of each side of the book. The exchange bans callers who ask for too much, and counts five times as much for 500 as for
 * 100, and ten times for 1,000.
 */
const LEVELS = 500;
/** How far from the middle an order may stand to be counted, in percent. */
const WITHIN_PERCENT = 1n;

/** Decimal text, as 18 decimals. */
const wad = z.string().transform((text, context) => {
  const parsed = text.length > MAX_DIGITS ? undefined : parseUnitsDown(text, 18);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'is no decimal' });
  return z.NEVER;
});
const price = wad.refine((usdWad) => usdWad > 0n, 'is no price');

const bookTicker = z
  .object({ symbol: z.string(), bidPrice: price, askPrice: price })
  .refine(({ bidPrice, askPrice }) => bidPrice <= askPrice, 'has its bid above its ask');

/** Price and amount, best first; of an empty side nothing can be said. */
const orders = z.array(z.tuple([price, wad]).rest(z.unknown())).min(1);
type Orders = z.output<typeof orders>;

const orderBook = z
  .object({ bids: orders, asks: orders })
  .refine(({ bids, asks }) => bestOf(bids) <= bestOf(asks), 'has its bid above its ask')
  .refine(({ bids, asks }) => isFalling(bids) && isFalling(asks.toReversed()), 'is not in order');

const bestOf = (side: Orders): bigint => side[0]?.[0] ?? 0n;
const isFalling = (side: Orders): boolean =>
  side.every(([at], index) => index === 0 || at < (side[index - 1]?.[0] ?? 0n));

/** What these orders are worth together, each rounded down. */
const worthOf = (side: Orders): bigint => side.reduce((sum, [at, amount]) => sum + (at * amount) / WAD, 0n);

/** Opening time in milliseconds, open, high, low, close, volume; the rest is not used. */
const kline = z
  .tuple([z.int().nonnegative(), price, price, price, price, wad])
  .rest(z.unknown())
  .transform(
    ([openedAtMs, openWad, highWad, lowWad, closeWad, volumeWad]): Candle => ({
      openedAt: BigInt(openedAtMs) / 1000n,
      openWad,
      highWad,
      lowWad,
      closeWad,
      volumeWad,
    }),
  );

const intervals: Readonly<Record<CandleInterval, SpotRestAPI.KlinesIntervalEnum>> = {
  '1m': SpotRestAPI.KlinesIntervalEnum.INTERVAL_1m,
  '5m': SpotRestAPI.KlinesIntervalEnum.INTERVAL_5m,
  '1h': SpotRestAPI.KlinesIntervalEnum.INTERVAL_1h,
  '1d': SpotRestAPI.KlinesIntervalEnum.INTERVAL_1d,
};

/**
 * The exchange's public prices, through its own client. One try for each question: what is asked again a second later is
 * asked of a price a second older, and the loops come back by themselves.
 * Told to wait, it asks nothing until then.
 * @param apiKey names the caller, where a provider wants that. Prices need none, and nothing is signed with it.
 */
export function createMarketData(baseUrl: string, clock: Clock, apiKey = ''): MarketData {
  const settings = {
    apiKey,
    basePath: baseUrl.replace(/\/+$/, ''),
    retries: 0,
    compression: true,
    baseOptions: {
      timeout: TIMEOUT_MS,
      headers: { 'X-MBX-APIKEY': apiKey },
      // The client's own errors do not say for how long to wait: those two are taken as answers.
      validateStatus: (status: number) => (status >= 200 && status < 300) || status === 429 || status === 418,
    },
  };
  const restAPI = new SpotRestAPI.RestAPI(settings);
  const backOff = createBackOff(clock);
  const ask = <Schema extends z.ZodType>(schema: Schema, question: () => Promise<Response>) =>
    answered(schema, question, backOff);

  return {
    async bookTicker(pair) {
      const question = { symbol: pair };
      const { answer: ticker, answeredAt } = await ask(bookTicker, () => restAPI.tickerBookTicker(question));
      if (ticker.symbol !== pair) throw unavailable(`answered for ${ticker.symbol}`);
      return { bidWad: ticker.bidPrice, askWad: ticker.askPrice, answeredAt };
    },
    async depth(pair) {
      const question = { symbol: pair, limit: LEVELS };
      const { answer: book, answeredAt } = await ask(orderBook, () => restAPI.depth(question));
      const middleWad = (bestOf(book.bids) + bestOf(book.asks)) / 2n;
      return {
        bidsWad: worthOf(book.bids.filter(([at]) => at * 100n >= middleWad * (100n - WITHIN_PERCENT))),
        asksWad: worthOf(book.asks.filter(([at]) => at * 100n <= middleWad * (100n + WITHIN_PERCENT))),
        middleWad,
        answeredAt,
      };
    },
    async candles(pair, interval, count) {
      const question = { symbol: pair, interval: intervals[interval], limit: count };
      const { answer: rows, answeredAt } = await ask(z.array(z.unknown()), () => restAPI.klines(question));
      const read = rows.map((row) => kline.safeParse(row).data);
      const candles = read.filter((candle) => candle !== undefined);
      // Without the newest it is an answer of another time.
      if (rows.length > 0 && read.at(-1) === undefined) throw unavailable('the newest row is no candle');
      const broken = rows.length - candles.length;
      return { candles, answeredAt, ...(broken > 0 && { broken }) };
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
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  data(): Promise<unknown>;
}

/** Asks, and takes the answer only in the shape that the exchange promises, with the time that it is dated. */
async function answered<Schema extends z.ZodType>(
  schema: Schema,
  ask: () => Promise<Response>,
  backOff: BackOff,
): Promise<{ answer: z.output<Schema>; answeredAt: bigint }> {
  const late = Promise.withResolvers<never>();
  // The client's own limit begins anew with every byte: an answer that drips would never end.
  const timer = setTimeout(() => late.reject(new Error('the answer does not end')), TIMEOUT_MS);
  try {
    backOff.mayAsk();
    const response = await Promise.race([ask(), late.promise]);
    backOff.heed(response.status, response.headers['retry-after']);
    return { answer: schema.parse(await response.data()), answeredAt: date.parse(response.headers.date) };
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

const unavailable = (cause: unknown): BowlineError =>
  new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true, cause });
