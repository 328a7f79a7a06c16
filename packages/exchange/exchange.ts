import { SpotRestAPI } from '@binance/spot';
import type { Candle } from '@bowline/core/domain/facts';
import type { Log } from '@bowline/core/domain/log';
import type { CandleInterval, MarketData } from '@bowline/core/domain/market-data';
import { BowlineError } from '@bowline/core/domain/result';
import type { Clock } from '@bowline/core/domain/time';
import { parseUnitsDown } from '@bowline/core/domain/units';
import { z } from 'zod';

const TIMEOUT_MS = 3_000;
/** Maximum size of an unpacked response: several times the longest expected, 1,000 candles. */
const MAX_BYTES = 1_048_576;
/** Maximum length of a decimal with its point. Larger values than floating point holds would have no statistics. */
const MAX_DIGITS = 48;
/** Decimal text, parsed to 18 decimals. */
const wad = z.string().transform((text, context) => {
  const parsed = text.length > MAX_DIGITS ? undefined : parseUnitsDown(text, 18);
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: 'is not a decimal' });
  return z.NEVER;
});
const price = wad.refine((usdWad) => usdWad > 0n, 'is not a price');

const bookTicker = z
  .object({ symbol: z.string(), bidPrice: price, askPrice: price })
  .refine(({ bidPrice, askPrice }) => bidPrice <= askPrice, 'has a bid above its ask');

/** Opening time in milliseconds, open, high, low, close, volume; the rest is unused. */
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

export interface ExchangeOptions {
  /** Identifies the client if a provider requires it. Prices need none, and nothing is signed with it. */
  readonly apiKey?: string | undefined;
  /** Called once per refusal, until it ends. */
  readonly log?: Pick<Log, 'error'>;
}

/**
 * Public market data of the exchange, through its own client. One attempt per request: a retry a second later would
 * return a newer price anyway, and the loops come back by themselves. After a rate limit or a refusal it sends nothing
 * until the wait is over. No redirect is followed: nobody signs these prices, so they come from this address alone.
 */
export function createMarketData(
  baseUrl: string,
  clock: Clock,
  { apiKey = '', log }: ExchangeOptions = {},
): MarketData {
  const settings = {
    apiKey,
    basePath: baseUrl.replace(/\/+$/, ''),
    retries: 0,
    compression: true,
    baseOptions: {
      timeout: TIMEOUT_MS,
      headers: { 'X-MBX-APIKEY': apiKey },
      maxRedirects: 0,
      maxContentLength: MAX_BYTES,
      // The client's own errors omit the status and the wait time, so accept every status as a response.
      validateStatus: () => true,
    },
  };
  const restAPI = new SpotRestAPI.RestAPI(settings);
  const backOff = createBackOff(clock);
  const tell = tellRefusals(log);
  const ask = <Schema extends z.ZodType>(schema: Schema, question: () => Promise<Response>) =>
    answered(schema, question, backOff, tell);

  return {
    async bookTicker(pair) {
      const question = { symbol: pair };
      const { answer: ticker, answeredAt } = await ask(bookTicker, () => restAPI.tickerBookTicker(question));
      if (ticker.symbol !== pair) throw unavailable(`answered for ${ticker.symbol}`);
      return { bidWad: ticker.bidPrice, askWad: ticker.askPrice, answeredAt };
    },
    async candles(pair, interval, count) {
      const question = { symbol: pair, interval: intervals[interval], limit: count };
      const { answer: rows, answeredAt } = await ask(z.array(z.unknown()), () => restAPI.klines(question));
      const read = rows.map((row) => kline.safeParse(row).data);
      const candles = read.filter((candle) => candle !== undefined);
      // Without the newest row the answer is from another time.
      if (rows.length > 0 && read.at(-1) === undefined) throw unavailable('the newest row is not a candle');
      const broken = rows.length - candles.length;
      return { candles, answeredAt, ...(broken > 0 && { broken }) };
    },
  };
}

/** Date header of a response, to the second. */
const date = z
  .string()
  .transform((text) => Date.parse(text))
  .refine(Number.isInteger, 'is not a date')
  .transform((milliseconds) => BigInt(milliseconds) / 1000n);

interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  data(): Promise<unknown>;
}

/** Sends a request and accepts the response only in the promised shape, with its date. */
async function answered<Schema extends z.ZodType>(
  schema: Schema,
  ask: () => Promise<Response>,
  backOff: BackOff,
  tell: (status: number) => void,
): Promise<{ answer: z.output<Schema>; answeredAt: bigint }> {
  const late = Promise.withResolvers<never>();
  // The client's own timeout restarts with every byte: a slow drip would never end.
  const timer = setTimeout(() => late.reject(new DOMException('the answer does not end', 'TimeoutError')), TIMEOUT_MS);
  try {
    backOff.mayAsk();
    const response = await Promise.race([ask(), late.promise]);
    const { status } = response;
    tell(status);
    backOff.heed(status, response.headers['retry-after']);
    if (status !== 200) throw new StatusError(status, `status ${status}`);
    return { answer: schema.parse(await response.data()), answeredAt: date.parse(response.headers.date) };
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

/** The HTTP status of a response without a price. */
export class StatusError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const unavailable = (cause: unknown): BowlineError =>
  new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true, cause });

/** Why the exchange gives this client no data at all; undefined for a status that may pass by itself. */
function refusalOf(status: number): string | undefined {
  if (isRedirect(status)) return 'The exchange redirects to another address, which is not followed.';
  if (status === 451) return "The exchange does not serve this agent's location.";
  return status === 401 || status === 403 ? 'The exchange rejects this client.' : undefined;
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

/** Logs a refusal with its cause, and again only after a response or another refusal. */
function tellRefusals(log: ExchangeOptions['log']): (status: number) => void {
  let told: number | undefined;
  return (status) => {
    const cause = refusalOf(status);
    if (cause !== undefined && status !== told) {
      const remedy = 'Set MARKET_DATA_URL to an address that serves prices here, or to off.';
      log?.error('exchange.refused', { status, cause, remedy });
    }
    if (cause !== undefined || status === 200) told = cause === undefined ? undefined : status;
  };
}

/**
 * Wait in seconds by status: too many requests; banned for continuing; rejected, not served here or redirected, which a
 * retry does not change.
 */
const secondsOf: Readonly<Record<number, bigint>> = { 429: 60n, 418: 300n, 401: 60n, 403: 60n, 451: 300n };
const REDIRECT_SECONDS = 300n;
/** Maximum wait: a forged Retry-After must not keep us away for days. */
const MAX_SECONDS = 3_600n;

export interface BackOff {
  /** @throws during a wait: a client that continues is banned, longer each time. */
  mayAsk(): void;
  /**
   * @param retryAfter the Retry-After header as received: seconds or a date.
   * @throws if the status demands a wait.
   */
  heed(status: number, retryAfter: unknown): void;
}

export function createBackOff(clock: Clock): BackOff {
  let until = 0n;
  return {
    mayAsk() {
      const wait = until - clock();
      // A longer wait is impossible: the clock was set back.
      if (wait > 0n && wait <= MAX_SECONDS) throw new Error(`the exchange asked us to wait; ${wait} s remain`);
    },
    heed(status, retryAfter) {
      const usual = isRedirect(status) ? REDIRECT_SECONDS : secondsOf[status];
      if (usual === undefined) return;
      const now = clock();
      const requested = secondsUntil(retryAfter, now);
      const wait = requested > 0n ? requested : usual;
      const end = now + (wait < MAX_SECONDS ? wait : MAX_SECONDS);
      // Of concurrent responses the longest wait applies.
      if (end > until) until = end;
      throw new StatusError(status, `status ${status}: the exchange asks us to wait ${end - now} s`);
    },
  };
}

/** 0 if the header is missing or unreadable. */
function secondsUntil(retryAfter: unknown, now: bigint): bigint {
  if (typeof retryAfter !== 'string') return 0n;
  if (/^\d{1,15}$/.test(retryAfter)) return BigInt(retryAfter);
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? 0n : BigInt(Math.ceil(date / 1000)) - now;
}
