import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@bowline/core/domain/time';
import { pythSignersOf } from '@bowline/core/registry/pyth';
import { createMarketData } from '@bowline/exchange/exchange';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUpdate } from '../../../lab/world/market/guardians.ts';
import { createPyth } from '../../src/sources/pyth.ts';

// GD-5

const NOW = 1_800_000_000n;
const id = 'e6'.repeat(32);

let server: Server;
let url: string;
let asked: number;
let now: bigint;
let status: number;
let headers: Record<string, string>;
/** What the answers wait for. */
let arrived: Promise<void> | undefined;
const price = { id, price: 1n, conf: 0n, expo: 0, publishTime: 1 };
const body = JSON.stringify({
  ...{ symbol: 'BTCUSDT', bidPrice: '1', askPrice: '1' },
  binary: { data: [await signUpdate([price])] },
});
beforeAll(async () => {
  server = createServer(async (_, response) => {
    asked += 1;
    const [as, by] = [status, headers];
    await arrived;
    response.writeHead(as, by).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [asked, now, status, headers, arrived] = [0, NOW, 200, {}, undefined];
});

const exchange = (clock: Clock) => {
  const market = createMarketData(url, clock);
  return () => market.bookTicker('BTCUSDT');
};
const pyth = (clock: Clock) => {
  const prices = createPyth(url, clock, { signers: pythSignersOf(31_337) });
  return () => prices.price(`0x${id}`);
};

const outcome = (question: Promise<unknown>) =>
  question.then(
    () => 'answered',
    ({ code, retryable }) => `${code} ${retryable}`,
  );

describe.each([
  ['the exchange', exchange],
  ['Pyth', pyth],
])('%s', (_, connect) => {
  const date = (seconds: bigint) => new Date(Number(seconds) * 1000).toUTCString();

  it.each([
    [429, undefined, 60n],
    [418, undefined, 300n],
    [429, '7', 7n],
    [418, '7', 7n],
    [429, '3600', 3_600n],
    [418, '259200', 3_600n],
    [429, '999999999999999999999999', 60n],
    [429, date(NOW + 20n), 20n],
    [429, date(NOW + 86_400n), 3_600n],
    [429, date(NOW - 20n), 60n],
    [429, '0', 60n],
    [429, '-5', 60n],
    [418, 'soon', 300n],
    [429, '', 60n],
  ])('after %i with retry-after %s is not asked for %i s, and then again', async (told, retryAfter, seconds) => {
    const ask = connect(() => now);
    [status, headers] = [told, retryAfter === undefined ? {} : { 'retry-after': retryAfter }];
    expect(await outcome(ask())).toBe('market_unavailable true');
    status = 200;
    for (now of [NOW, NOW + 1n, NOW + seconds - 1n]) expect(await outcome(ask())).toBe('market_unavailable true');
    expect(asked).toBe(1);
    now = NOW + seconds;
    expect(await outcome(ask())).toBe('answered');
    expect(asked).toBe(2);
  });

  it('is asked again at once after any other failure', async () => {
    const ask = connect(() => now);
    for (status of [400, 404, 500, 502, 503]) {
      headers = { 'retry-after': '60' };
      expect(await outcome(ask())).toBe('market_unavailable true');
    }
    expect(asked).toBe(5);
  });

  it('of several answers under way together holds to the longest wait', async () => {
    const ask = connect(() => now);
    const gate = Promise.withResolvers<void>();
    arrived = gate.promise;
    const questions: Promise<string>[] = [];
    for (const [count, [as, wait]] of [
      [429, '100'],
      [429, '10'],
      [200, '0'],
    ].entries()) {
      [status, headers] = [Number(as), { 'retry-after': String(wait) }];
      questions.push(outcome(ask()));
      while (asked <= count) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    gate.resolve();
    expect(await Promise.all(questions)).toEqual(['market_unavailable true', 'market_unavailable true', 'answered']);
    [status, arrived, now] = [200, undefined, NOW + 99n];
    expect(await outcome(ask())).toBe('market_unavailable true');
    now = NOW + 100n;
    expect(await outcome(ask())).toBe('answered');
  });

  it('is asked again when the clock is put back by more than any wait', async () => {
    const ask = connect(() => now);
    status = 429;
    await outcome(ask());
    [status, now] = [200, NOW - 86_400n];
    expect(await outcome(ask())).toBe('answered');
  });
});
