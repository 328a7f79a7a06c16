import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MarketData } from '@bowline/core/domain/market-data';
import { parseUnitsDown, WAD } from '@bowline/core/domain/units';
import { createMarketData } from '@bowline/exchange/exchange';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FLOOD_BYTES, flood, type Provider, startProvider } from './provider.ts';

// The exchange's wire format: decimals as text, candles as rows of twelve, errors as {code, msg}.

let provider: Provider;
let exchange: MarketData;
let now: bigint;
const clock = () => now;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.asked = [];
  now = 1_800_000_000n;
  exchange = createMarketData(`${provider.url}/`, clock);
});

const json = (status: number, body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const ticker = {
  symbol: 'BTCUSDT',
  bidPrice: '99999.99000000',
  bidQty: '1.50000000',
  askPrice: '100000.01000000',
  askQty: '0.25000000',
};

const row = (openedAtMs: number, open: string, volume = '12.00000000') => [
  openedAtMs,
  open,
  '101000.10000000',
  '99000.20000000',
  '100500.30000000',
  volume,
  openedAtMs + 3_599_999,
  '1200000.00000000',
  308,
  '6.00000000',
  '600000.00000000',
  '0',
];

const unavailable = { code: 'market_unavailable', retryable: true, message: 'The exchange does not answer.' };

describe('bookTicker', () => {
  it('is the best bid and ask to the last digit, and when the exchange dates them', async () => {
    const dated = (date: string) => (_: IncomingMessage, response: ServerResponse) =>
      void response
        .writeHead(200, { date })
        .end(JSON.stringify({ ...ticker, bidPrice: '0.123456789012345678', askPrice: '100000.01' }));
    provider.answer = dated('Fri, 15 Jan 2027 08:00:07 GMT');
    expect(await exchange.bookTicker('BTCUSDT')).toEqual({
      bidWad: 123_456_789_012_345_678n,
      askWad: parseUnitsDown('100000.01', 18),
      answeredAt: 1_800_000_007n,
    });
    expect(provider.asked).toEqual(['/api/v3/ticker/bookTicker?symbol=BTCUSDT']);
    provider.answer = dated('lately');
    await expect(exchange.bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
    provider.answer = (_, response) => {
      response.sendDate = false;
      response.end(JSON.stringify(ticker));
    };
    await expect(exchange.bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
  });

  it.each([
    ['a number instead of text', { ...ticker, bidPrice: 99_999.99 }],
    ['an empty book', { ...ticker, bidPrice: '0.00000000' }],
    ['a negative price', { ...ticker, bidPrice: '-1' }],
    ['a price with an exponent', { ...ticker, bidPrice: '1e5' }],
    ['a crossed book', { ...ticker, bidPrice: '100000.02000000' }],
    ['another pair', { ...ticker, symbol: 'ETHUSDT' }],
    ['all pairs', [ticker]],
    ['nothing', {}],
  ])('refuses %s', async (_, body) => {
    provider.answer = json(200, body);
    await expect(exchange.bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
  });
});

describe('candles', () => {
  const dated = (body: unknown) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { date: 'Fri, 15 Jan 2027 08:00:07 GMT' }).end(JSON.stringify(body));

  it('are as the exchange has them, oldest first, to the last digit', async () => {
    provider.answer = dated([
      row(1_799_996_400_000, '100000.00000001'),
      row(1_800_000_000_000, '100500.30000000', '0'),
    ]);
    expect(await exchange.candles('BTCUSDT', '1h', 2)).toEqual({
      answeredAt: 1_800_000_007n,
      candles: [
        {
          openedAt: 1_799_996_400n,
          openWad: 100_000n * WAD + 10n ** 10n,
          highWad: parseUnitsDown('101000.1', 18),
          lowWad: parseUnitsDown('99000.2', 18),
          closeWad: parseUnitsDown('100500.3', 18),
          volumeWad: 12n * WAD,
        },
        expect.objectContaining({ openedAt: 1_800_000_000n, volumeWad: 0n }),
      ],
    });
    expect(provider.asked).toEqual(['/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=2']);
  });

  it.each(['1m', '5m', '1h', '1d'] as const)('are provider.asked for by %s', async (interval) => {
    provider.answer = json(200, []);
    expect((await exchange.candles('BTCUSDT', interval, 500)).candles).toEqual([]);
    expect(provider.asked[0]).toContain(`interval=${interval}&limit=500`);
  });

  it('are without the rows that are none, and say of how many', async () => {
    const good = row(1_800_000_000_000, '1');
    provider.answer = dated([null, row(0, '0'), good.slice(0, 5), row(0, 'NaN'), good]);
    const { candles, broken } = await exchange.candles('BTCUSDT', '1h', 5);
    expect([candles.map(({ openedAt }) => openedAt), broken]).toEqual([[1_800_000_000n], 4]);
  });

  it('are refused when a row is short', async () => {
    provider.answer = json(200, [row(0, '1').slice(0, 5)]);
    await expect(exchange.candles('BTCUSDT', '1d', 1)).rejects.toMatchObject(unavailable);
  });
});

describe('market_unavailable, after one try and without the exchange’s own words', () => {
  it.each([
    ['an unknown pair', 400, { code: -1121, msg: 'Invalid symbol.' }],
    ['too many requests', 429, { code: -1003, msg: 'Too many requests.' }],
    ['an outage', 503, {}],
  ])('%s', async (_, status, body) => {
    provider.answer = json(status, body);
    await expect(exchange.bookTicker('NOSUCH')).rejects.toMatchObject(unavailable);
    expect(provider.asked).toHaveLength(1);
  });

  it('a page that is no JSON', async () => {
    provider.answer = (_, response) => void response.end('<html>');
    await expect(exchange.bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
  });

  it('no answer at all, within four seconds', async () => {
    provider.answer = () => {};
    const start = performance.now();
    await expect(exchange.bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
    expect(performance.now() - start).toBeLessThan(4_000);
    expect(provider.asked).toHaveLength(1);
  });

  it('an answer that begins and never ends, within four seconds', async () => {
    let drip: NodeJS.Timeout | undefined;
    provider.answer = (_, response) => {
      response.writeHead(200);
      drip = setInterval(() => response.write(' '), 100);
      response.once('close', () => clearInterval(drip));
    };
    const start = performance.now();
    await expect(exchange.bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
    expect(performance.now() - start).toBeLessThan(4_000);
    provider.hangUp();
  });

  it('an answer longer than any that is expected, which is not read to its end', async () => {
    const written = flood(provider);
    await expect(exchange.candles('BTCUSDT', '1h', 168)).rejects.toMatchObject(unavailable);
    expect(await written()).toBeLessThan(FLOOD_BYTES / 2);
  });

  it('nobody there', async () => {
    const nobody = createMarketData('http://127.0.0.1:9', clock);
    await expect(nobody.candles('BTCUSDT', '1m', 2)).rejects.toMatchObject(unavailable);
  });
});

describe('a refusal is told once with its cause, and nothing is asked until the wait is over', () => {
  const remedy = 'Set MARKET_DATA_URL to an address that serves prices here, or to off.';
  const refused = (status: number, location?: string) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, location === undefined ? {} : { location }).end('{"msg": "restricted location"}');
  const told = () => {
    const lines: unknown[] = [];
    return { lines, log: { error: (event: string, fields = {}) => void lines.push({ event, ...fields }) } };
  };

  it.each([
    [451, 300n, "The exchange does not serve this agent's location."],
    [403, 60n, 'The exchange rejects this client.'],
    [401, 60n, 'The exchange rejects this client.'],
    [302, 300n, 'The exchange redirects to another address, which is not followed.'],
    [307, 300n, 'The exchange redirects to another address, which is not followed.'],
  ])('%i', async (status, seconds, cause) => {
    const { lines, log } = told();
    const market = createMarketData(provider.url, clock, { log });
    const all = () => Promise.allSettled([market.bookTicker('BTCUSDT'), market.candles('BTCUSDT', '1h', 2)]);
    provider.answer = refused(status, '/elsewhere');
    await all();
    expect(provider.asked).toHaveLength(2);
    now += seconds - 1n;
    await all();
    expect(provider.asked).toHaveLength(2);
    now += 1n;
    await expect(market.bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
    expect(provider.asked).toHaveLength(3);
    expect(lines).toEqual([{ event: 'exchange.refused', status, cause, remedy }]);

    // An outage in between is no news; an answer is, and so is a refusal after it.
    for (const [answer, times] of [
      [refused(503), 1],
      [refused(status), 1],
      [json(200, ticker), 1],
      [refused(status), 2],
    ] as const) {
      now += seconds;
      provider.answer = answer;
      await market.bookTicker('BTCUSDT').catch(() => {});
      expect(lines).toHaveLength(times);
    }
  });

  it('follows no redirect, to the same host neither, and takes no price from there', async () => {
    const other = await startProvider();
    other.answer = json(200, ticker);
    try {
      for (const place of [other.url, provider.url]) {
        provider.asked = [];
        provider.answer = (request, response) =>
          request.url === '/elsewhere'
            ? json(200, ticker)(request, response)
            : refused(302, `${place}/elsewhere`)(request, response);
        await expect(createMarketData(provider.url, clock).bookTicker('BTCUSDT')).rejects.toMatchObject(unavailable);
        expect(provider.asked).toHaveLength(1);
      }
      expect(other.asked).toEqual([]);
    } finally {
      other.stop();
    }
  });
});
