import type { GuardReader, HealthReader, PenaltyReader, PriceReader } from '@bowline/chain/readers';
import { fundingOf, fundingOrder, type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Guard } from '@bowline/core/domain/permissions';
import { listedAt } from '@bowline/core/domain/same-address';
import pLimit from 'p-limit';
import { type Cause, isChainUnavailable, newTally, type Round, type Tally } from '../runner.ts';
import {
  type Endangered,
  endangeredLoans,
  type GuardServingPolicy,
  idleBlocks,
  rescueLists,
  retrySeconds,
  type SkippedGuard,
  servedGuards,
  whyNotOpen,
} from './plan.ts';
import { createRescuer, type RescueDeps, type Rescuer } from './rescue.ts';
import { createProfitability, createWatch, marketKey, type Profitability, type Wanted, type Watch } from './watch.ts';

export interface LoanGuardDeps extends Omit<RescueDeps, 'watch' | 'profitability'> {
  readonly reader: RescueDeps['reader'] & GuardReader;
  readonly loans: HealthReader;
  /** Values a repayment in USD. */
  readonly prices: PriceReader;
  /** Absent: what a rescue saves is unknown. */
  readonly penalties?: PenaltyReader;
  readonly serving: GuardServingPolicy;
  /** Milliseconds between the rounds that replace block polls while no loan is near its trigger. Absent: no polling. */
  readonly quietMs?: number;
  /** Guards whose loans this worker reads in turn; it follows the prices of all loans. Absent: all guards. */
  readonly reads?: (guard: Guard) => boolean;
  /** While it is true, loans are read and none is rescued. Absent: never. */
  readonly isHeld?: () => boolean;
}

/** Maximum concurrent simulations. A node that receives all of them at once answers none. */
const atOnce = 8;

export function createLoanGuard(deps: LoanGuardDeps) {
  const watch = createWatch(deps.reader, deps.clock);
  const profitability = createProfitability(deps);
  const outcomes = newTally();
  const rescuer = createRescuer({ ...deps, watch, profitability }, outcomes);
  const servedOf = servedOnce(deps);
  /** The block of the last round, and the number of blocks after it that need no round. */
  let [block, idle] = [0n, 0];
  const isIdle = () => idle > 0 && !rescuer.isBusy() && !watch.shouldList();
  /** Whether rounds replace polling for blocks. */
  const isQuiet = () => deps.quietMs !== undefined && isIdle();
  return {
    isQuiet,
    /** Whether this new block is worth a round's requests. While every loan is far from its trigger, most are not. */
    wants(newest: bigint) {
      if (isQuiet() || (isIdle() && newest > block && newest <= block + BigInt(idle))) return false;
      block = newest;
      return true;
    },
    /**
     * One round: reads the health of every open loan, simulates the rescues of the endangered ones in lists, most endangered
     * first, and sends what the contract would allow. It waits for no receipt; while a rescue is under way, its loan is left
     * alone. Outcomes count in the round after them.
     *
     * A regular round reads all guards and loans again. A triggered round, at a new block, uses the known guards and watches
     * their loans. A refused rescue is then skipped for a while, or every block would retry it; an unanswered one is retried
     * soon, since the node may be back.
     */
    async tick(stopping: AbortSignal, cause: Cause = 'interval'): Promise<Round> {
      const tally = newTally();
      for (const [name, count] of Object.entries(outcomes.drain())) tally.add(name, count);
      let isSilent = false;
      let othersIn: number | undefined;
      try {
        const unread = cause === 'interval' || watch.shouldList() ? await watch.list() : 0;
        if (unread > 0) tally.add('unread', unread);
        const round = {
          ...{ ...deps, watch, profitability, rescuer, servedOf },
          ...{ tally, outcomes, stopping, wasIdle: idle > 0 },
        };
        [othersIn, idle] = await rescueDue(round, cause);
      } catch (error) {
        idle = 0;
        if (!isChainUnavailable(error)) throw error;
        tally.add('chain_unavailable');
        isSilent = true;
      }
      const counts = tally.counts();
      const quietSeconds = isQuiet() ? Number(deps.quietMs) / 1000 : othersIn;
      const soon = isSilent || rescuer.isBusy() ? Number(retrySeconds) : quietSeconds;
      return soon === undefined ? { counts } : { counts, nextInSeconds: Math.min(soon, othersIn ?? soon) };
    },
    /** Resolves when no rescue is under way, with the outcomes that no round has counted. */
    async settled() {
      await rescuer.settled();
      return outcomes.drain();
    },
  };
}

