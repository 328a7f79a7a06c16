import { type Request, type RequestHandler, type Response, Router } from 'express';
import { candle, type Interval, intervalSeconds, usdtPrice } from './candles.ts';
import { wave } from './noise.ts';
import { type Asset, assets, type Path } from './path.ts';

// Serves the price path as an exchange's spot REST API: Binance's paths, parameters, decimal strings and error numbers,
// for the public market calls of these pairs.

interface Pair {
  readonly symbol: string;
  readonly asset: Asset;
  readonly base: string;
  /** Tick size of a price, in decimals of USDT, and of an amount, in decimals of the base. */
  readonly priceDecimals: number;
  readonly amountDecimals: number;
}

const pairs: readonly Pair[] = [
  { symbol: 'BTCUSDT', asset: 'BTCB', base: 'BTC', priceDecimals: 2, amountDecimals: 5 },
  { symbol: 'ETHUSDT', asset: 'ETH', base: 'ETH', priceDecimals: 2, amountDecimals: 4 },
  { symbol: 'BNBUSDT', asset: 'WBNB', base: 'BNB', priceDecimals: 2, amountDecimals: 3 },
  { symbol: 'USDCUSDT', asset: 'USDC', base: 'USDC', priceDecimals: 5, amountDecimals: 0 },
];

export const pairNames: readonly string[] = pairs.map(({ symbol }) => symbol);

/** Spread between best bid and best ask, as a share of the price. */
const spread = 0.00002;
/** Size of the orders at the best price, in USDT. */
const usdtAtBest = 40_000;

/** The supported calls, each with example parameters. */
const examples = {
  ping: '',
  time: '',
  exchangeInfo: '?symbol=BTCUSDT',
  'ticker/bookTicker': '?symbol=BTCUSDT',
  klines: '?symbol=BTCUSDT&interval=1m&limit=5',
} as const;
type Route = keyof typeof examples;

export const exchangeRoutes: readonly string[] = Object.entries(examples).map(
  ([route, example]) => `GET /api/v3/${route}${example}`,
);

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
  const answer = (route: Route, answerOf: (query: Request['query'], now: number) => unknown) => {
    router.get(`/api/v3/${route}`, (request, response) => {
      try {
        response.json(answerOf(request.query, clock()));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refuse(response, error);
      }
    });
  };

  answer('ping', () => ({}));
  answer('time', (_query, now) => ({ serverTime: Math.floor(now * 1000) }));
  answer('exchangeInfo', (query, now) => ({
    timezone: 'UTC',
    serverTime: Math.floor(now * 1000),
    rateLimits: [],
    exchangeFilters: [],
    symbols: pairsOf(query).map(rules),
  }));
  answer('ticker/bookTicker', (query, now) => {
    const tickers = pairsOf(query).map((pair) => {
      const [bidPrice, bidQty] = best(path, pair, now, -1);
      const [askPrice, askQty] = best(path, pair, now, 1);
      return { symbol: pair.symbol, bidPrice, bidQty, askPrice, askQty };
    });
    return query.symbol === undefined ? tickers : tickers[0];
  });
  answer('klines', (query, now) => {
    const pair = onePair(query);
    return openings(query, now).map(({ interval, openedAt }) => kline(path, pair, interval, openedAt, now));
  });

  for (const route of ['order', 'order/test', 'openOrders', 'allOrders', 'myTrades', 'account']) {
    router.all(`/api/v3/${route}`, (request, response) => refuse(response, keyRefusal(request.get('x-mbx-apikey'))));
  }
  return router;
}

function refuse(response: Response, { status, code, message }: Refusal): void {
  response.status(status).json({ code, msg: message });
}

/** The local exchange has no accounts. */
function keyRefusal(key: string | undefined): Refusal {
  return key === undefined || key === ''
    ? new Refusal(-2014, 'API-key format invalid.', 401)
    : new Refusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
}

