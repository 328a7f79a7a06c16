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
  // The client's default timeout of a second is too short on a busy machine.
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

describe('the ticker', () => {
  it('stands round the path’s price, in decimal text', async () => {
    const ticker = (await (await client.tickerBookTicker({ symbol: 'BTCUSDT' })).data()) as Record<string, string>;
    expect(ticker).toEqual({
      symbol: 'BTCUSDT',
      bidPrice: expect.stringMatching(/^\d+\.\d{2}0{6}$/),
      askPrice: expect.stringMatching(/^\d+\.\d{2}0{6}$/),
    });
    expect(Number(ticker.bidPrice)).toBeLessThan(middle(now));
    expect(Number(ticker.askPrice)).toBeGreaterThan(middle(now));
    expect(Number(ticker.askPrice) / Number(ticker.bidPrice)).toBeLessThan(1.0001);
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

  it('are 500 unless a limit is given, and at most 1,000', async () => {
    const count = async (limit?: number) =>
      (await klines({ symbol: 'BTCUSDT', interval: INTERVAL_1h, ...(limit && { limit }) })).length;
    expect([await count(), await count(3), await count(5_000)]).toEqual([500, 3, 1_000]);
  });
});

describe('refusals', () => {
  it('name an unknown pair as the exchange does', async () => {
    const refused = { name: 'BadRequestError', code: -1121, message: 'Invalid symbol.' };
    expect(await error(client.tickerBookTicker({ symbol: 'DOGEUSDT' }))).toMatchObject(refused);
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
    ['ticker/bookTicker', -1102],
  ])('%s', async (query, code) => {
    const response = await fetch(`${url}/api/v3/${query}`);
    expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([400, code]);
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
