import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Spot, SpotRestAPI } from '@binance/spot';
import { createMarketData } from '@bowline/exchange/exchange';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../../lab/world/market/exchange.ts';
import { createPath } from '../../lab/world/market/path.ts';

// The exchange's own client, and the agent's adapter over it, against the price path.

const start = 1_800_000_000;
const now = start + 1_234.5;
const path = createPath(1, start);
const { INTERVAL_1m, INTERVAL_5m, INTERVAL_1h, INTERVAL_1d } = SpotRestAPI.KlinesIntervalEnum;

let server: Server;
let url: string;
let client: Spot['restAPI'];
beforeAll(async () => {
  server = express()
    .use(exchange(path, () => now))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The client's own timeout is a second, which a busy machine takes.
  client = new Spot({ configurationRestAPI: { apiKey: '', basePath: url, retries: 0, timeout: 30_000 } }).restAPI;
});
afterAll(() => server.close());

const klines = async (query: SpotRestAPI.KlinesRequest) => await (await client.klines(query)).data();
const error = async (call: Promise<unknown>) =>
  await call.then(
    () => expect.unreachable(),
    (cause) => cause,
  );
const middle = (time: number) => path.usd('BTCB', time) / path.usd('USDT', time);

it('tells the time', async () => {
  expect(await (await client.ping()).data()).toEqual({});
  expect(await (await client.time()).data()).toEqual({ serverTime: now * 1000 });
});

it('lists its pairs and their steps', async () => {
  const { symbols = [] } = await (await client.exchangeInfo()).data();
  expect(symbols.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT', 'BNBUSDT', 'USDCUSDT']);
  const two = await (await client.exchangeInfo({ symbols: ['BNBUSDT', 'BTCUSDT'] })).data();
  expect(two.symbols?.map(({ baseAsset }) => baseAsset)).toEqual(['BNB', 'BTC']);
  expect(two.symbols?.[1]?.filters?.[0]).toMatchObject({ filterType: 'PRICE_FILTER', tickSize: '0.01000000' });
});

describe('the ticker', () => {
  it('stands round the path’s price, in decimal text', async () => {
    const ticker = (await (await client.tickerBookTicker({ symbol: 'BTCUSDT' })).data()) as Record<string, string>;
    expect(ticker).toEqual({
      symbol: 'BTCUSDT',
      bidPrice: expect.stringMatching(/^\d+\.\d{2}0{6}$/),
      bidQty: expect.stringMatching(/^\d+\.\d{5}000$/),
      askPrice: expect.stringMatching(/^\d+\.\d{2}0{6}$/),
      askQty: expect.stringMatching(/^\d+\.\d{5}000$/),
    });
    expect(Number(ticker.bidPrice)).toBeLessThan(middle(now));
    expect(Number(ticker.askPrice)).toBeGreaterThan(middle(now));
    expect(Number(ticker.askPrice) / Number(ticker.bidPrice)).toBeLessThan(1.0001);
  });

  it('gives one, some or all pairs', async () => {
    const symbols = async (query?: SpotRestAPI.TickerBookTickerRequest) =>
      ((await (await client.tickerBookTicker(query)).data()) as { symbol: string }[]).map(({ symbol }) => symbol);
    expect(await symbols({ symbols: ['ETHUSDT', 'USDCUSDT'] })).toEqual(['ETHUSDT', 'USDCUSDT']);
    expect(await symbols()).toHaveLength(4);
  });
});

describe('candles', () => {
  it.each([
    [INTERVAL_1m, 60],
    [INTERVAL_5m, 300],
    [INTERVAL_1h, 3_600],
    [INTERVAL_1d, 86_400],
  ])('of %s end with the one that is open, and join', async (interval, seconds) => {
    const candles = await klines({ symbol: 'BTCUSDT', interval, limit: 100 });
    expect(candles).toHaveLength(100);
    const opened = Math.floor(now / seconds) * seconds;
    for (const [index, [openedAt, open, high, low, close, volume, closedAt]] of candles.entries()) {
      const from = opened - (99 - index) * seconds;
      expect([openedAt, closedAt]).toEqual([from * 1000, (from + seconds) * 1000 - 1]);
      expect(Number(open)).toBeCloseTo(middle(from), 1);
      expect(Number(close)).toBeCloseTo(middle(Math.min(from + seconds, now)), 1);
      expect(Number(high)).toBeGreaterThanOrEqual(Math.max(Number(open), Number(close)));
      expect(Number(low)).toBeLessThanOrEqual(Math.min(Number(open), Number(close)));
      expect(Number(volume)).toBeGreaterThan(0);
      const next = candles[index + 1];
      if (next !== undefined) expect(next[1]).toBe(close);
    }
    expect(new Set(candles.map(([, open]) => open)).size).toBeGreaterThan(50);
  });

  it('are the same whoever asks when, but for the open one', async () => {
    const later = express().use(exchange(path, () => now + 600));
    const second = later.listen(0, '127.0.0.1');
    await once(second, 'listening');
    const basePath = `http://127.0.0.1:${(second.address() as AddressInfo).port}`;
    const other = new Spot({ configurationRestAPI: { apiKey: '', basePath } }).restAPI;
    const query = { symbol: 'ETHUSDT', interval: INTERVAL_1m, startTime: (start - 600) * 1000, limit: 20 };
    expect(await (await other.klines(query)).data()).toEqual(await klines(query));
    second.close();
  });

  it('begin at startTime, end at endTime, and are at most 1000', async () => {
    const times = async (query: Omit<SpotRestAPI.KlinesRequest, 'symbol' | 'interval'>) =>
      (await klines({ symbol: 'BTCUSDT', interval: INTERVAL_1h, ...query })).map(
        ([openedAt]) => Number(openedAt) / 1000,
      );
    const hours = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index * 3_600);
    const from = start - 10 * 3_600;
    expect(await times({ startTime: from * 1000, limit: 3 })).toEqual(hours(from, 3));
    expect(await times({ startTime: (from + 1) * 1000, limit: 1 })).toEqual([from + 3_600]);
    expect(await times({ startTime: from * 1000, endTime: (from + 7_200) * 1000 })).toEqual(hours(from, 3));
    expect(await times({ endTime: (from + 100) * 1000, limit: 2 })).toEqual(hours(from - 3_600, 2));
    expect(await times({})).toHaveLength(500);
    expect(await times({ limit: 5_000 })).toHaveLength(1_000);
  });

  it('are empty for the future', async () => {
    expect(await klines({ symbol: 'BTCUSDT', interval: INTERVAL_1h, startTime: (now + 9_999) * 1000 })).toEqual([]);
  });
});

