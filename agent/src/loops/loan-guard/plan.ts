// Decides which loans are rescued, in which order, and why the others are skipped. Pure.

import type { Asset } from '@bowline/core/domain/assets';
import type { Guard, RescuePreview } from '@bowline/core/domain/permissions';
import type { Health } from '@bowline/core/domain/ports';
import { type Address, mulDivDown } from '@bowline/core/domain/units';

/** What the keeper pays gas for. The contract accepts guards that would drain the keeper's account a wei at a time. */
export interface GuardServingPolicy {
  /** A loan above this health is in no danger, whatever trigger its borrower chose. */
  readonly maxTriggerHealthWad: bigint;
  readonly minimumCooldownSeconds: bigint;
  /** Minimum value of one rescue. */
  readonly minimumRepayUsdWad: bigint;
}

/** Per tick, so that many guards do not block it for long. */
const maxRescues = 20;

/**
 * Why a guard is skipped: the contract's error name where it has one; reasons that only a simulation shows have their
 * own.
 */
export interface SkippedGuard {
  readonly guardId: bigint;
  readonly skip: string;
}

export interface GuardsSnapshot {
  /** Block time, unix seconds. */
  readonly now: bigint;
  readonly guards: readonly Guard[];
  /** The account that would call. */
  readonly keeper: Address;
  /** Assets whose repayment has a price. */
  readonly assets: readonly Asset[];
  readonly serving: GuardServingPolicy;
}

/**
 * The guards whose loans are worth reading: first the contract's own checks that need no loan data, in its order, then
 * the keeper's.
 */
export function openGuards(snapshot: GuardsSnapshot): { open: Guard[]; skipped: SkippedGuard[] } {
  const open: Guard[] = [];
  const skipped: SkippedGuard[] = [];
  for (const guard of snapshot.guards) {
    const skip = whyNotOpen(guard, snapshot) ?? whyNotServed(guard, snapshot);
    if (skip === undefined) open.push(guard);
    else skipped.push({ guardId: guard.id, skip });
  }
  return { open, skipped };
}

type GuardSkip =
  | 'guard_not_active'
  | 'guard_revoked'
  | 'not_keeper'
  | 'guard_expired'
  | 'cooling_down'
  | 'not_served_token'
  | 'not_served_trigger'
  | 'not_served_cooldown';

function whyNotOpen(guard: Guard, { now, keeper }: GuardsSnapshot): GuardSkip | undefined {
  if (guard.status === 'revoked') return 'guard_revoked';
  if (guard.status !== 'active') return 'guard_not_active';
  if (guard.keeper !== undefined && guard.keeper.toLowerCase() !== keeper.toLowerCase()) return 'not_keeper';
  if (now >= guard.expiresAt) return 'guard_expired';
  // Whether the cooldown of a rescue by the price source holds depends on the loan: the simulation tells.
  const isCooling = guard.rescues !== 0 && now < guard.lastRescueAt + guard.cooldownSeconds;
  if (isCooling && guard.isBySource === undefined) return 'cooling_down';
  return undefined;
}

function whyNotServed(guard: Guard, { assets, serving }: GuardsSnapshot): GuardSkip | undefined {
  if (repayAssetOf(guard, assets) === undefined) return 'not_served_token';
  if (guard.triggerHealthWad > serving.maxTriggerHealthWad) return 'not_served_trigger';
  if (guard.cooldownSeconds < serving.minimumCooldownSeconds) return 'not_served_cooldown';
  return undefined;
}

/** The asset a guard repays; undefined if it is not listed. */
export const repayAssetOf = ({ repayToken }: Guard, assets: readonly Asset[]): Asset | undefined =>
  assets.find(({ address }) => address.toLowerCase() === repayToken.toLowerCase());

export interface Endangered {
  readonly guard: Guard;
  /** Absent if it could not be read. */
  readonly healthWad?: bigint;
}

/** Loans below their trigger, and unreadable loans, which only the contract can judge. */
export function endangeredLoans(
  guards: readonly Guard[],
  healths: readonly Health[],
): { endangered: Endangered[]; skipped: SkippedGuard[] } {
  const endangered: Endangered[] = [];
  const skipped: SkippedGuard[] = [];
  for (const [at, guard] of guards.entries()) {
    const health = healths[at] ?? 'unreadable';
    if (health === 'unreadable') endangered.push({ guard });
    else if (health === 'no_debt') skipped.push({ guardId: guard.id, skip: health });
    else if (health < guard.triggerHealthWad) endangered.push({ guard, healthWad: health });
    else skipped.push({ guardId: guard.id, skip: 'health_not_below_trigger' });
  }
  return { endangered, skipped };
}

export interface Previewed extends Endangered {
  readonly preview: RescuePreview;
  /** Value of the repayment; absent if it has no price now. */
  readonly repayUsdWad?: bigint;
}

/** Rounded down, so that a rescue below the minimum never passes. */
export const repayUsdWadDown = (repay: bigint, usdWad: bigint, { decimals }: Asset): bigint =>
  mulDivDown(repay, usdWad, 10n ** BigInt(decimals));

/**
 * Most endangered first: while one rescue waits for its block, the next loan loses health. A repayment without a price
 * is still made: a failed feed must not cost a borrower their collateral.
 */
export function planRescues(
  previewed: readonly Previewed[],
  { minimumRepayUsdWad }: GuardServingPolicy,
): { rescues: Guard[]; skipped: SkippedGuard[] } {
  const due: Previewed[] = [];
  const skipped: SkippedGuard[] = [];
  for (const each of previewed) {
    const { guard, preview, repayUsdWad } = each;
    if (!preview.due) skipped.push({ guardId: guard.id, skip: preview.error });
    else if (repayUsdWad !== undefined && repayUsdWad < minimumRepayUsdWad) {
      skipped.push({ guardId: guard.id, skip: 'not_served_repay' });
    } else due.push(each);
  }
  const ordered = due.toSorted(byHealth).map(({ guard }) => guard);
  const later = ordered.slice(maxRescues).map(({ id }) => ({ guardId: id, skip: 'left_for_next_tick' }));
  return { rescues: ordered.slice(0, maxRescues), skipped: [...skipped, ...later] };
}

// An unreadable loan may be the most endangered.
function byHealth({ healthWad: a = 0n }: Previewed, { healthWad: b = 0n }: Previewed): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
