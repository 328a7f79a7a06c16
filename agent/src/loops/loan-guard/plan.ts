// Which loans are rescued, in which order, and why not the others. Pure.

import type { Asset } from '@bowline/core/domain/assets';
import type { GuardPolicy, RescuePreview } from '@bowline/core/domain/permissions';
import type { Health } from '@bowline/core/domain/ports';
import { type Address, mulDivDown } from '@bowline/core/domain/units';

/** What the keeper pays gas for. The guard itself allows policies that a wei at a time would empty the keeper's account. */
export interface GuardServingPolicy {
  /** A loan this healthy is in no danger, whatever its borrower says. */
  readonly maxTriggerHealthWad: bigint;
  readonly minimumCooldownSeconds: bigint;
  /** Least value of one rescue. */
  readonly minimumRepayUsdWad: bigint;
}

/** In one tick, so that no crowd of policies holds it up for long. */
const maxRescues = 20;

/** Why a policy is left alone. Where the guard has an error for it, its name; what only a simulation can tell is its own. */
export interface SkippedPolicy {
  readonly policyId: bigint;
  readonly skip: string;
}

export interface PoliciesSnapshot {
  /** The block's own time, unix seconds. */
  readonly now: bigint;
  readonly policies: readonly GuardPolicy[];
  /** Who would call. */
  readonly keeper: Address;
  /** Those whose repayment has a price. */
  readonly assets: readonly Asset[];
  readonly serving: GuardServingPolicy;
}

/**
 * The policies whose loans are worth a reading: the guard's own questions, in its order, as far as they need none, and then
 * the keeper's.
 */
export function openPolicies(snapshot: PoliciesSnapshot): { open: GuardPolicy[]; skipped: SkippedPolicy[] } {
  const open: GuardPolicy[] = [];
  const skipped: SkippedPolicy[] = [];
  for (const policy of snapshot.policies) {
    const skip = whyNotOpen(policy, snapshot) ?? whyNotServed(policy, snapshot);
    if (skip === undefined) open.push(policy);
    else skipped.push({ policyId: policy.id, skip });
  }
  return { open, skipped };
}

type PolicySkip =
  | 'policy_not_active'
  | 'policy_revoked'
  | 'not_keeper'
  | 'policy_expired'
  | 'cooling_down'
  | 'not_served_token'
  | 'not_served_trigger'
  | 'not_served_cooldown';

function whyNotOpen(policy: GuardPolicy, { now, keeper }: PoliciesSnapshot): PolicySkip | undefined {
  if (policy.status === 'revoked') return 'policy_revoked';
  if (policy.status !== 'active') return 'policy_not_active';
  if (policy.keeper !== undefined && policy.keeper.toLowerCase() !== keeper.toLowerCase()) return 'not_keeper';
  if (now >= policy.expiresAt) return 'policy_expired';
  if (policy.rescues !== 0 && now < policy.lastRescueAt + policy.cooldownSeconds) return 'cooling_down';
  return undefined;
}

function whyNotServed(policy: GuardPolicy, { assets, serving }: PoliciesSnapshot): PolicySkip | undefined {
  if (repayAssetOf(policy, assets) === undefined) return 'not_served_token';
  if (policy.triggerHealthWad > serving.maxTriggerHealthWad) return 'not_served_trigger';
  if (policy.cooldownSeconds < serving.minimumCooldownSeconds) return 'not_served_cooldown';
  return undefined;
}

/** What a policy repays in; absent where it is not listed. */
export const repayAssetOf = ({ repayToken }: GuardPolicy, assets: readonly Asset[]): Asset | undefined =>
  assets.find(({ address }) => address.toLowerCase() === repayToken.toLowerCase());

export interface Endangered {
  readonly policy: GuardPolicy;
  /** Absent when it could not be read. */
  readonly healthWad?: bigint;
}

/** The loans that are below their trigger, or that cannot be read: of those only the guard itself can tell. */
export function endangeredLoans(
  policies: readonly GuardPolicy[],
  healths: readonly Health[],
): { endangered: Endangered[]; skipped: SkippedPolicy[] } {
  const endangered: Endangered[] = [];
  const skipped: SkippedPolicy[] = [];
  for (const [at, policy] of policies.entries()) {
    const health = healths[at] ?? 'unreadable';
    if (health === 'unreadable') endangered.push({ policy });
    else if (health === 'no_debt') skipped.push({ policyId: policy.id, skip: health });
    else if (health < policy.triggerHealthWad) endangered.push({ policy, healthWad: health });
    else skipped.push({ policyId: policy.id, skip: 'health_not_below_trigger' });
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
): { rescues: GuardPolicy[]; skipped: SkippedPolicy[] } {
  const due: Previewed[] = [];
  const skipped: SkippedPolicy[] = [];
  for (const each of previewed) {
    const { policy, preview, repayUsdWad } = each;
    if (!preview.due) skipped.push({ policyId: policy.id, skip: preview.error });
    else if (repayUsdWad !== undefined && repayUsdWad < minimumRepayUsdWad) {
      skipped.push({ policyId: policy.id, skip: 'not_served_repay' });
    } else due.push(each);
  }
  const ordered = due.toSorted(byHealth).map(({ policy }) => policy);
  const later = ordered.slice(maxRescues).map(({ id }) => ({ policyId: id, skip: 'left_for_next_tick' }));
  return { rescues: ordered.slice(0, maxRescues), skipped: [...skipped, ...later] };
}

// A loan that cannot be read may be the worst of all.
function byHealth({ healthWad: a = 0n }: Previewed, { healthWad: b = 0n }: Previewed): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
