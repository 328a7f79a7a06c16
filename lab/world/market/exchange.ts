import { type Request, type RequestHandler, type Response, Router } from 'express';
import { candle, type Interval, intervalSeconds, usdtPrice } from './candles.ts';
import type { Asset, Path } from './path.ts';

// Serves the price path as an exchange's spot REST API: Binance's paths, parameters, decimal strings and error numbers,
// for the two calls that the agent makes.

interface Pair {
  readonly symbol: string;
  readonly asset: Asset;
  /** Tick size of a price, in decimals of USDT, and of an amount, in decimals of the base. */
  readonly priceDecimals: number;
  readonly amountDecimals: number;
}

const pairs: readonly Pair[] = [
  { symbol: 'BTCUSDT', asset: 'BTCB', priceDecimals: 2, amountDecimals: 5 },
  { symbol: 'ETHUSDT', asset: 'ETH', priceDecimals: 2, amountDecimals: 4 },
  { symbol: 'BNBUSDT', asset: 'WBNB', priceDecimals: 2, amountDecimals: 3 },
  { symbol: 'USDCUSDT', asset: 'USDC', priceDecimals: 5, amountDecimals: 0 },
];

export const pairNames: readonly string[] = pairs.map(({ symbol }) => symbol);

/** Spread between best bid and best ask, as a share of the price. */
const spread = 0.00002;

export const exchangeRoutes: readonly string[] = [
  'GET /api/v3/ticker/bookTicker?symbol=BTCUSDT',
  'GET /api/v3/klines?symbol=BTCUSDT&interval=1m&limit=5',
];

/** Answers unknown routes in the exchange's own error format. */
export const unknownRoute: RequestHandler = (_request, response) =>
  refuse(response, new Refusal(-1020, 'This operation is not supported. GET / lists those that are.', 404));

/** An error in the exchange's own format. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(code: number, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** `clock`: unix seconds, with a fraction. */
export function exchange(path: Path, clock: () => number): Router {
  const router = Router({ caseSensitive: true });
  const answer = (route: string, answerOf: (query: Request['query'], now: number) => unknown) => {
    router.get(`/api/v3/${route}`, (request, response) => {
      try {
        response.json(answerOf(request.query, clock()));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refuse(response, error);
      }
    });
  };

  answer('ticker/bookTicker', (query, now) => {
    const pair = pairOf(query);
    return { symbol: pair.symbol, bidPrice: best(path, pair, now, -1), askPrice: best(path, pair, now, 1) };
  });
  answer('klines', (query, now) => {
    const [pair, interval] = [pairOf(query), intervalOf(query)];
    const seconds = intervalSeconds[interval];
    const newest = Math.floor(now / seconds) * seconds;
    const count = limitOf(query);
    return Array.from({ length: count }, (_, at) =>
      kline(path, pair, interval, newest - (count - 1 - at) * seconds, now),
    );
  });
  return router;
}

function refuse(response: Response, { status, code, message }: Refusal): void {
  response.status(status).json({ code, msg: message });
}

function pairOf(query: Request['query']): Pair {
  const symbol = word(query, 'symbol');
  if (symbol === undefined) {
    throw new Refusal(-1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.");
  }
  const pair = pairs.find((each) => each.symbol === symbol);
  if (pair === undefined) throw new Refusal(-1121, 'Invalid symbol.');
  return pair;
}

function intervalOf(query: Request['query']): Interval {
  const interval = word(query, 'interval') ?? '';
  if (!Object.hasOwn(intervalSeconds, interval)) throw new Refusal(-1120, 'Invalid interval.');
  return interval as Interval;
}

function limitOf(query: Request['query']): number {
  const text = word(query, 'limit') ?? '500';
  if (/^[1-9]\d{0,14}$/.test(text)) return Math.min(Number(text), 1_000);
  throw new Refusal(-1100, "Illegal characters found in parameter 'limit'; legal range is '^[0-9]{1,20}$'.");
}

function word(query: Request['query'], name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The best price; `direction` is -1 for bids, 1 for asks. */
function best(path: Path, pair: Pair, now: number, direction: -1 | 1): string {
  const middle = usdtPrice(path, pair.asset, now);
  const step = 10 ** -pair.priceDecimals;
  const away = (middle * (1 + (direction * spread) / 2)) / step;
  const price = (direction === 1 ? Math.ceil(away) : Math.floor(away)) * step;
  return decimal(price, pair.priceDecimals);
}

/** Without the fields that the agent does not read: they come after these. */
function kline(path: Path, pair: Pair, interval: Interval, openedAt: number, now: number) {
  const { open, high, low, close, volume } = candle(path, pair.asset, interval, openedAt, now);
  const prices = [open, high, low, close].map((price) => decimal(price, pair.priceDecimals));
  const closedAt = (openedAt + intervalSeconds[interval]) * 1000 - 1;
  return [openedAt * 1000, ...prices, decimal(volume, pair.amountDecimals), closedAt];
}

/** Rounds to the pair's step and writes eight decimals, as the exchange always does. */
const decimal = (value: number, decimals: number): string => Number(value.toFixed(decimals)).toFixed(8);
