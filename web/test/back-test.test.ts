import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Candle } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { formatUnits, isAddress, parseUnits } from 'viem';
import { expect, it, onTestFinished, test } from 'vitest';
import { localChainId } from '../../lab/world/fork.ts';
import { backTest } from '../app/plans/back-test.ts';
import { createWebApp, type WebApp } from '../server/app.ts';
import { createYears } from '../server/year.ts';

// A plan over the past year, and where its prices come from.

const DAY = 86_400;
const start = 1_764_000_000 - (1_764_000_000 % DAY);
const asset = (symbol: string, decimals: number, type: 'crypto' | 'stable') =>
  ({ symbol, name: symbol, decimals, class: type, address: `0x${'1'.repeat(40)}`, quote: 'USDT' }) as never;
const usdt = asset('USDT', 18, 'stable');
const wbnb = asset('WBNB', 18, 'crypto');
const btcb = asset('BTCB', 8, 'crypto');
const terms = { pay: usdt, buy: btcb, amountPerRun: parseUnits('25', 18), periodSeconds: 7n * 86_400n };
const closes = (usd: (at: number) => number, days = 365): [number, string][] =>
  Array.from({ length: days }, (_, at) => [start + at * DAY, usd(at).toFixed(2)]);

/** Slot by slot, in floating point. */
function bySlots(periodSeconds: number, usd: (at: number) => number, days: number, limit = Number.POSITIVE_INFINITY) {
  let [buys, skipped, received] = [0, 0, 0];
  for (let slot = 0; slot < days * DAY; slot += periodSeconds) {
    const price = Number(usd(Math.floor(slot / DAY)).toFixed(2));
    if (price > limit) skipped += 1;
    else [buys, received] = [buys + 1, received + 25 / price];
  }
  return { buys, skipped, received };
}

test.each([
  [3_600, 365],
  [86_400, 365],
  [7 * 86_400, 365],
  [30 * 86_400, 365],
  [100_000, 364],
  [5_000, 31],
])('a plan every %i seconds buys what its slots of %i days would have bought', (periodSeconds, days) => {
  const usd = (at: number) => 90_000 + 20_000 * Math.sin(at / 20);
  const limitPrice = parseUnits('100000', 18);
  const told = backTest({ ...terms, periodSeconds: BigInt(periodSeconds), limitPrice }, closes(usd, days), []);
  const expected = bySlots(periodSeconds, usd, days, 100_000);
  expect([told?.buys, told?.aboveLimit]).toEqual([BigInt(expected.buys), BigInt(expected.skipped)]);
  expect(Number(formatUnits(told?.received ?? 0n, 8))).toBeCloseTo(expected.received, 5);
  expect(Number(formatUnits(told?.average ?? 0n, 18))).toBeCloseTo((25 * expected.buys) / expected.received, -2);
});

test('its deepest loss is told, and none where there was none', () => {
  const falling = backTest(
    { ...terms, limitPrice: undefined },
    closes((at) => 100_000 - 100 * at),
    [],
  );
  const lossAt = (day: number) => {
    const { buys, received } = bySlots(7 * DAY, (at) => 100_000 - 100 * at, day + 1);
    return 1 - (received * (100_000 - 100 * day)) / (25 * buys);
  };
  const worst = Math.max(...Array.from({ length: 365 }, (_, day) => lossAt(day)));
  expect(Number(falling?.worstBps) / 10_000).toBeCloseTo(worst, 3);
  expect(falling?.last).toBe(parseUnits('63600', 18));
  expect(
    backTest(
      { ...terms, limitPrice: undefined },
      closes((at) => 50_000 + at),
      [],
    )?.worstBps,
  ).toBe(0n);
});

test('another coin is counted at its own closes, and days with one price alone are left out', () => {
  const paidIn = closes(() => 500).filter(([day]) => day !== start + 7 * DAY);
  const told = backTest(
    { ...terms, pay: wbnb, limitPrice: undefined },
    closes(() => 100_000),
    paidIn,
  );
  expect(told).toMatchObject({ buys: 52n, market: parseUnits('200', 18), average: parseUnits('200', 18) });
});

test('prices of less than a month are no past year, and a limit may have kept it from buying at all', () => {
  expect(
    backTest(
      { ...terms, limitPrice: undefined },
      closes(() => 1, 29),
      [],
    ),
  ).toBeUndefined();
  expect(backTest({ ...terms, limitPrice: undefined }, [], [])).toBeUndefined();
  const never = backTest(
    { ...terms, limitPrice: 1n },
    closes(() => 90_000),
    [],
  );
  expect(never).toMatchObject({ buys: 0n, aboveLimit: 53n, received: 0n, average: undefined, worstBps: 0n });
});

const candle = (openedAt: number): Candle => {
  const closeWad = 90_000n * 10n ** 18n;
  return {
    openedAt: BigInt(openedAt),
    openWad: closeWad,
    highWad: closeWad,
    lowWad: closeWad,
    closeWad,
    volumeWad: 1n,
  };
};
const assets = readAssetRegistry(localChainId, isAddress);

it('one question to the exchange serves all who ask for ten minutes; a failure serves nobody', async () => {
  let [now, isDown] = [0, true];
  const asked: unknown[] = [];
  const candles = async (...question: unknown[]) => {
    asked.push(question);
    if (isDown) throw new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true });
    return { candles: [candle(start)], answeredAt: 0n };
  };
  const yearOf = createYears(assets, { candles }, () => now);
  await expect(yearOf('BTCB')).rejects.toThrow('The exchange does not answer.');
  isDown = false;
  expect(await yearOf('BTCB')).toEqual({ symbol: 'BTCB', closes: [[start, '90000']] });
  await Promise.all(Array.from({ length: 100 }, () => yearOf('BTCB')));
  expect(asked).toEqual([
    ['BTCUSDT', '1d', 365],
    ['BTCUSDT', '1d', 365],
  ]);
  now = 600_000;
  await yearOf('BTCB');
  expect(asked).toHaveLength(3);
  expect(await yearOf('DOGE')).toBeUndefined();
  expect(await createYears(assets, undefined, () => 0)('BTCB')).toEqual({ symbol: 'BTCB', closes: [] });
});

it('a year with holes is none', async () => {
  const answers = [{ broken: 3 }, {}];
  const candles = async () => ({ candles: [candle(start)], answeredAt: 0n, ...answers.shift() });
  const yearOf = createYears(assets, { candles }, () => 0);
  await expect(yearOf('BTCB')).rejects.toMatchObject({ code: 'market_unavailable' });
  // Nor is it kept.
  expect(await yearOf('BTCB')).toEqual({ symbol: 'BTCB', closes: [[start, '90000']] });
});

it('an unlisted asset and a silent exchange have their names', async () => {
  const yearOf = async (symbol: string) => {
    if (symbol === 'NONE') return undefined;
    throw new BowlineError('market_unavailable', 'The exchange does not answer.', { retryable: true });
  };
  const app = createWebApp({
    ...{ yearOf, page: { rpcUrl: 'http://127.0.0.1:9' }, allowedHosts: ['127.0.0.1'], agent: {}, files: '.' },
    ...{ trustedProxies: 0, assets: [], nowMs: () => 0, report: () => {} },
  } as unknown as WebApp);
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const told = async (symbol: string) => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/quote/${symbol}`);
    const { code } = (await response.json()) as { code: string };
    return [response.status, code];
  };
  expect(await told('NONE')).toEqual([404, 'unknown_asset']);
  expect(await told('BTCB')).toEqual([503, 'market_unavailable']);
});
