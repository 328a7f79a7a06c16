import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { type Address, type Hex, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import { createRandom } from '../../../agent/test/sim/random.ts';
import { createHealthReader } from '../health-reader.ts';
import { createVenusLens } from '../lending/venus-lens.ts';
import { modelledVenus } from './modelled-venus.ts';

// CH-2: thousands of loans, more than are read at a block, as the price moves and borrowers borrow.

const adapter: Address = `0x${'ad'.repeat(20)}`;
const count = 3_000;
const trigger = (11n * WAD) / 10n;
const random = createRandom(11);
const usd = (amount: number): bigint => BigInt(Math.floor(amount * 1e6)) * 10n ** 12n;

const guardOf = (borrower: Address, at: number): Guard => ({
  id: BigInt(at + 1),
  borrower,
  funder: borrower,
  adapter,
  market: zeroHash,
  repayToken: borrower,
  triggerHealthWad: trigger,
  targetHealthWad: (125n * WAD) / 100n,
  capPerRescue: 1n,
  capPerDay: 1n,
  minRepay: 1n,
  cooldownSeconds: 0n,
  expiresAt: 0n,
  status: 'active',
  lastRescueAt: 0n,
  day: 0n,
  takenInDay: 0n,
  rescues: 0,
});

/** The collateral is weighted at 800 USD at a price of 1. */
const venus = modelledVenus(
  Array.from({ length: count }, () => usd(400 + 320 * random.unit())),
  async () => {},
);
const healthOf = (at: number): bigint => (800n * venus.priceWad * WAD) / WAD / ((venus.debts[at] ?? 0n) / WAD || 1n);
const isFallen = (at: number, triggerWad = trigger): boolean =>
  800n * venus.priceWad < ((venus.debts[at] ?? 0n) * triggerWad) / WAD;

test('whoever falls is judged so at the same block, and few others are judged', async () => {
  const reader = createHealthReader(venus.client, new Map([[adapter, createVenusLens(venus.client, adapter)]]));
  let guards: readonly Guard[] = venus.debts.map((_, at) => guardOf(venus.accountAt(at), at));
  const asleep = new Set<bigint>();
  await reader.healths(guards);
  let [fallen, judgedAtAll] = [0, 0];
  for (let block = 0; block < 60; block++) {
    venus.priceWad = (venus.priceWad * BigInt(9_775 + random.below(400))) / 10_000n;
    // Now and then, all guards are read again and all loans are read in full.
    if (block % 20 === 7) {
      guards = guards.map((guard) => ({ ...guard, triggerHealthWad: trigger + BigInt(random.below(50)) * 10n ** 15n }));
    }
    if (block % 20 === 14) await reader.healths(guards);
    for (let change = 0; change < 50; change++) {
      const at = random.below(count);
      venus.debts[at] = usd(400 + 320 * random.unit());
      reader.changed(guards[at] as Guard);
    }
    asleep.add(BigInt(random.below(count) + 1));

    const judged = await reader.watch(guards, ({ id }) => !asleep.has(id));
    judgedAtAll += judged.guards.length;
    const low = judged.guards.filter((guard, at) => (judged.healths[at] as bigint) < guard.triggerHealthWad);
    const below = new Set(low.map(({ id }) => Number(id) - 1));
    const exact = guards.flatMap(({ id, triggerHealthWad }, at) =>
      isFallen(at, triggerHealthWad) && !asleep.has(id) ? at : [],
    );
    fallen += exact.length;
    for (const at of exact) expect(below.has(at), `${at} of health ${healthOf(at)} in block ${block}`).toBe(true);
  }
  expect(fallen).toBeGreaterThan(1_000);
  expect(judgedAtAll).toBeLessThan((60 * count) / 2 + fallen);
});

test('an answer that is cut short, or claims more than it has, is no answer', async () => {
  const asked = venus.debts.slice(0, 20).map((_, at) => ({ borrower: venus.accountAt(at), market: zeroHash }));
  const request = venus.client.request as (call: unknown) => Promise<Hex>;
  const count = 2 + 64 * 2;
  for (const change of [
    (data: Hex): Hex => `0x${data.slice(2, count)}${'f'.repeat(64)}${data.slice(count + 64)}`,
    (data: Hex): Hex => data.slice(0, -64 * 7) as Hex,
  ]) {
    const client = { request: async (call: unknown) => change(await request(call)) } as unknown as typeof venus.client;
    const read = createVenusLens(client, adapter).read(asked);
    await expect(read).rejects.toMatchObject({ code: 'chain_unavailable' });
  }
});

test('who would fall with a price is who falls with it', async () => {
  const reader = createHealthReader(venus.client, new Map([[adapter, createVenusLens(venus.client, adapter)]]));
  venus.priceWad = WAD;
  const guards = venus.debts.map((_, at) => guardOf(venus.accountAt(at), at));
  await reader.healths(guards);
  expect(reader.falling(0.93).size).toBe(0);
  await reader.watch(guards);
  for (const [factor, bps] of [
    [1, 10_000n],
    [0.93, 9_300n],
    [0.7, 7_000n],
  ] as const) {
    const before = venus.priceWad;
    const told = (reader.falling(factor).get(venus.market) ?? []).map(({ id }) => Number(id) - 1);
    venus.priceWad = (before * bps) / 10_000n;
    expect(told.toSorted((a, b) => a - b)).toEqual(venus.debts.flatMap((_, at) => (isFallen(at) ? at : [])));
    venus.priceWad = before;
  }
  // Nobody's collateral is in the market of the debts.
  expect([...reader.falling(0.5).keys()]).toEqual([venus.market]);
});
