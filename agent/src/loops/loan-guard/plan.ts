// Decides which loans are tried, in which order, why the others are skipped, and what follows from each attempt. Pure.

import type { Asset } from '@bowline/core/domain/assets';
import { MAX_TRIGGER_WAD, MIN_RESCUE_USD_WAD } from '@bowline/core/domain/bounds';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { coolsUntil, mayTake } from '@bowline/core/domain/guarded-loan';
import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Sent } from '@bowline/core/domain/sending';
import { type GuardsServed, whyGuardNotServed } from '@bowline/core/domain/served';
import { type Address, ascending, BPS, utcDay } from '@bowline/core/domain/units';

/** What the keeper pays gas for. The contract accepts guards that would drain the keeper's account a wei at a time. */
export interface GuardServingPolicy extends Omit<GuardsServed, 'tokens'> {
  /** Minimum value of one rescue. */
  readonly minimumRepayUsdWad: bigint;
}

/** What every agent serves: all that the page offers. */
export const servedByDefault: GuardServingPolicy = {
  maxTriggerHealthWad: MAX_TRIGGER_WAD,
  minimumRepayUsdWad: MIN_RESCUE_USD_WAD,
};

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
  readonly guards: readonly Guard[];
  /** The account that would call. */
  readonly keeper: Address;
  /** Assets whose repayment has a price. */
  readonly assets: readonly Asset[];
  readonly serving: GuardServingPolicy;
}

/** The guards that can still rescue: those whose loans must be known. @param now block time, unix seconds. */
export const watchedGuards = (guards: readonly Guard[], now: bigint): readonly Guard[] =>
  guards.filter((guard) => mayTake(guard, now));

/**
 * The guards whose loans are watched until the guards are read again. Applies the contract's own checks that need no
 * loan data, then the keeper's.
 */
export function servedGuards(snapshot: GuardsSnapshot): { served: Guard[]; skipped: SkippedGuard[] } {
  const served: Guard[] = [];
  const skipped: SkippedGuard[] = [];
  const terms = guardsServed(snapshot.serving, snapshot.assets);
  for (const guard of snapshot.guards) {
    const skip = whyNeverOpen(guard, snapshot) ?? whyGuardNotServed(guard, terms);
    if (skip === undefined) served.push(guard);
    else skipped.push({ guardId: guardKey(guard), skip });
  }
  return { served, skipped };
}

function whyNeverOpen(guard: Guard, { keeper }: GuardsSnapshot): string | undefined {
  if (guard.status === 'revoked') return 'guard_revoked';
  if (guard.status !== 'active') return 'guard_not_active';
  return guard.keeper !== undefined && !sameAddress(guard.keeper, keeper) ? 'not_keeper' : undefined;
}

