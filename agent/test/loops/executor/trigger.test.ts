import { connectChain } from '@bowline/chain/chain-client';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { BowlineError } from '@bowline/core/domain/result';
import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { priceUsd8 } from '../../../../lab/world/prices.ts';
import { bob } from '../../../../test/local/accounts.ts';
import { executorTick } from '../../../src/loops/executor/tick.ts';
import { withWorld, world } from '../with-world.ts';
import { createPlan, executorDeps } from '../world.ts';

// AG-342: plans that wait for a price.

const going = new AbortController().signal;
withWorld('10000');

const recordsOf = async (id: bigint) => {
  const reader = createPlanReader(connectChain(world.url), world.book.own, world.book.assets);
  return (await reader.runs(id, 0, 9)).map(({ outcome }) => outcome);
};
/** The price of BTCB, in USDT. */
const market = priceUsd8.BTCB * 10n ** 10n;

test.each(['chainlinkPriceSource', 'venusPriceSource'] as const)('by %s', async (source) => {
  const priceSource = world.book.own[source];
  const above = await createPlan(world, { priceSource, triggerPriceWad: (market * 11n) / 10n });
  const below = await createPlan(world, { priceSource, triggerPriceWad: (market * 9n) / 10n });
  const next = executorTick(executorDeps(world));

  const { counts, nextInSeconds } = await next(going);
  expect(counts).toEqual({ plans: 2, due: 2, 'skipped.trigger_not_reached': 1, executed: 1 });
  expect(nextInSeconds).toBeLessThanOrEqual(60);
  expect(await recordsOf(below)).toEqual(['executed']);
  // No verdict, no deferral.
  expect(await recordsOf(above)).toEqual([]);
});

test.each([
  ['without a price', async () => undefined],
  ['that cannot be read', async () => Promise.reject(new BowlineError('chain_unavailable', 'no'))],
])('a source %s holds up no other plan, and its own goes on to the verdict', async (_, sourcePriceWad) => {
  const waiting = await createPlan(world, { triggerPriceWad: market * 2n });
  const plain = await createPlan(world);
  const { counts } = await executorTick({ ...executorDeps(world), sourcePrices: { sourcePriceWad } })(going);
  // The simulation finds that the registry refuses it.
  expect(counts).toMatchObject({ due: 2, executed: 1, 'would_revert.trigger_not_reached': 1 });
  expect([await recordsOf(plain), await recordsOf(waiting)]).toEqual([['executed'], []]);
});

test('runs once the source has reached the trigger', async () => {
  const id = await createPlan(world, { triggerPriceWad: market + parseEther('1') });
  const next = executorTick(executorDeps(world));
  expect((await next(going)).counts).toEqual({ plans: 1, due: 1, 'skipped.trigger_not_reached': 1 });
  await setPrice(world.chain, bob, 'BTCB', priceUsd8.BTCB + 10n ** 8n);
  expect((await next(going)).counts).toMatchObject({ due: 1, executed: 1 });
  expect(await recordsOf(id)).toEqual(['executed']);
});

test('a limit price that is not reached costs no verdict far away, and no record near it', async () => {
  const far = await createPlan(world, { limitPriceWad: (market * 98n) / 100n });
  // The pool's fee alone is more than that.
  const near = await createPlan(world, { limitPriceWad: (market * 9_999n) / 10_000n });
  const reached = await createPlan(world, { limitPriceWad: (market * 101n) / 100n });
  const deps = executorDeps(world);
  const judged: bigint[] = [];
  const facts: typeof deps.sources.chain.facts = (asset, quote, side, size) => {
    judged.push((size as { paid: bigint }).paid);
    return deps.sources.chain.facts(asset, quote, side, size);
  };
  const sources = { ...deps.sources, chain: { ...deps.sources.chain, facts } };
  const { counts, nextInSeconds } = await executorTick({ ...deps, sources })(going);
  expect(counts).toEqual({ plans: 3, due: 3, 'skipped.limit_not_reached': 2, executed: 1 });
  expect(nextInSeconds).toBeLessThanOrEqual(60);
  expect(judged).toHaveLength(2);
  expect(await Promise.all([far, near, reached].map(recordsOf))).toEqual([[], [], ['executed']]);
});
