// Decides which loans are tried, in which order, and why the others are skipped. Pure.

import type { Asset } from '@bowline/core/domain/assets';
import { type GuardShare, isInShare } from '@bowline/core/domain/guard-share';
import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { listedAt, sameAddress } from '@bowline/core/domain/same-address';
import { type Address, mulDivDown } from '@bowline/core/domain/units';

/** What the keeper pays gas for. The contract accepts guards that would drain the keeper's account a wei at a time. */
export interface GuardServingPolicy {
  /** A loan above this health is in no danger, whatever trigger its borrower chose. */
  readonly maxTriggerHealthWad: bigint;
  readonly minimumCooldownSeconds: bigint;
  /** Minimum value of one rescue. */
  readonly minimumRepayUsdWad: bigint;
  /** Absent: all of them. */
  readonly share?: GuardShare;
}

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
  | 'not_our_share'
  | 'not_served_token'
  | 'not_served_trigger'
  | 'not_served_cooldown';

function whyNotOpen(guard: Guard, { now, keeper }: GuardsSnapshot): GuardSkip | undefined {
  if (guard.status === 'revoked') return 'guard_revoked';
  if (guard.status !== 'active') return 'guard_not_active';
  if (guard.keeper !== undefined && !sameAddress(guard.keeper, keeper)) return 'not_keeper';
  if (now >= guard.expiresAt) return 'guard_expired';
  // Whether the cooldown of a rescue by the price source holds depends on the loan: the simulation tells.
  const isCooling = guard.rescues !== 0 && now < guard.lastRescueAt + guard.cooldownSeconds;
  if (isCooling && guard.isBySource === undefined) return 'cooling_down';
  return undefined;
}

function whyNotServed(guard: Guard, { assets, serving }: GuardsSnapshot): GuardSkip | undefined {
  if (!isInShare(guard, serving.share)) return 'not_our_share';
  if (listedAt(assets, guard.repayToken) === undefined) return 'not_served_token';
  if (guard.triggerHealthWad > serving.maxTriggerHealthWad) return 'not_served_trigger';
  if (guard.cooldownSeconds < serving.minimumCooldownSeconds) return 'not_served_cooldown';
  return undefined;
}

export interface Endangered {
  readonly guard: Guard;
  /** Absent if it could not be read. */
  readonly healthWad?: bigint;
}

/** Loans below their trigger, and unreadable loans, which only the contract can judge. `unread`: the node is at fault. */
export function endangeredLoans(
  guards: readonly Guard[],
  healths: readonly Health[],
): { endangered: Endangered[]; skipped: SkippedGuard[]; unread: number } {
  const endangered: Endangered[] = [];
  const skipped: SkippedGuard[] = [];
  let unread = 0;
  for (const [at, guard] of guards.entries()) {
    const health = healths[at] ?? 'unreadable';
    if (health === 'unread') unread += 1;
    else if (health === 'unreadable') endangered.push({ guard });
    else if (health === 'no_debt') skipped.push({ guardId: guard.id, skip: health });
    else if (health < guard.triggerHealthWad) endangered.push({ guard, healthWad: health });
    else skipped.push({ guardId: guard.id, skip: 'health_not_below_trigger' });
  }
  return { endangered, skipped, unread };
}

/** Lists of refused rescues that a round tries again: anyone can make thousands of guards that the contract refuses. */
const MAX_REFUSED_LISTS = 8;

/**
 * Lists of rescues to simulate and to send, in this order: the most endangered loan first, loans that nobody can read
 * behind all others, and behind those a few of what was refused before. A list has one sender: the key that a guard names,
 * or any.
 * @param refusals ids of guards whose last attempt the contract refused, the longest untried first.
 */
export function rescueLists(
  endangered: readonly Endangered[],
  maxLength: number,
  refusals: Iterable<bigint> = [],
): readonly (readonly Endangered[])[] {
  const triedAt = new Map([...refusals].map((id, at) => [id, at]));
  const rankOf = ({ guard: { id } }: Endangered): number | undefined => triedAt.get(id);
  const { fresh = [], refused = [] } = Object.groupBy(endangered, (each) =>
    rankOf(each) === undefined ? 'fresh' : 'refused',
  );
  const isUnread = ({ healthWad }: Endangered): number => (healthWad === undefined ? 1 : 0);
  const inOrder = fresh.toSorted((a, b) => isUnread(a) - isUnread(b) || byHealth(a, b));
  const again = refused.toSorted((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0));
  return [...inLists(inOrder, maxLength), ...inLists(again, maxLength).slice(0, MAX_REFUSED_LISTS)];
}

function inLists(ordered: readonly Endangered[], maxLength: number): Endangered[][] {
  const lists: Endangered[][] = [];
  const growing = new Map<boolean, Endangered[]>();
  for (const each of ordered) {
    const isAnybodys = each.guard.keeper === undefined;
    const list = growing.get(isAnybodys);
    if (list && list.length < maxLength) list.push(each);
    else {
      const next = [each];
      growing.set(isAnybodys, next);
      lists.push(next);
    }
  }
  return lists;
}

/** Rounded down, so that a rescue below the minimum never passes. */
export const repayUsdWadDown = (repay: bigint, usdWad: bigint, { decimals }: Asset): bigint =>
  mulDivDown(repay, usdWad, 10n ** BigInt(decimals));

/**
 * Why a rescue of this size is not made, if it is not. A repayment without a price is made: a failed feed must not cost a
 * borrower their collateral.
 */
export const whyNotWorth = (
  repayUsdWad: bigint | undefined,
  { minimumRepayUsdWad }: GuardServingPolicy,
): 'not_served_repay' | undefined =>
  repayUsdWad !== undefined && repayUsdWad < minimumRepayUsdWad ? 'not_served_repay' : undefined;

function byHealth({ healthWad: a = 0n }: Endangered, { healthWad: b = 0n }: Endangered): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
