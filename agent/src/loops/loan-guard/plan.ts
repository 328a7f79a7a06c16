// Which loans are rescued, in which order, and why not the others. Pure.

import type { GuardPolicy, LoanHealth, RescuePreview } from '../../domain/permissions.ts';
import type { Address } from '../../domain/units.ts';

/** Why a policy is left alone, by the name of the guard's error. What only a simulation can tell is the guard's own. */
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
}

/** The policies worth a simulation: the guard's own questions, in its order, as far as they need no reading of the loan. */
export function openPolicies(snapshot: PoliciesSnapshot): { open: GuardPolicy[]; skipped: SkippedPolicy[] } {
  const open: GuardPolicy[] = [];
  const skipped: SkippedPolicy[] = [];
  for (const policy of snapshot.policies) {
    const skip = whyNotOpen(policy, snapshot);
    if (skip === undefined) open.push(policy);
    else skipped.push({ policyId: policy.id, skip });
  }
  return { open, skipped };
}

type PolicySkip = 'policy_not_active' | 'not_keeper' | 'policy_expired' | 'cooling_down';

function whyNotOpen(policy: GuardPolicy, { now, keeper }: PoliciesSnapshot): PolicySkip | undefined {
  if (policy.status !== 'active') return 'policy_not_active';
  if (policy.keeper !== undefined && policy.keeper.toLowerCase() !== keeper.toLowerCase()) return 'not_keeper';
  if (now >= policy.expiresAt) return 'policy_expired';
  if (policy.rescues !== 0 && now < policy.lastRescueAt + policy.cooldownSeconds) return 'cooling_down';
  return undefined;
}

export interface Previewed {
  readonly policy: GuardPolicy;
  readonly preview: RescuePreview;
  /** Absent when it could not be read. */
  readonly loan?: LoanHealth;
}

/** Most endangered first: while one rescue waits for its block, the next loan falls further. */
export function planRescues(previewed: readonly Previewed[]): { rescues: GuardPolicy[]; skipped: SkippedPolicy[] } {
  const due = previewed.filter(({ preview }) => preview.due);
  const skipped = previewed.flatMap(({ policy, preview }) =>
    preview.due ? [] : [{ policyId: policy.id, skip: preview.error }],
  );
  return { rescues: due.toSorted(byHealth).map(({ policy }) => policy), skipped };
}

// A loan that cannot be read may be the worst of all.
function byHealth({ loan: a }: Previewed, { loan: b }: Previewed): number {
  const [healthA, healthB] = [a?.healthWad ?? 0n, b?.healthWad ?? 0n];
  return healthA < healthB ? -1 : healthA > healthB ? 1 : 0;
}