describe('refusals', () => {
  it('name an unknown pair as the exchange does', async () => {
    const refused = { name: 'BadRequestError', code: -1121, message: 'Invalid symbol.' };
    expect(await error(client.tickerBookTicker({ symbol: 'DOGEUSDT' }))).toMatchObject(refused);
    expect(await error(client.tickerBookTicker({ symbols: ['BTCUSDT', 'XUSDT'] }))).toMatchObject(refused);
    const response = await fetch(`${url}/api/v3/klines?symbol=DOGEUSDT&interval=1m`);
    expect([response.status, await response.json()]).toEqual([400, { code: -1121, msg: 'Invalid symbol.' }]);
  });

  it.each([
    ['klines?interval=1m', -1102],
    ['klines?symbol=BTCUSDT', -1120],
    ['klines?symbol=BTCUSDT&interval=2m', -1120],
    ['klines?symbol=BTCUSDT&interval=1m&limit=many', -1100],
    ['klines?symbol=BTCUSDT&interval=1m&limit=0', -1100],
    ['klines?symbol=BTCUSDT&interval=1m&limit=-5', -1100],
    ['ticker/bookTicker?symbols=BTCUSDT', -1100],
  ])('%s', async (query, code) => {
    const response = await fetch(`${url}/api/v3/${query}`);
    expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([400, code]);
  });

  it('take no trade, with a key or without', async () => {
    const order = {
      symbol: 'BTCUSDT',
      side: SpotRestAPI.NewOrderSideEnum.BUY,
      type: SpotRestAPI.NewOrderTypeEnum.MARKET,
    };
    const trader = (apiKey: string) =>
      new Spot({ configurationRestAPI: { apiKey, apiSecret: 'secret', basePath: url, retries: 0, timeout: 30_000 } })
        .restAPI;
    expect(await error(trader('').newOrder({ ...order, quantity: 1 }))).toMatchObject({ code: -2014 });
    expect(await error(trader('somebody').newOrder({ ...order, quantity: 1 }))).toMatchObject({ code: -2015 });
    const response = await fetch(`${url}/api/v3/order`, { method: 'POST' });
    expect([response.status, await response.json()]).toEqual([401, { code: -2014, msg: 'API-key format invalid.' }]);
  });
});

it('serves the agent’s own adapter', async () => {
  const market = createMarketData(url, () => 0n);
  const { bidWad, askWad } = await market.bookTicker('USDCUSDT');
  expect(bidWad).toBeLessThan(askWad);
  expect(bidWad).toBeGreaterThan(999n * 10n ** 15n);
  const { candles, answeredAt } = await market.candles('BNBUSDT', '1d', 100);
  expect(candles).toHaveLength(100);
  expect(candles.at(-1)?.openedAt).toBe(BigInt(Math.floor(now / 86_400) * 86_400));
  expect(Math.abs(Number(answeredAt) - Date.now() / 1000)).toBeLessThan(60);
});
