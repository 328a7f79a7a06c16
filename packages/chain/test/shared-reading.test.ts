import type { Guard } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { type Address, zeroHash } from 'viem';
import { describe, expect, test } from 'vitest';
import { guard as terms } from '../../../agent/test/loops/loan-guard/guard.ts';
import { createRandom } from '../../../agent/test/sim/random.ts';
import { createHealthReader } from '../health-reader.ts';
import type { LendingLens } from '../lending/lens.ts';
import { createVenusLens } from '../lending/venus-lens.ts';
import { WatchedAccounts } from '../lending/watched-accounts.ts';
import { modelledVenus } from './modelled-venus.ts';

// What a worker reads of thousands of loans when other workers take a part of them in turn.

const adapter: Address = `0x${'ad'.repeat(20)}`;
const random = createRandom(5);
const usd = (amount: number): bigint => BigInt(Math.floor(amount * 1e6)) * 10n ** 12n;

/** A reader that has read `count` loans once. `reads`: how often each account was read since then. */
async function watching(count: number) {
  const venus = modelledVenus(
    Array.from({ length: count }, () => usd(400 + 320 * random.unit())),
    async () => {},
  );
  const guards: Guard[] = venus.debts.map((_, at) => ({
    ...terms,
    ...{ id: BigInt(at + 1), adapter, market: zeroHash, borrower: venus.accountAt(at) },
  }));
  const lens = createVenusLens(venus.client, adapter);
  const reads = new Map<Address, number>();
  const read: typeof lens.read = (accounts) => {
    for (const { borrower } of accounts) reads.set(borrower, (reads.get(borrower) ?? 0) + 1);
    return lens.read(accounts);
  };
  const reader = createHealthReader(venus.client, new Map([[adapter, { ...lens, read }]]));
  await reader.healths(guards);
  reads.clear();
  return { venus, guards, reader, reads };
}
const any = () => true;
const none = () => false;
/** Two of every three loans. */
const ours = ({ id }: Guard): boolean => id % 3n !== 0n;

test('up to 400 loans, which are one request, are read whoever’s they are', async () => {
  const { guards, reader, reads } = await watching(400);
  await reader.watch(guards, any, none);
  expect(reads.size).toBe(400);
});

test('of more, only ours are read in turn, each once in ten blocks', async () => {
  const { guards, reader, reads, venus } = await watching(5_000);
  // Nobody is near the trigger.
  venus.debts.fill(usd(400));
  await reader.healths(guards);
  reads.clear();
  for (let block = 0; block < 10; block += 1) await reader.watch(guards, any, ours);
  expect([...reads.values()]).toEqual(guards.filter(ours).map(() => 1));
  expect(guards.filter(ours).every(({ borrower }) => reads.has(borrower))).toBe(true);
});

test('of so many that ten blocks do not suffice, each of ours is read the sooner, the fewer they are', () => {
  const guards: Guard[] = Array.from({ length: 48_000 }, (_, at) => ({ ...terms, id: BigInt(at), market: `0x${at}` }));
  const accounts = new WatchedAccounts();
  const known = { values: { debtValue: WAD, weightedCollateralValue: 2n * WAD } };
  for (const account of accounts.watchOnly(guards, () => ({}) as LendingLens)) accounts.note(account, known);
  const blocksFor = (isOurs: (guard: Guard) => boolean): number => {
    const read = new Set<unknown>();
    for (let block = 1; ; block += 1) {
      for (const account of accounts.due(any, isOurs, 2_400).wanted) {
        accounts.note(account, known);
        read.add(account);
      }
      if (read.size === guards.filter(isOurs).length) return block;
    }
  };
  expect(blocksFor(any)).toBe(20);
  expect(blocksFor(({ id }) => id % 2n === 0n)).toBe(10);
});

describe('of what others read', () => {
  test('a falling price shows at the same block', async () => {
    const { guards, reader, venus } = await watching(3_000);
    venus.priceWad = (venus.priceWad * 85n) / 100n;
    const { guards: judged, healths } = await reader.watch(guards, any, none);
    const below = new Set(judged.filter((guard, at) => (healths[at] as bigint) < guard.triggerHealthWad));
    const fallen = guards.filter(
      ({ triggerHealthWad }, at) => 800n * venus.priceWad < ((venus.debts[at] ?? 0n) * triggerHealthWad) / WAD,
    );
    expect(fallen.length).toBeGreaterThan(100);
    expect(below).toEqual(new Set(fallen));
  });

  test('a new loan is read, and one that a rescue has changed', async () => {
    const { guards, reader, reads, venus } = await watching(3_000);
    venus.debts.fill(usd(400));
    await reader.healths(guards.slice(1));
    reads.clear();
    reader.changed(guards[7] as Guard);
    await reader.watch(guards, any, none);
    expect([...reads.keys()].toSorted()).toEqual([guards[0]?.borrower, guards[7]?.borrower].toSorted());
  });

  test('what its borrower does shows in the next full reading', async () => {
    const { guards, reader, venus } = await watching(3_000);
    venus.debts[5] = usd(790);
    const judgedBelow = async () => {
      const { guards: judged, healths } = await reader.watch(guards, any, none);
      return judged.some((guard, at) => guard === guards[5] && (healths[at] as bigint) < guard.triggerHealthWad);
    };
    for (let block = 0; block < 10; block += 1) expect(await judgedBelow()).toBe(false);
    await reader.healths(guards);
    expect(await judgedBelow()).toBe(true);
  });
});
