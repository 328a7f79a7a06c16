import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Candle } from '@bowline/core/domain/facts';
import { BowlineError } from '@bowline/core/domain/result';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { expect, it, onTestFinished } from 'vitest';
import { localChainId } from '../../lab/world/fork.ts';
import { createWebApp, type WebApp } from '../server/app.ts';
import { createYears } from '../server/quote.ts';

// Where a chart's daily closes come from.

const DAY = 86_400;
const start = 1_764_000_000 - (1_764_000_000 % DAY);
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
  // It is not cached either.
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
