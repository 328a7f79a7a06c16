// Which loans are rescued, in which order, and why not the others. Pure.

import type { Asset } from '@bowline/core/domain/assets';
import type { Guard, RescuePreview } from '@bowline/core/domain/permissions';
import type { Health } from '@bowline/core/domain/ports';
import { type Address, mulDivDown } from '@bowline/core/domain/units';

/** What the keeper pays gas for. The contract allows guards that would empty the keeper's account a wei at a time. */
export interface GuardServingPolicy {
  /** A loan this healthy is in no danger, whatever its borrower says. */
  readonly maxTriggerHealthWad: bigint;
  readonly minimumCooldownSeconds: bigint;
  /** Least value of one rescue. */
  readonly minimumRepayUsdWad: bigint;
}

/** In one tick, so that many guards do not hold it up for long. */
const maxRescues = 20;

/** Why a guard is left alone. Where the contract has an error for it, its name; what only a simulation can tell is its own. */
export interface SkippedGuard {
  readonly guardId: bigint;
  readonly skip: string;
}

export interface GuardsSnapshot {
  /** The block's own time, unix seconds. */
  readonly now: bigint;
  readonly guards: readonly Guard[];
  /** Who would call. */
  readonly keeper: Address;
  /** Those whose repayment has a price. */
  readonly assets: readonly Asset[];
  readonly serving: GuardServingPolicy;
}

/**
 * The guards whose loans are worth a reading: the contract's own checks, in its order, as far as they need none, and then
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
  if (guard.rescues !== 0 && now < guard.lastRescueAt + guard.cooldownSeconds) return 'cooling_down';
  return undefined;
}

function whyNotServed(guard: Guard, { assets, serving }: GuardsSnapshot): GuardSkip | undefined {
  if (repayAssetOf(guard, assets) === undefined) return 'not_served_token';
  if (guard.triggerHealthWad > serving.maxTriggerHealthWad) return 'not_served_trigger';
  if (guard.cooldownSeconds < serving.minimumCooldownSeconds) return 'not_served_cooldown';
  return undefined;
}

/** What a guard repays in; absent where it is not listed. */
export const repayAssetOf = ({ repayToken }: Guard, assets: readonly Asset[]): Asset | undefined =>
  assets.find(({ address }) => address.toLowerCase() === repayToken.toLowerCase());

export interface Endangered {
  readonly guard: Guard;
  /** Absent when it could not be read. */
  readonly healthWad?: bigint;
}

/** The loans that are below their trigger, or that cannot be read: of those only the contract can tell. */
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
  /** What the repayment is worth; absent when it has no price now. */
  readonly repayUsdWad?: bigint;
}

/** Down, so that no smaller rescue passes for a worthy one. */
export const repayUsdWadDown = (repay: bigint, usdWad: bigint, { decimals }: Asset): bigint =>
  mulDivDown(repay, usdWad, 10n ** BigInt(decimals));

/**
 * Most endangered first: while one rescue waits for its block, the next loan falls further. A repayment without a price is
 * made: a feed that fails must not cost somebody's collateral.
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

// A loan that cannot be read may be the worst of all.
function byHealth({ healthWad: a = 0n }: Previewed, { healthWad: b = 0n }: Previewed): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
