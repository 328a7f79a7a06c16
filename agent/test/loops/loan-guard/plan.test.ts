import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { whyNotProfitable } from '@bowline/core/domain/served';
import { WAD, worthUsdWadDown } from '@bowline/core/domain/units';
import { BTCB, USDT } from '@bowline/core/test/verdict/proposals';
import { expect, test } from 'vitest';
import {
  type Endangered,
  endangeredLoans,
  idleBlocks,
  rescueLists,
  servedGuards,
  whyNotOpen,
} from '../../../src/loops/loan-guard/plan.ts';
import { guard, keeper, now, serving } from './guard.ts';

const rest = { keeper, assets: [BTCB, USDT], serving } as const;

test.each<[string, Partial<Guard>]>([
  ['in the last second before it expires', {}],
  ['when the cooldown is over', { rescues: 1, lastRescueAt: now - 600n }],
  ['within the cooldown of a rescue by its price source', { rescues: 1, lastRescueAt: now, isBySource: true }],
  ['at the highest trigger', { triggerHealthWad: 2n * WAD }],
  ['when it repays another listed token', { repayToken: BTCB.address.toLowerCase() as `0x${string}` }],
  ['when it names this keeper, in any case', { keeper: '0x00000000000000000000000000000000000000AB' }],
])('a guard is open %s', (_, changes) => {
  const each = { ...guard, ...changes };
  expect(servedGuards({ ...rest, guards: [each] })).toEqual({ served: [each], skipped: [] });
  expect(whyNotOpen(each, now)).toBeUndefined();
});

test('AG-371: a guard of another borrower is left alone where one owner alone is served', () => {
  const theirs = { ...guard, id: 2n, borrower: '0x00000000000000000000000000000000000000Ac' } as const;
  const only = { ...rest, serving: { ...serving, owner: guard.borrower } };
  expect(servedGuards({ ...only, guards: [guard, theirs] })).toEqual({
    served: [guard],
    skipped: [{ guardId: 2n, skip: 'not_served_owner' }],
  });
});

test.each<[string, Partial<Guard>]>([
  ['guard_not_active', { status: 'cancelled', expiresAt: now }],
  ['not_keeper', { keeper: '0x00000000000000000000000000000000000000ac', expiresAt: now }],
  ['guard_expired', { expiresAt: now, rescues: 1, lastRescueAt: now }],
  ['cooling_down', { rescues: 1, lastRescueAt: now - 599n }],
  ['not_served_token', { repayToken: '0x00000000000000000000000000000000000000e1' }],
  ['not_served_trigger', { triggerHealthWad: 2n * WAD + 1n }],
])('a guard is left alone: %s', (skip, changes) => {
  const each = { ...guard, ...changes };
  const { served, skipped } = servedGuards({ ...rest, guards: [each] });
  const why = whyNotOpen(each, now);
  expect(served.length > 0 ? why : skipped[0]?.skip).toBe(skip);
});

const inDanger = (id: bigint, healthWad?: bigint, changes: Partial<Guard> = {}): Endangered => ({
  guard: { ...guard, id, ...changes },
  ...(healthWad !== undefined && { healthWad }),
});
const idsOf = (lists: readonly (readonly Endangered[])[]) => lists.map((list) => list.map((each) => each.guard.id));

test('endangered are the loans below their trigger, and those that only the guard can tell of', () => {
  const { triggerHealthWad: trigger } = guard;
  const guards = [1n, 2n, 3n, 4n, 5n, 6n].map((id) => ({ ...guard, id }));
  const healths = [trigger, trigger - 1n, 'no_debt', 'unreadable', 0n, 'unread'] as const;
  const { endangered, skipped, unread } = endangeredLoans(guards, healths);
  expect(unread).toBe(1);
  expect(endangered).toEqual([
    { guard: guards[1], healthWad: trigger - 1n },
    { guard: guards[3] },
    { guard: guards[4], healthWad: 0n },
  ]);
  expect(skipped).toEqual([
    { guardId: 1n, skip: 'health_not_below_trigger' },
    { guardId: 3n, skip: 'no_debt' },
  ]);
});

test('the most endangered loan comes first, and loans that nobody can read come last', () => {
  const loans = [inDanger(1n, WAD + 2n), inDanger(2n, WAD - 1n), inDanger(3n), inDanger(4n, WAD)];
  expect(idsOf(rescueLists(loans, 3))).toEqual([[2n, 4n, 1n], [3n]]);
});

test('a crowd of guards that the contract refused stands behind the loans that it rescues', () => {
  const crowd = Array.from({ length: 100 }, (_, at) => inDanger(BigInt(at + 1), 1n));
  // The longest untried first.
  const refused = crowd.map(({ guard: { id } }) => id).toReversed();
  const lists = idsOf(rescueLists([...crowd, inDanger(200n, WAD), inDanger(201n)], 7, refused));
  expect(lists.slice(0, 2)).toEqual([
    [200n, 201n],
    [100n, 99n, 98n, 97n, 96n, 95n, 94n],
  ]);
  expect(lists).toHaveLength(1 + 8);
});

test('what only this keeper may rescue stands in lists of its own', () => {
  const loans = [inDanger(1n, 1n), inDanger(2n, 2n, { keeper }), inDanger(3n, 3n), inDanger(4n, 4n, { keeper })];
  expect(idsOf(rescueLists(loans, 7))).toEqual([
    [1n, 3n],
    [2n, 4n],
  ]);
});

test('a repayment of less than the least value is left alone, and one without a price is not', () => {
  expect(whyNotProfitable(5n * WAD, serving)).toBeUndefined();
  expect(whyNotProfitable(5n * WAD - 1n, serving)).toBe('not_served_repay');
  expect(whyNotProfitable(undefined, serving)).toBeUndefined();
});

test.each([
  [6, 1_500_000n, (15n * WAD) / 10n],
  [18, 1n, 0n],
])('a repayment is worth no more than it is, at %i decimals', (decimals, repay, usdWad) => {
  const price = decimals === 6 ? WAD : WAD - 1n;
  expect(worthUsdWadDown(repay, price, decimals)).toBe(usdWad);
});

test.each<readonly [blocks: number, healths: readonly Health[]]>([
  [10, []],
  [10, ['no_debt', 2n * WAD]],
  // A trigger of 1.1.
  [10, [WAD * 2n, (11n * WAD) / 9n + 1n]],
  [9, [WAD * 2n, (11n * WAD) / 9n]],
  [4, [WAD * 2n, (11n * WAD * 100n) / 955n]],
  [1, [(11n * WAD * 10n) / 99n + 1n]],
  [0, [(11n * WAD * 10n) / 99n]],
  [0, [2n * WAD, (11n * WAD) / 10n - 1n]],
  [0, [2n * WAD, 'unread']],
  [0, [2n * WAD, 'unreadable']],
])('%i blocks need no look at loans that have %o', (blocks, healths) => {
  const guards = healths.map((_, at) => ({ ...guard, id: BigInt(at + 1), triggerHealthWad: (11n * WAD) / 10n }));
  expect(idleBlocks(guards, healths, true)).toBe(blocks);
});

// AG-86
test('no block is left out where a guard names its own source and its loan has debt', () => {
  const bySource = { ...guard, priceSource: keeper } as const;
  expect(idleBlocks([guard, bySource], [2n * WAD, 2n * WAD], true)).toBe(0);
  expect(idleBlocks([guard, bySource], [2n * WAD, 'no_debt'], true)).toBe(10);
  // Rounds in place of looks for blocks leave out none.
  expect(idleBlocks([guard, bySource], [2n * WAD, 2n * WAD], false)).toBe(10);
});
