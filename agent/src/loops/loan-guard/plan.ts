// Decides which loans are tried, in which order, and why the others are skipped. Pure.

import type { Asset } from '@bowline/core/domain/assets';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { type GuardShare, isInShare } from '@bowline/core/domain/guard-share';
import { mayTake } from '@bowline/core/domain/guarded-loan';
import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type GuardsServed, whyGuardNotServed } from '@bowline/core/domain/served';
import { type Address, isWorthIt } from '@bowline/core/domain/units';

/** What the keeper pays gas for. The contract accepts guards that would drain the keeper's account a wei at a time. */
export interface GuardServingPolicy extends Omit<GuardsServed, 'tokens'> {
  /** Minimum value of one rescue. */
  readonly minimumRepayUsdWad: bigint;
}

export const guardsServed = (serving: GuardServingPolicy, assets: readonly Asset[]) => ({
  ...serving,
  tokens: assets.map(({ address }) => address),
});

/**
 * Why a guard is skipped: the contract's error name where it has one; reasons that only a simulation shows have their
 * own.
 */
export interface SkippedGuard {
  readonly guardId: GuardKey;
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

/** The guards of this share that can still rescue: those whose loans must be known. @param now block time, unix seconds. */
export const watchedGuards = (guards: readonly Guard[], now: bigint, share: GuardShare | undefined): readonly Guard[] =>
  guards.filter((guard) => mayTake(guard, now) && isInShare(guard, share));

/**
 * The guards whose loans are worth reading: first the contract's own checks that need no loan data, in its order, then
 * the keeper's.
 */
export function openGuards(snapshot: GuardsSnapshot): { open: Guard[]; skipped: SkippedGuard[] } {
  const open: Guard[] = [];
  const skipped: SkippedGuard[] = [];
  const served = guardsServed(snapshot.serving, snapshot.assets);
  for (const guard of snapshot.guards) {
    const skip = whyNotOpen(guard, snapshot) ?? whyGuardNotServed(guard, served);
    if (skip === undefined) open.push(guard);
    else skipped.push({ guardId: guardKey(guard), skip });
  }
  return { open, skipped };
}

function whyNotOpen(guard: Guard, { now, keeper }: GuardsSnapshot): string | undefined {
  if (guard.status === 'revoked') return 'guard_revoked';
  if (guard.status !== 'active') return 'guard_not_active';
  if (guard.keeper !== undefined && !sameAddress(guard.keeper, keeper)) return 'not_keeper';
  if (now >= guard.expiresAt) return 'guard_expired';
  // Whether the cooldown of a rescue by the price source holds depends on the loan: the simulation tells.
  const isCooling = guard.rescues !== 0 && now < guard.lastRescueAt + guard.cooldownSeconds;
  if (isCooling && guard.isBySource === undefined) return 'cooling_down';
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
    else if (health === 'no_debt') skipped.push({ guardId: guardKey(guard), skip: health });
    else if (health < guard.triggerHealthWad) endangered.push({ guard, healthWad: health });
    else skipped.push({ guardId: guardKey(guard), skip: 'health_not_below_trigger' });
  }
  return { endangered, skipped, unread };
}

/** Lists of refused rescues that a round tries again: anyone can make thousands of guards that the contract refuses. */
const MAX_REFUSED_LISTS = 8;

/**
 * Lists of rescues of one funding to simulate and to send, in this order: the most endangered loan first, loans that nobody can read
 * behind all others, and behind those a few of what was refused before. A list has one sender: the key that a guard names,
 * or any; and one contract, since all are of one funding.
 * @param refusals guards whose last attempt the contract refused, the longest untried first.
 */
export function rescueLists(
  endangered: readonly Endangered[],
  maxLength: number,
  refusals: Iterable<GuardKey> = [],
): readonly (readonly Endangered[])[] {
  const triedAt = new Map([...refusals].map((key, at) => [key, at]));
  const rankOf = ({ guard }: Endangered): number | undefined => triedAt.get(guardKey(guard));
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

/** Why a rescue of this size is not made, if it is not. */
export const whyNotWorth = (
  repayUsdWad: bigint | undefined,
  { minimumRepayUsdWad }: GuardServingPolicy,
): 'not_served_repay' | undefined => (isWorthIt(repayUsdWad, minimumRepayUsdWad) ? undefined : 'not_served_repay');

function byHealth({ healthWad: a = 0n }: Endangered, { healthWad: b = 0n }: Endangered): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
