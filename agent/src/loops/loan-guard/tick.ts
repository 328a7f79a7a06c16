import type { GuardReader, HealthReader, PriceReader } from '@bowline/chain/readers';
import { fundingOf, fundingOrder, guardKey } from '@bowline/core/domain/guard-key';
import pLimit from 'p-limit';
import { type Cause, type Counts, isChainUnavailable, newTally, type Round, type Tally } from '../runner.ts';
import {
  endangeredLoans,
  type GuardServingPolicy,
  openGuards,
  rescueLists,
  restBlocks,
  retrySeconds,
  type SkippedGuard,
} from './plan.ts';
import { createRescuer, type RescueDeps, type Rescuer } from './rescue.ts';
import { createWatch, createWorth, type Watch, type Worth } from './watch.ts';

export interface LoanGuardDeps extends Omit<RescueDeps, 'watch' | 'worth'> {
  readonly reader: RescueDeps['reader'] & GuardReader;
  readonly loans: HealthReader;
  /** Values a repayment in USD. */
  readonly prices: PriceReader;
  readonly serving: GuardServingPolicy;
  /** Milliseconds between two rounds while no loan is near its trigger, which then take the place of looks for blocks. Absent: blocks come unasked. */
  readonly quietMs?: number;
  /** While it is true, loans are read and none is rescued. Absent: never. */
  readonly isHeld?: () => boolean;
}

export interface LoanGuard {
  /**
   * One round: reads the health of every open loan, simulates the rescues of the endangered ones in lists, most endangered
   * first, and sends what the contract would allow. It waits for no receipt; while a rescue is under way, its loan is left
   * alone. Outcomes count in the round after them.
   *
   * A regular round reads all guards and loans again. A triggered round, at a new block, uses the known guards and watches
   * their loans. A refused rescue is then skipped for a while, or every block would retry it; an unanswered one is retried
   * soon, since the node may be back.
   */
  tick(stopping: AbortSignal, cause?: Cause): Promise<Round>;
  /** Whether a round is worth its requests at this new block. While every loan is far from its trigger, most blocks are not. */
  wants(block: bigint): boolean;
  /** Whether rounds take the place of looks for blocks. */
  isQuiet(): boolean;
  /** Resolves when no rescue is under way, with the outcomes that no round has counted. */
  settled(): Promise<Counts>;
}

/** Maximum concurrent simulations. A node that receives all of them at once answers none. */
const atOnce = 8;

export function createLoanGuard(deps: LoanGuardDeps): LoanGuard {
  const watch = createWatch(deps.reader, deps.clock);
  const worth = createWorth(deps);
  const outcomes = newTally();
  const rescuer = createRescuer({ ...deps, watch, worth }, outcomes);
  /** The block of the last round, and those after it that need none. */
  let [block, rest] = [0n, 0];
  const isAtRest = () => rest > 0 && !rescuer.isBusy() && !watch.shouldList();
  const isQuiet = () => deps.quietMs !== undefined && isAtRest();
  return {
    isQuiet,
    wants(newest) {
      if (isQuiet() || (isAtRest() && newest > block && newest <= block + BigInt(rest))) return false;
      block = newest;
      return true;
    },
    async tick(stopping, cause = 'interval') {
      const tally = newTally();
      for (const [name, count] of Object.entries(outcomes.drain())) tally.add(name, count);
      let isSilent = false;
      let othersIn: number | undefined;
      try {
        const unread = cause === 'interval' || watch.shouldList() ? await watch.list() : 0;
        if (unread > 0) tally.add('unread', unread);
        const round = { ...deps, watch, worth, rescuer, tally, outcomes, stopping, wasAtRest: rest > 0 };
        [othersIn, rest] = await rescueDue(round, cause);
      } catch (error) {
        rest = 0;
        if (!isChainUnavailable(error)) throw error;
        tally.add('chain_unavailable');
        isSilent = true;
      }
      const counts = tally.counts();
      const quietSeconds = isQuiet() ? Number(deps.quietMs) / 1000 : othersIn;
      const soon = isSilent || rescuer.isBusy() ? Number(retrySeconds) : quietSeconds;
      return soon === undefined ? { counts } : { counts, nextInSeconds: Math.min(soon, othersIn ?? soon) };
    },
    async settled() {
      await rescuer.settled();
      return outcomes.drain();
    },
  };
}

interface RoundDeps extends LoanGuardDeps {
  readonly watch: Watch;
  readonly worth: Worth;
  readonly rescuer: Rescuer;
  /** Of this round. */
  readonly tally: Tally;
  /** For what ends after this round. */
  readonly outcomes: Tally;
  readonly stopping: AbortSignal;
  /** No loan was near its trigger at the last round. */
  readonly wasAtRest: boolean;
}

/** Returns the seconds until a loan that is left to others becomes this worker's, and the blocks that need no round. */
async function rescueDue(deps: RoundDeps, cause: Cause): Promise<[othersIn: number | undefined, rest: number]> {
  const { loans, sender, assets, serving, calls, waiting, turns, watch, worth, rescuer, tally, stopping } = deps;
  const count = (skipped: readonly SkippedGuard[]) => {
    for (const { skip } of skipped) tally.add(`skipped.${skip}`);
  };
  const { now, guards } = watch.known();
  tally.add('guards', guards.length);
  tally.add('due', 0);
  const { open, skipped } = openGuards({ now, guards, keeper: sender.address, assets, serving });
  count(skipped);
  const ids = open.map(guardKey);
  waiting?.keepOnly(ids);
  rescuer.keepOnly(ids);
  const idle = open.filter((guard) => !rescuer.isUnderWay(guardKey(guard)));
  if (idle.length < open.length) tally.add('skipped.under_way', open.length - idle.length);
  const awake = idle.filter((guard) => !watch.rests(guardKey(guard)));
  if (awake.length < idle.length) tally.add('skipped.tried_before', idle.length - awake.length);

  // Prices are on the way of no rescue at a new block.
  const isPriced = cause === 'interval' || !deps.wasAtRest;
  const priced = isPriced ? worth.refresh(open, cause === 'interval' ? tally : deps.outcomes) : undefined;
  const [healths] = await Promise.all([
    cause === 'interval' ? loans.healths(awake) : loans.watch(awake),
    cause === 'interval' ? priced : undefined,
  ]);
  const { endangered, skipped: healthy, unread } = endangeredLoans(awake, healths);
  count(healthy);
  if (unread > 0) tally.add('unread', unread);
  for (const { guardId } of healthy) waiting?.remove(guardId);

  // Refused by the sender, each would still rest when the hold ends.
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
  // Single unreadable accounts are their own fault; if all are unreadable, it is the node's. Resting loans are not read.
  const isRead = healths.some((health) => health !== 'unreadable' && health !== 'unread');
  if (awake.length > 0) watch.answered(isRead || answers.includes(true));
  if (watch.isListed() && (open.length === 0 || watch.isAnswered())) waiting?.loansRead();
  const isAllSeen = awake.length === open.length && left === 0 && watch.isListed();
  return [
    nextMs === undefined ? undefined : nextMs / 1000,
    isAllSeen ? restBlocks(awake, healths, deps.quietMs === undefined) : 0,
  ];
}