interface RoundDeps extends LoanGuardDeps {
  readonly watch: Watch;
  readonly profitability: Profitability;
  readonly rescuer: Rescuer;
  readonly servedOf: (guards: readonly Guard[]) => Served;
  /** Of this round. */
  readonly tally: Tally;
  /** Counts what ends after this round. */
  readonly outcomes: Tally;
  readonly stopping: AbortSignal;
  /** No loan was near its trigger at the last round. */
  readonly wasIdle: boolean;
}

interface Served {
  readonly served: readonly Guard[];
  readonly skipped: readonly SkippedGuard[];
  readonly byKey: ReadonlyMap<GuardKey, Guard>;
  readonly wanted: Wanted;
}

/** Sorts guards into served and skipped once per read. */
function servedOnce({ sender, assets, serving }: LoanGuardDeps): RoundDeps['servedOf'] {
  let last: { readonly guards: readonly Guard[]; readonly of: Served } | undefined;
  return (guards) => {
    if (last?.guards !== guards) {
      const { served, skipped } = servedGuards({ guards, keeper: sender.address, assets, serving });
      const byKey = new Map(served.map((guard) => [guardKey(guard), guard]));
      const repaid = new Set(served.flatMap((guard) => listedAt(assets, guard.repayToken) ?? []));
      const markets = new Set(served.map(marketKey));
      last = { guards, of: { served, skipped, byKey, wanted: { repaid, markets } } };
    }
    return last.of;
  };
}

/** Returns the seconds until a loan that is left to others becomes this worker's, and the blocks that need no round. */
async function rescueDue(deps: RoundDeps, cause: Cause): Promise<[othersIn: number | undefined, idle: number]> {
  const { waiting, watch, profitability, rescuer, tally } = deps;
  const { now, guards, forgotten } = watch.known();
  tally.add('guards', guards.length - forgotten.size);
  tally.add('due', 0);
  const { served, skipped, byKey, wanted } = deps.servedOf(guards);
  count(skipped, tally);
  const isOpen = (key: GuardKey): boolean => {
    const guard = forgotten.has(key) ? undefined : byKey.get(key);
    return guard !== undefined && whyNotOpen(guard, now) === undefined;
  };
  waiting?.keepOnly(isOpen);
  rescuer.keepOnly(isOpen);

  // At a new block, no rescue waits for prices.
  const isPriced = cause === 'interval' || !deps.wasIdle;
  const priced = isPriced ? profitability.refresh(wanted, cause === 'interval' ? tally : deps.outcomes) : undefined;
  const [{ awake, healths, isWhole }] = await Promise.all([
    readLoans(deps, served, cause),
    cause === 'interval' ? priced : undefined,
  ]);
  const { endangered, skipped: healthy, unread } = endangeredLoans(awake, healths);
  count(healthy, tally);
  if (unread > 0) tally.add('unread', unread);
  for (const { guardId } of healthy) waiting?.remove(guardId);

  const { answers, nextMs, isAllOurs } = await rescueAll(deps, endangered);
  // A single unreadable account is its own fault; if all are unreadable, it is the node's. Resting loans are not read.
  const isRead = healths.some((health) => health !== 'unreadable' && health !== 'unread');
  if (awake.length > 0) watch.answered(isRead || answers.includes(true));
  const isNoneOpen = () => !served.some((guard) => isOpen(guardKey(guard)));
  if (watch.isListed() && (watch.isAnswered() || isNoneOpen())) waiting?.loansRead();
  const canSkip = isAllOurs && watch.isListed() && !watch.isAnyBackingOff();
  // Loans that were not read now are at least slightly above their triggers.
  const idle = Math.min(idleBlocks(awake, healths, deps.quietMs === undefined), isWhole ? Number.POSITIVE_INFINITY : 1);
  return [nextMs === undefined ? undefined : nextMs / 1000, canSkip ? idle : 0];
}