/** Why the contract would refuse any rescue by a served guard at this time. @param now block time, unix seconds. */
export function whyNotOpen(guard: Guard, now: bigint): string | undefined {
  if (now >= guard.expiresAt) return 'guard_expired';
  // Whether the cooldown of a rescue by the price source applies depends on the loan: the simulation shows it.
  return coolsUntil(guard, now) !== undefined && guard.isBySource === undefined ? 'cooling_down' : undefined;
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

/** A borrower's own action is noticed within this many blocks. */
const MAX_REST_BLOCKS = 10;
/** Share of its collateral's value that no loan is expected to lose in a block. */
const FALL_BPS = 100n;

/**
 * Number of blocks for which these loans need no check: as many as prices need to bring the nearest loan to its
 * trigger. Zero if a guard names its own source: its rescue must be in the block after the source has moved.
 * @param isSkipping whether that many blocks are really skipped. When polling for blocks, rounds come that often anyway.
 */
export function idleBlocks(guards: readonly Guard[], healths: readonly Health[], isSkipping: boolean): number {
  let blocks = MAX_REST_BLOCKS;
  for (const [at, { triggerHealthWad, priceSource }] of guards.entries()) {
    const health = healths[at] ?? 'unread';
    if (health === 'no_debt') continue;
    if (isSkipping && priceSource !== undefined) return 0;
    if (typeof health !== 'bigint' || health <= triggerHealthWad) return 0;
    blocks = Math.min(blocks, Number(((health - triggerHealthWad) * BPS) / (health * FALL_BPS)));
  }
  return blocks;
}

/** Maximum lists of refused rescues retried per round: anyone can make thousands of guards that get refused. */
const MAX_REFUSED_LISTS = 8;

/**
 * Lists of rescues of one funding to simulate and send, in this order: the most endangered loans, then loans that
 * nobody can read, then a few that were refused before. A list has one sender, either the key that its guards name or
 * any key, and one contract, since all rescues are of one funding.
 * @param refusals guards whose last attempt the contract refused, least recently tried first.
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

/** Share of the saved penalty that may be paid for a rescue's gas. */
const GAS_SHARE_BPS = 5_000n;
/** Gas of one rescue, a little above the measured value: gas limits are far above it. */
const USED_GAS = 700_000n;
const USED_SALE_GAS = 1_600_000n;

/**
 * The gas price above which these rescues are not worth their gas; undefined if what one of them saves is unknown.
 * @param savedWei of each, in BNB.
 */
export function maxGasPriceOf(due: readonly { readonly guard: Guard; readonly savedWei: bigint | undefined }[]) {
  let [saved, gas] = [0n, 0n];
  for (const { guard, savedWei } of due) {
    if (savedWei === undefined) return undefined;
    saved += savedWei;
    gas += guard.sale ? USED_SALE_GAS : USED_GAS;
  }
  return (saved * GAS_SHARE_BPS) / (gas * BPS);
}

/** What rescues of each borrower's loans have cost in this UTC day, counted only by this process. */
export class BorrowerGas {
  #day = 0n;
  readonly #paid = new Map<string, bigint>();

  /** @param now unix seconds. */
  paidWei({ borrower }: Guard, now: bigint): bigint {
    if (utcDay(now) !== this.#day) this.#paid.clear();
    this.#day = utcDay(now);
    return this.#paid.get(borrower.toLowerCase()) ?? 0n;
  }

  /** Records the cost of a transaction for these guards. */
  add(guards: readonly Guard[], paidWei: bigint, now: bigint): void {
    for (const guard of guards) {
      const paid = this.paidWei(guard, now) + paidWei / BigInt(guards.length);
      this.#paid.set(guard.borrower.toLowerCase(), paid);
    }
  }
}

const byHealth = ({ healthWad: a = 0n }: Endangered, { healthWad: b = 0n }: Endangered): number => ascending(a, b);

/** The gas prices that a rule compared. */
export interface GasPrices {
  readonly askedWei: bigint;
  readonly maxWei: bigint;
}

/** What is remembered about a guard's last attempts. */
export interface Attempt {
  /** The contract or the serving policy refused the last attempt. */
  readonly isRefused: boolean;
  /** It has reverted in a block since its last rescue. */
  readonly hasReverted: boolean;
}

export type AttemptEvent =
  /** Its simulation says that it is due, or why not. */
  | { readonly type: 'judged'; readonly skip: string | undefined }
  /** The simulation had no answer. `isRead`: its loan was seen below the trigger. */
  | { readonly type: 'unanswered'; readonly isRead: boolean }
  /** `isBySource`: the protocol's own prices may make another rescue due in the next block. */
  | { readonly type: 'made'; readonly isBySource: boolean }
  /** It failed inside a list that was mined. */
  | { readonly type: 'failed'; readonly reason: string | undefined }
  /** The transaction ended like this. `isAlone`: it was for this guard. */
  | { readonly type: 'ended'; readonly sent: NotMade; readonly isAlone: boolean }
  /** An exception of ours. */
  | { readonly type: 'broken' };

export type NotMade = Exclude<Sent, { outcome: 'confirmed' }>;

export type AttemptEffect =
  /** Skips the guard for this long. */
  | { readonly do: 'back_off'; readonly seconds: bigint }
  /** Changes the list of due rescues. */
  | { readonly do: 'add' | 'remove' | 'refuse' }
  | { readonly do: 'too_dear'; readonly gas: GasPrices | undefined }
  /** Reads all guards again after this many seconds. */
  | { readonly do: 'mistrust'; readonly seconds: bigint };

type AttemptStep = readonly [Attempt, readonly AttemptEffect[]];

export const firstAttempt: Attempt = { isRefused: false, hasReverted: false };

/** Seconds between two attempts after a refusal, unless a regular round comes first. */
const backoffSeconds = 15n;
/** Seconds between two attempts without an answer: the node may be back at the next block. */
export const retrySeconds = 2n;
const backOff = (seconds: bigint): AttemptEffect => ({ do: 'back_off', seconds });

/** Skips that the next block may change. */
const changesAtOnce: ReadonlySet<string | undefined> = new Set([
  'health_not_below_trigger',
  'health_at_target',
  'cooling_down',
  'nodes_disagree',
]);
const soon: ReadonlySet<Sent['outcome']> = new Set(['cancelled', 'consumed', 'unknown']);

export function stepAttempt(attempt: Attempt, event: AttemptEvent): AttemptStep {
  switch (event.type) {
    case 'judged':
      return onJudged(attempt, event.skip);
    case 'unanswered': {
      // No reason to refuse the rescue is known, but a loan that nobody can read may never be due. An unreadable answer
      // is the node's fault, too.
      const isDue: readonly AttemptEffect[] = event.isRead ? [{ do: 'add' }] : [];
      return [attempt, [...isDue, backOff(retrySeconds)]];
    }
    case 'made': {
      // The loan may fall again before the next regular round. A rescue by its price source does not even delay one by
      // the protocol's prices, which may fall in the next block.
      const seconds = event.isBySource ? 0n : backoffSeconds;
      return [firstAttempt, [backOff(backoffSeconds), { do: 'remove' }, { do: 'mistrust', seconds }]];
    }
    case 'failed': {
      // Another keeper may have been faster.
      const isRefused = attempt.isRefused || !changesAtOnce.has(event.reason);
      return [{ isRefused, hasReverted: true }, [backOffAfterRevert(attempt), { do: 'refuse' }]];
    }
    case 'ended':
      return event.isAlone ? onEndedAlone(attempt, event.sent) : [attempt, onListEnded(event.sent)];
    case 'broken':
      return [attempt, [backOff(backoffSeconds)]];
  }
}

function onJudged(attempt: Attempt, skip: string | undefined): AttemptStep {
  const judged = { ...attempt, isRefused: false };
  if (skip === undefined) return [judged, [{ do: 'add' }]];
  if (changesAtOnce.has(skip)) return [judged, [{ do: 'remove' }]];
  // A loan whose rescue the contract refuses is not simulated at every block. Without a named reason the node may be at fault.
  const seconds = skip === 'unknown_error' ? retrySeconds : backoffSeconds;
  return [{ ...attempt, isRefused: true }, [{ do: 'remove' }, backOff(seconds)]];
}

function onEndedAlone(attempt: Attempt, sent: NotMade): AttemptStep {
  // The serving policy says that it is not due.
  if (isUnprofitable(sent)) return [attempt, [backOff(retrySeconds), { do: 'remove' }]];
  const isReverted = sent.outcome === 'reverted';
  const gas = sent.outcome === 'not_allowed' ? sent.price : undefined;
  const effects: readonly AttemptEffect[] = [
    isReverted ? backOffAfterRevert(attempt) : backOffAfter(sent),
    { do: 'too_dear', gas },
  ];
  const isRefused = isReverted || (sent.outcome === 'would_revert' && !isUnexplained(sent));
  const now = { isRefused: attempt.isRefused || isRefused, hasReverted: attempt.hasReverted || isReverted };
  return [now, [...effects, ...(isRefused ? [{ do: 'refuse' } as const] : []), ...mistrustAfter(sent)]];
}

/** Not the fault of a single guard, and perhaps made after all: each loan is read again before the next attempt. */
const onListEnded = (sent: NotMade): readonly AttemptEffect[] => [
  backOff(sent.outcome === 'not_sent' ? 0n : retrySeconds),
  ...mistrustAfter(sent),
];

/** It may have been made: the next chain read decides whether another is due. */
const mistrustAfter = ({ outcome }: NotMade): readonly AttemptEffect[] =>
  outcome === 'consumed' ? [{ do: 'mistrust', seconds: 0n }] : [];

/**
 * The contract allowed it a moment before: a reorg may have undone blocks since, and the next simulation decides.
 * Retried at once only the first time, because anyone who can cause it repeatedly makes us pay each time.
 */
const backOffAfterRevert = ({ hasReverted }: Attempt): AttemptEffect => backOff(hasReverted ? backoffSeconds : 0n);

/** What was never signed is tried again at the next block. */
function backOffAfter(sent: NotMade): AttemptEffect {
  if (sent.outcome === 'not_sent') return backOff(0n);
  return backOff(soon.has(sent.outcome) || isUnexplained(sent) || isTooDear(sent) ? retrySeconds : backoffSeconds);
}

/** The contract allowed it a moment before, so the node probably failed, or lags behind the one that was read. */
const isUnexplained = (sent: NotMade): boolean =>
  sent.outcome === 'would_revert' && (sent.error === 'unknown_error' || sent.error === 'health_not_below_trigger');

const isUnprofitable = (sent: Sent): boolean => sent.outcome === 'not_allowed' && sent.rule === 'not_worth_gas';

/** A rescue that is too expensive stays due. */
export const isTooDear = (sent: Sent): boolean => sent.outcome === 'not_allowed' && sent.rule === 'gas_price';
