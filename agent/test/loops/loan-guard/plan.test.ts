import { expect, test } from 'vitest';
import type { GuardPolicy } from '../../../src/domain/permissions.ts';
import { WAD } from '../../../src/domain/units.ts';
import { openPolicies, type Previewed, planRescues } from '../../../src/loops/loan-guard/plan.ts';

const now = 1_800_000_000n;
const keeper = '0x00000000000000000000000000000000000000aB';
const policy: GuardPolicy = {
  id: 1n,
  borrower: '0x00000000000000000000000000000000000000b1',
  adapter: '0x00000000000000000000000000000000000000c1',
  market: '0x00000000000000000000000000000000000000d1',
  repayToken: '0x00000000000000000000000000000000000000e1',
  triggerHealthWad: (11n * WAD) / 10n,
  targetHealthWad: (125n * WAD) / 100n,
  capPerRescue: 10n,
  capPerDay: 10n,
  minRepay: 1n,
  cooldownSeconds: 600n,
  expiresAt: now + 1n,
  status: 'active',
  lastRescueAt: 0n,
  day: 0n,
  takenInDay: 0n,
  rescues: 0,
};

test.each<[string, Partial<GuardPolicy>]>([
  ['in the last second before it expires', {}],
  ['when the cooldown is over', { rescues: 1, lastRescueAt: now - 600n }],
  ['when it names this keeper, in any case', { keeper: '0x00000000000000000000000000000000000000AB' }],
])('a policy is open %s', (_, changes) => {
  const each = { ...policy, ...changes };
  expect(openPolicies({ now, keeper, policies: [each] })).toEqual({ open: [each], skipped: [] });
});

test.each<[string, Partial<GuardPolicy>]>([
  ['policy_not_active', { status: 'cancelled', expiresAt: now }],
  ['not_keeper', { keeper: '0x00000000000000000000000000000000000000ac', expiresAt: now }],
  ['policy_expired', { expiresAt: now, rescues: 1, lastRescueAt: now }],
  ['cooling_down', { rescues: 1, lastRescueAt: now - 599n }],
])('a policy is left alone: %s', (skip, changes) => {
  const snapshot = { now, keeper, policies: [{ ...policy, ...changes }] } as const;
  expect(openPolicies(snapshot)).toEqual({ open: [], skipped: [{ policyId: 1n, skip }] });
});

const previewed = (id: bigint, healthWad?: bigint): Previewed => ({
  policy: { ...policy, id },
  preview: { policyId: id, due: true, repay: 1n },
  ...(healthWad === undefined
    ? {}
    : {
        loan: {
          borrower: policy.borrower,
          block: { number: 1n, timestamp: now },
          debtUsdWad: WAD,
          weightedCollateralUsdWad: WAD,
          healthWad,
        },
      }),
});

test('the most endangered loan comes first, and before all one that cannot be read', () => {
  const { rescues } = planRescues([
    previewed(1n, WAD + 2n),
    previewed(2n, WAD - 1n),
    previewed(3n),
    previewed(4n, WAD),
  ]);
  expect(rescues.map(({ id }) => id)).toEqual([3n, 2n, 4n, 1n]);
});

test("a refusal is kept in the guard's own word", () => {
  const refused: Previewed = { policy, preview: { policyId: 1n, due: false, error: 'no_debt' } };
  expect(planRescues([refused])).toEqual({ rescues: [], skipped: [{ policyId: 1n, skip: 'no_debt' }] });
});