function count(skipped: readonly SkippedGuard[], tally: Tally): void {
  for (const { skip } of skipped) tally.add(`skipped.${skip}`);
}

/** Loans of guards that may act now: all in a regular round; at a new block, those that may have fallen. */
async function readLoans({ loans, watch, rescuer, reads, tally }: RoundDeps, served: readonly Guard[], cause: Cause) {
  const { now, forgotten } = watch.known();
  const whyAsleep = (guard: Guard): string | undefined => {
    const key = guardKey(guard);
    const why = whyNotOpen(guard, now) ?? (rescuer.isUnderWay(key) ? 'under_way' : undefined);
    return why ?? (watch.isBackingOff(key) ? 'tried_before' : undefined);
  };
  const isListed = (guard: Guard): boolean => !forgotten.has(guardKey(guard));
  const isAwake = (guard: Guard): boolean => isListed(guard) && whyAsleep(guard) === undefined;

  const all = cause === 'interval' ? served.filter(isAwake) : served;
  const judged =
    cause === 'interval' ? { guards: all, healths: await loans.healths(all) } : await loans.watch(all, isAwake, reads);
  const looked = cause === 'interval' ? served : judged.guards;
  const healthy = served.length - looked.length;
  if (healthy > 0) tally.add('skipped.health_not_below_trigger', healthy);
  for (const guard of looked) {
    const skip = isListed(guard) ? whyAsleep(guard) : undefined;
    if (skip !== undefined) tally.add(`skipped.${skip}`);
  }
  const at = [...judged.guards.keys()].filter((each) => isAwake(judged.guards[each] as Guard));
  return {
    awake: at.map((each) => judged.guards[each] as Guard),
    healths: at.map((each) => judged.healths[each] ?? 'unreadable'),
    /** Whether these are all served loans. */
    isWhole: cause === 'interval' || judged.guards.length === served.length,
  };
}

/** Simulates and sends this worker's rescues. Returns for which lists the node answered. */
async function rescueAll(deps: RoundDeps, endangered: readonly Endangered[]) {
  const { calls, turns, rescuer, tally, stopping } = deps;
  // If the sender refused them instead, each would still be backing off when the agent resumes.
  const isHeld = endangered.length > 0 && deps.isHeld?.() === true;
  if (isHeld) tally.add('skipped.held', endangered.length);
  const allowed = isHeld ? [] : endangered;
  const { ours, left, nextMs } = turns?.split(allowed) ?? { ours: allowed, left: 0 };
  if (left > 0) tally.add('skipped.left_to_others', left);
  const answers: boolean[] = [];
  for (const funding of fundingOrder) {
    const ofFunding = ours.filter(({ guard }) => fundingOf(guard) === funding);
    // Idle tokens first: a deposit is sold only for a loan that no other guard is saving now.
    const free = ofFunding.filter(({ guard }) => funding === 'wallet' || !rescuer.isLoanUnderWay(guard));
    if (free.length < ofFunding.length) tally.add('skipped.left_to_other_guard', ofFunding.length - free.length);
    const lists = rescueLists(free, funding === 'wallet' ? calls.maxRescues : calls.maxSales, rescuer.refusals());
    const tried = pLimit(atOnce).map(lists, (list) => !stopping.aborted && rescuer.rescue(list, tally, stopping));
    answers.push(...(await tried));
  }
  return { answers, nextMs, isAllOurs: left === 0 };
}
