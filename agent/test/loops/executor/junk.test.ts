import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import { planRegistryAbi } from '../../../../abis/index.ts';
import { feeds } from '../../../../lab/world/addresses.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { priceUsd8 } from '../../../../lab/world/prices.ts';
import { bob } from '../../../../test/local/accounts.ts';
import { executorTick } from '../../../src/loops/executor/tick.ts';
import { keeperCalls } from '../../../src/sending/calls.ts';
import { withWorld, world } from '../with-world.ts';
import { anyPrice, createPlan, executorDeps, keeperSender, owner } from '../world.ts';

// Plans that cannot run, on the registry's own code: what is recorded of them, and what is only counted.

withWorld('50000000');

const going = new AbortController().signal;
/** One tick of a newly started agent: all that it knows of plans is on chain. */
const tick = async (changes = {}) => (await executorTick(executorDeps(world, changes))(going)).counts;
const reasonsOf = async (id: bigint) => (await executorDeps(world).reader.runs(id, 0, 100)).map(({ reason }) => reason);

const [hour, day] = [3_600n, 86_400n];
async function passUntil(time: bigint): Promise<void> {
  const { chain } = world;
  const { timestamp } = await chain.getBlock();
  await chain.increaseTime({ seconds: Number(time - timestamp) });
  await chain.mine({ blocks: 1 });
  for (const symbol of Object.keys(feeds) as (keyof typeof feeds)[]) {
    await setPrice(chain, bob, symbol, priceUsd8[symbol]);
  }
}
const nextMidnight = async () => {
  const { timestamp } = await world.chain.getBlock();
  return timestamp - (timestamp % day) + day;
};
/** Too large for its pool, whatever its terms. */
const tooLarge = { amountPerRun: parseEther('5000000'), maxSlippageBps: 300 };

test('AG-320: a plan whose slippage is below the fee of its pool is counted and not recorded', async () => {
  // The pool takes 5 bps.
  const below = await createPlan(world, { maxSlippageBps: 4 });
  expect(await tick()).toEqual({ plans: 1, due: 1, 'skipped.term_below_fee': 1 });
  expect(await reasonsOf(below)).toEqual([]);
});

test('AG-320: where anything else stands in its way as well, or it has no price source, it is recorded', async () => {
  const large = await createPlan(world, { ...tooLarge, maxSlippageBps: 4 });
  const atFee = await createPlan(world, { amountPerRun: parseEther('20000'), maxSlippageBps: 5 });
  const unpriced = await createPlan(world, { ...anyPrice, amountPerRun: tooLarge.amountPerRun });
  expect(await tick()).toMatchObject({ due: 3, deferred: 3 });
  const [ofLarge, ofAtFee, ofUnpriced] = await Promise.all([large, atFee, unpriced].map(reasonsOf));
  expect([ofLarge, ofUnpriced]).toEqual([['cost_high'], ['cost_high']]);
  expect(ofAtFee).toHaveLength(1);
});

test('AG-320: after three equal deferrals a plan is deferred once a day, by the chain’s records alone', async () => {
  const midnight = await nextMidnight();
  await passUntil(midnight);
  const startAt = Number(midnight);
  const id = await createPlan(world, { ...tooLarge, startAt, maxRuns: 100, expiresAt: startAt + 10 * Number(day) });
  const slot = async (at: bigint) => {
    await passUntil(midnight + at * hour + 60n);
    return tick();
  };
  for (const at of [0n, 1n, 2n]) expect(await slot(at)).toMatchObject({ deferred: 1 });
  const quiet = { plans: 1, due: 1, 'skipped.deferred_today': 1 };
  for (const at of [3n, 23n]) expect(await slot(at)).toEqual(quiet);
  expect(await slot(24n)).toMatchObject({ deferred: 1 });
  for (const at of [25n, 47n]) expect(await slot(at)).toEqual(quiet);
  expect(await reasonsOf(id)).toEqual(Array(4).fill('cost_high'));
  // Edited terms count as another plan: the owner may have removed the obstacle.
  const registry = { address: world.book.own.planRegistry, abi: planRegistryAbi } as const;
  const { terms } = await world.chain.readContract({ ...registry, functionName: 'plan', args: [id] });
  const edited = { ...terms, amountPerRun: terms.amountPerRun + 1n };
  await world.chain.send(owner, registry.address, { ...registry, functionName: 'edit', args: [id, 1n, 0n, edited] });
  expect(await tick()).toMatchObject({ deferred: 1 });
});

test('AG-320: another reason is recorded at once', async () => {
  const midnight = await nextMidnight();
  await passUntil(midnight);
  const startAt = Number(midnight);
  const id = await createPlan(world, { ...tooLarge, startAt, maxRuns: 100, expiresAt: startAt + 10 * Number(day) });
  for (const at of [0n, 1n, 2n]) {
    await passUntil(midnight + at * hour + 60n);
    expect(await tick()).toMatchObject({ deferred: 1 });
  }
  await passUntil(midnight + 3n * hour + 60n);
  // The oracle says that bitcoin is worth less than half of what the pool asks for it.
  await setPrice(world.chain, bob, 'BTCB', (priceUsd8.BTCB * 40n) / 100n);
  expect(await tick()).toMatchObject({ deferred: 1 });
  const [first, , third, last] = await reasonsOf(id);
  expect([first, third]).toEqual(['cost_high', 'cost_high']);
  expect(last).not.toBe('cost_high');
});

test('AG-18: deferrals stop at a tenth of the day’s gas, and runs go on', async () => {
  const bounds = { maxGasPriceWei: 5_000_000_000n, rescueMaxGasPriceWei: 20_000_000_000n };
  const price = await world.chain.getGasPrice();
  // A tenth covers two deferrals at their maximum, 250,000 gas, but each costs about 80,000: a run needs its maximum.
  const policy = {
    chainId: await world.chain.getChainId(),
    calls: keeperCalls(world.book.own, { ...bounds, maxDayWei: 10n * 500_000n * price }),
  };
  for (let made = 0; made < 8; made += 1) await createPlan(world, tooLarge);
  const deps = executorDeps(world, { sender: keeperSender(world, { policy }) });
  const next = executorTick(deps);
  const { counts } = await next(going);
  expect(counts.deferred).toBeGreaterThanOrEqual(2);
  expect(counts.deferred).toBeLessThan(8);
  expect(counts['not_allowed.deferral_gas_day']).toBe(1);
  expect((counts.deferred ?? 0) + (counts['skipped.deferral_gas_day'] ?? 0)).toBe(8);
  // No further deferral is tried, and runs are not held up.
  await createPlan(world);
  expect((await next(going)).counts).toMatchObject({ executed: 1 });
});

test('AG-320: a slot that begins ends the deferrals of the round but for one', async () => {
  for (let made = 0; made < 3; made += 1) await createPlan(world, tooLarge);
  const { timestamp } = await world.chain.getBlock();
  await createPlan(world, { startAt: Number(timestamp) + 20, expiresAt: Number(timestamp) + Number(day) });
  const { sources } = executorDeps(world);
  let late = 0n;
  const real = keeperSender(world);
  const sender: typeof real = {
    ...real,
    async send(call) {
      // Each takes long, but less than half a minute.
      late += 12n;
      return real.send(call);
    },
  };
  const clock = () => sources.clock() + late;
  const round = await executorTick(executorDeps(world, { sender, sources: { ...sources, clock } }))(going);
  expect(round).toMatchObject({ counts: { due: 3, deferred: 2, 'skipped.deferral_waits': 1 }, nextInSeconds: 15 });
});