function onePair(query: Request['query']): Pair {
  const symbol = word(query, 'symbol');
  if (symbol === undefined) {
    throw new Refusal(-1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.");
  }
  return pairOf(symbol);
}

/** Reads `symbol`, or `symbols` as a JSON list; returns all pairs if neither is given. */
function pairsOf(query: Request['query']): readonly Pair[] {
  const symbol = word(query, 'symbol');
  if (symbol !== undefined) return [pairOf(symbol)];
  const list = word(query, 'symbols');
  if (list === undefined) return pairs;
  const symbols: unknown = parsed(list);
  if (Array.isArray(symbols) && symbols.every((each) => typeof each === 'string')) return symbols.map(pairOf);
  throw new Refusal(-1100, "Illegal characters found in parameter 'symbols'.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pairOf(symbol: string): Pair {
  const pair = pairs.find((each) => each.symbol === symbol);
  if (pair === undefined) throw new Refusal(-1121, 'Invalid symbol.');
  return pair;
}

/** Opening times of the requested candles: the first from `startTime` on, otherwise the last up to `endTime` or now. */
function openings(query: Request['query'], now: number): { interval: Interval; openedAt: number }[] {
  const interval = word(query, 'interval') ?? '';
  if (!isInterval(interval)) throw new Refusal(-1120, 'Invalid interval.');
  const seconds = intervalSeconds[interval];
  const count = Math.min(wholeNumber(query, 'limit') ?? 500, 1_000);
  const from = wholeNumber(query, 'startTime');
  const until = Math.min(wholeNumber(query, 'endTime') ?? Infinity, now * 1000);
  const lastOpening = Math.floor(until / 1000 / seconds) * seconds;
  const first = from === undefined ? lastOpening - (count - 1) * seconds : Math.ceil(from / 1000 / seconds) * seconds;
  return Array.from({ length: count }, (_, index) => ({ interval, openedAt: first + index * seconds })).filter(
    ({ openedAt }) => openedAt <= lastOpening,
  );
}

const isInterval = (text: string): text is Interval => Object.hasOwn(intervalSeconds, text);

function word(query: Request['query'], name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function wholeNumber(query: Request['query'], name: string): number | undefined {
  const text = word(query, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0) {
    throw new Refusal(-1100, `Illegal characters found in parameter '${name}'; legal range is '^[0-9]{1,20}$'.`);
  }
  return Number(text);
}

/** The best price level, with its size; `direction` is -1 for bids, 1 for asks. */
function best(path: Path, pair: Pair, now: number, direction: -1 | 1): [string, string] {
  const middle = usdtPrice(path, pair.asset, now);
  const step = 10 ** -pair.priceDecimals;
  const away = (middle * (1 + (direction * spread) / 2)) / step;
  const price = (direction === 1 ? Math.ceil(away) : Math.floor(away)) * step;
  const busy = 1 + 0.8 * wave(path.seed, 3_000 + assets.indexOf(pair.asset), now);
  return [decimal(price, pair.priceDecimals), decimal((usdtAtBest * busy) / price, pair.amountDecimals)];
}

function kline(path: Path, pair: Pair, interval: Interval, openedAt: number, now: number) {
  const { open, high, low, close, volume } = candle(path, pair.asset, interval, openedAt, now);
  const price = (value: number) => decimal(value, pair.priceDecimals);
  const quoteVolume = (volume * (open + close)) / 2;
  const share = 0.5 + 0.1 * wave(path.seed, 4_000 + assets.indexOf(pair.asset), openedAt / intervalSeconds[interval]);
  return [
    openedAt * 1000,
    price(open),
    price(high),
    price(low),
    price(close),
    decimal(volume, pair.amountDecimals),
    (openedAt + intervalSeconds[interval]) * 1000 - 1,
    decimal(quoteVolume, 8),
    Math.ceil(quoteVolume / 2_000),
    decimal(volume * share, pair.amountDecimals),
    decimal(quoteVolume * share, 8),
    '0',
  ];
}

/** Rounds to the pair's step and writes eight decimals, as the exchange always does. */
const decimal = (value: number, decimals: number): string => Number(value.toFixed(decimals)).toFixed(8);

const rules = ({ symbol, base, priceDecimals, amountDecimals }: Pair) => ({
  symbol,
  status: 'TRADING',
  baseAsset: base,
  baseAssetPrecision: 8,
  quoteAsset: 'USDT',
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  orderTypes: ['LIMIT', 'MARKET'],
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  filters: [
    {
      filterType: 'PRICE_FILTER',
      minPrice: least(priceDecimals),
      maxPrice: '1000000.00000000',
      tickSize: least(priceDecimals),
    },
    { filterType: 'LOT_SIZE', minQty: least(amountDecimals), maxQty: '9000.00000000', stepSize: least(amountDecimals) },
  ],
  permissions: ['SPOT'],
});

const least = (decimals: number) => (10 ** -decimals).toFixed(8);
