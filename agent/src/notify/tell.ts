// What a notice says, and whether there is one to send. Pure.

import { wrongsOf } from '@bowline/core/audit/irregularities';
import { areFundsEnding, type Funded } from '@bowline/core/domain/funded-runs';
import { fundingOf, guardKey } from '@bowline/core/domain/guard-key';
import { moneyLackOf } from '@bowline/core/domain/guard-lacks';
import type { Covered } from '@bowline/core/domain/guard-shares';
import type { BarePlan, Funds, Guard, Rescue, Run, Sale } from '@bowline/core/domain/permissions';
import { skippedInARow } from '@bowline/core/domain/skips';
import { formatUnits } from '@bowline/core/domain/units';
import type { Notice } from './deliveries.ts';

export type NoticeData = Readonly<Record<string, unknown>>;

/** A lack of funds. `degree`: how much is left; a lower one causes another notice. */
export interface Trouble {
  readonly type: 'funds_ending' | 'guard_cannot_pay';
  readonly degree: bigint;
  readonly data: NoticeData;
}

/** A rescue that broke its guard's terms, by its own record; undefined for any other. @param number from 0 on. */
export function wrongRescue(
  guard: Guard,
  number: number,
  rescue: Rescue & { readonly time: bigint },
): Notice | undefined {
  const irregularities = wrongsOf(rescue, guard);
  if (irregularities.length === 0) return undefined;
  const data = { ...rescueData(guard, rescue), number, irregularities };
  return { id: `rescue_irregular:${guardKey(guard)}:${number}`, type: 'rescue_irregular', data };
}

export function rescueData(guard: Guard, rescue: Rescue | undefined): NoticeData {
  return {
    guard: String(guardKey(guard)),
    funding: fundingOf(guard),
    borrower: guard.borrower,
    funder: guard.funder,
    repay_token: guard.repayToken,
    ...(rescue && {
      repaid: String(rescue.repaid),
      outcome: rescue.outcome,
      health_before: formatUnits(rescue.healthBeforeWad, 18),
      health_after: rescue.healthAfterWad === undefined ? null : formatUnits(rescue.healthAfterWad, 18),
      ...(guard.sale && rescue.sold !== undefined && soldData(guard.sale, rescue.sold, rescue.isCutShort)),
    }),
  };
}

const soldData = ({ collateralToken }: Sale, sold: bigint, isCutShort = false): NoticeData => ({
  sold: String(sold),
  sold_token: collateralToken,
  cut_short: isCutShort,
});

/** Deferrals in a row, up to a plan's newest record. */
export interface Streak {
  /** Record of the first one. */
  readonly first: number;
  readonly notice: Notice;
}

const isRun = ({ outcome }: Run): boolean => outcome === 'executed';

/**
 * The deferrals after a plan's last run, if its owner is to be told. The notice has the same id until a run ends them.
 * @param records the plan's newest, oldest first.
 * @param now the chain's time, unix seconds.
 * @param known where its deferrals began, from an earlier call: all of `records` may be later.
 */
export function streakOf(plan: BarePlan, records: readonly Run[], now: bigint, known?: number): Streak | undefined {
  if (skippedInARow(plan, records, isRun, now) === undefined) return undefined;
  const { id, owner } = plan;
  const lastRun = records.findLastIndex(isRun);
  const deferred = records.slice(lastRun + 1);
  const [oldest, newest] = [deferred[0], deferred.at(-1)];
  if (oldest === undefined || newest === undefined) return undefined;
  const first = lastRun < 0 && known !== undefined ? Math.min(known, oldest.record) : oldest.record;
  const data = {
    plan: String(id),
    owner,
    deferrals: newest.record - first + 1,
    first_record: first,
    reasons: deferred.map(({ reason, reasonCode }) => reason ?? String(reasonCode)),
  };
  return { first, notice: { id: `deferral_streak:${id}:${first}`, type: 'deferral_streak', data } };
}

const smaller = ({ balance, allowance }: Funds) =>
  allowance < balance
    ? ({ amount: allowance, limitedBy: 'allowance' } as const)
    : ({ amount: balance, limitedBy: 'balance' } as const);

/**
 * A plan whose owner can pay for fewer than three more of its runs, and for fewer than it has left.
 * @param held of the token it pays, which the owner's other plans take from too.
 */
export function planTrouble(plan: BarePlan, funded: Funded, held: Funds): Trouble | undefined {
  if (!areFundsEnding(funded)) return undefined;
  return {
    type: 'funds_ending',
    degree: BigInt(funded.runs),
    data: {
      plan: String(plan.id),
      owner: plan.owner,
      token: plan.tokenIn,
      amount_per_run: String(plan.amountPerRun),
      balance: String(held.balance),
      allowance: String(held.allowance),
      limited_by: smaller(held).limitedBy,
      runs_left: funded.runs,
    },
  };
}

/**
 * A guard that the protocol or its price source refuses now; or whose funder cannot pay a rescue's minimum, so the
 * contract refuses any; or cannot pay the loan's next rescue, alone or together with the funder's other guards.
 */
export function guardTrouble(
  guard: Guard,
  { guard: funded, loan, coverage }: Covered,
  now: bigint,
): Trouble | undefined {
  const held = funded.means;
  if (held === undefined) return undefined;
  const { amount, limitedBy } = smaller(held);
  const refusal = held.sale?.refusal;
  const cannotPay = amount < guard.minRepay || refusal !== undefined;
  // A loan has Chainlink's health only where the guard names that source.
  const lack = moneyLackOf(funded, loan, now, true);
  const shares = coverage.state === 'unable' ? undefined : coverage.shares;
  if (!cannotPay && lack === undefined && shares === undefined) return undefined;
  const needed = shares?.needed ?? lack?.needed;
  return {
    type: cannotPay ? 'guard_cannot_pay' : 'funds_ending',
    degree: cannotPay ? 0n : 1n,
    data: {
      guard: String(guardKey(guard)),
      funding: fundingOf(guard),
      borrower: guard.borrower,
      funder: guard.funder,
      token: guard.repayToken,
      min_repay: String(guard.minRepay),
      cap_per_rescue: String(guard.capPerRescue),
      balance: String(held.balance),
      allowance: String(held.allowance),
      limited_by: limitedBy,
      ...(needed !== undefined && { needed: String(needed) }),
      ...(shares && { shared_with: shares.with.map(String) }),
      ...(cannotPay && { reason: refusal ?? `${limitedBy}_too_low` }),
    },
  };
}
