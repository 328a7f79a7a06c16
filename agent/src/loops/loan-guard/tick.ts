import type { Asset } from '@bowline/core/domain/assets';
import type { Guard } from '@bowline/core/domain/permissions';
import type {
  BalanceReader,
  Calls,
  Clock,
  GuardReader,
  HealthReader,
  Log,
  PriceReader,
  RescueReader,
  Sender,
  Sent,
} from '@bowline/core/domain/ports';
import type { Dispatch } from '../dispatch.ts';
import { isChainUnavailable, type Settled } from '../dispatch.ts';
import type { Cause, Round } from '../runner.ts';
import { newTally, type Tally } from '../runner.ts';
import {
  type Endangered,
  endangeredLoans,
  type GuardServingPolicy,
  openGuards,
  type Previewed,
  planRescues,
  repayAssetOf,
  repayUsdWadDown,
  type SkippedGuard,
} from './plan.ts';
import { createLines, type Line, type Lines, reportRescue } from './report.ts';
import type { WaitingRescues } from './waiting.ts';
import { createWatch, restSeconds, retrySeconds, type Watch } from './watch.ts';

export interface LoanGuardDeps {
  readonly reader: GuardReader & RescueReader & BalanceReader;
  readonly loans: HealthReader;
  /** Assets that may be repaid; also gives symbols and decimals for log lines. */
  readonly assets: readonly Asset[];
  /** Values a repayment in USD. A rescue never waits for a simulated swap. */
  readonly prices: PriceReader;
  readonly serving: GuardServingPolicy;
  readonly calls: Calls;
  readonly sender: Sender;
  /** Receives which rescues are due. */
  readonly waiting?: WaitingRescues;
  readonly clock: Clock;
  readonly log: Log;
}

/** Maximum concurrent simulations. A node that receives all of them at once answers none. */
const atOnce = 8;

/**
 * One round of the loan guard: reads the health of every open loan, simulates a rescue of each endangered one, and
 * sends the rescues that the contract would allow, most endangered loan first.
 *
 * A regular round reads all guards again. A triggered round, at a new block, uses the known guards and reads fifty
 * loans per call to be quick. A refused rescue is then skipped for a while, or every block would retry it; an
 * unanswered one is retried soon, since the node may be back.
 */
export function loanGuardTick(deps: LoanGuardDeps): (stopping: AbortSignal, cause?: Cause) => Promise<Round> {
  const watch = createWatch(deps.reader, deps.clock);
  const lines = createLines(deps.sender, deps.log);
  return async (stopping, cause = 'interval') => {
    const tally = newTally();
    const later = () => ({ counts: tally.counts(), nextInSeconds: Number(retrySeconds) });
    let isSilent = false;
    try {
      // While one way is slow, loans of the other ways are still read and rescued.
      let hasLeft = false;
      const goesOn = () => !stopping.aborted && (lines.areBusy() || (hasLeft && !lines.hasLost()));
      for (let isFirst = true; isFirst || goesOn(); isFirst = false) {
        hasLeft = false;
        lines.findLost(tally);
        await lines.pause();
        if (deps.sender.wayOf === undefined && lines.hasLost()) return later();
        // Count repeated reads once.
        const counted = isFirst ? tally : newTally();
        try {
          const unread = (isFirst && cause === 'interval') || watch.shouldList() ? await watch.list() : 0;
          if (unread > 0) counted.add('unread', unread);
          const due = await dueRescues(deps, lines, watch, stopping, counted);
          for (const [line, rescues] of due) {
            if (line.isBusy()) hasLeft ||= rescues.length > 0;
            else if (!line.dispatch.hasLost()) {
              line.start(() => rescueAll(deps, line, watch, rescues, stopping, tally));
            }
          }
        } catch (error) {
          if (!isChainUnavailable(error)) throw error;
          if (!isSilent) tally.add('chain_unavailable');
          isSilent = true;
        }
        await lines.pause();
      }
    } finally {
      await lines.end();
    }
    return isSilent || lines.hasLost() ? later() : { counts: tally.counts() };
  };
}

async function rescueAll(
  deps: LoanGuardDeps,
  { dispatch }: Line,
  watch: Watch,
  guards: readonly Guard[],
  stopping: AbortSignal,
  tally: Tally,
): Promise<void> {
  for (const guard of guards) {
    if (stopping.aborted) break;
    // It was rescued while it was being read.
    if (watch.rests(guard.id)) continue;
    const state = await rescue(deps, dispatch, watch, guard, tally);
    if (state === 'stop') break;
  }
}

/** The guards whose rescue the contract would allow now, by line, most endangered loan first. */
async function dueRescues(
  deps: LoanGuardDeps,
  lines: Lines,
  watch: Watch,
  stopping: AbortSignal,
  tally: Tally,
): Promise<Map<Line, readonly Guard[]>> {
  const { loans, sender, assets, serving } = deps;
  const count = (skipped: readonly SkippedGuard[]) => {
    for (const { skip } of skipped) tally.add(`skipped.${skip}`);
  };
  const { now, guards } = watch.known();
  tally.add('guards', guards.length);
  const { open, skipped } = openGuards({ now, guards, keeper: sender.address, assets, serving });
  count(skipped);
  deps.waiting?.keepOnly(open.map(({ id }) => id));
  const awake = open.filter(({ id }) => !watch.rests(id));
  if (awake.length < open.length) tally.add('skipped.tried_before', open.length - awake.length);
  const healths = await loans.healths(awake);
  const { endangered, skipped: healthy } = endangeredLoans(awake, healths);
  count(healthy);
  for (const { guardId } of healthy) deps.waiting?.remove(guardId);

  const previewed: Previewed[] = [];
  for (let from = 0; from < endangered.length && !stopping.aborted; from += atOnce) {
    const some = await Promise.all(
      endangered.slice(from, from + atOnce).map((each) => preview(deps, watch, each, tally)),
    );
    previewed.push(...some.filter((each) => each !== undefined));
  }
  // Single unreadable accounts are their own fault; if all are unreadable, it is the node's. Resting loans are not
  // read.
  if (awake.length > 0) watch.answered(previewed.length > 0 || healths.some((health) => health !== 'unreadable'));
  if (watch.isListed() && (open.length === 0 || watch.isAnswered())) deps.waiting?.loansRead();
  const due = new Map<Line, readonly Guard[]>();
  const worth = await worthOf(deps, previewed, tally);
  const lineOf = ({ guard }: Previewed): Line => lines.of(deps.calls.rescue(guard));
  let dueCount = 0;
  for (const [line, some] of Map.groupBy(worth, lineOf)) {
    const { rescues, skipped: notDue } = planRescues(some, serving);
    count(notDue);
    for (const { guardId, skip } of notDue) {
      if (skip === 'left_for_next_tick') deps.waiting?.add(guardId);
      else deps.waiting?.remove(guardId);
      // A loan whose rescue the contract refuses is not simulated at every block.
      if (!changesAtOnce.has(skip)) watch.rest(guardId, restSeconds);
    }
    for (const { id } of rescues) deps.waiting?.add(id);
    due.set(line, rescues);
    dueCount += rescues.length;
  }
  tally.add('due', dueCount);
  return due;
}

/** Skips that the next block may change. */
const changesAtOnce = new Set(['health_not_below_trigger', 'health_at_target', 'cooling_down', 'left_for_next_tick']);

/** Undefined if the simulation failed: one loan that cannot be simulated must not block the rescue of others. */
async function preview(
  { reader, waiting, log }: LoanGuardDeps,
  watch: Watch,
  endangered: Endangered,
  tally: Tally,
): Promise<Previewed | undefined> {
  const { id } = endangered.guard;
  try {
    return { ...endangered, preview: await reader.preview(id) };
  } catch (error) {
    const isUnanswered = isChainUnavailable(error);
    tally.add(isUnanswered ? 'chain_unavailable' : 'failed');
    log.error('guard.failed', { guardId: id, error });
    // The loan is below its trigger and no reason to refuse the rescue is known. An unreadable account may never be
    // due.
    if (endangered.healthWad !== undefined) waiting?.add(id);
    watch.rest(id, isUnanswered ? retrySeconds : restSeconds);
    return undefined;
  }
}

/** Adds the USD value of each repayment, reading each token's price once. */
async function worthOf(deps: LoanGuardDeps, previewed: readonly Previewed[], tally: Tally): Promise<Previewed[]> {
  const prices = new Map<Asset, bigint | undefined>();
  const worth: Previewed[] = [];
  for (const each of previewed) {
    const asset = repayAssetOf(each.guard, deps.assets);
    if (!each.preview.due || asset === undefined) {
      worth.push(each);
      continue;
    }
    if (!prices.has(asset)) prices.set(asset, await priceOf(deps, asset, tally));
    const usdWad = prices.get(asset);
    const { repay } = each.preview;
    worth.push(usdWad === undefined ? each : { ...each, repayUsdWad: repayUsdWadDown(repay, usdWad, asset) });
  }
  return worth;
}

/** USD of one whole token by its own feed; undefined if it could not be read. */
async function priceOf({ prices, log }: LoanGuardDeps, asset: Asset, tally: Tally): Promise<bigint | undefined> {
  try {
    const { chainlink } = await prices.price(asset);
    return chainlink?.usdWad;
  } catch (error) {
    tally.add(isChainUnavailable(error) ? 'chain_unavailable' : 'failed');
    log.error('price.failed', { asset: asset.symbol, error });
    return undefined;
  }
}

async function rescue(
  { reader, calls, assets, waiting, log }: LoanGuardDeps,
  dispatch: Dispatch,
  watch: Watch,
  guard: Guard,
  tally: Tally,
): Promise<Settled['state']> {
  const { id } = guard;
  return dispatch.send(calls.rescue(guard), tally, async (settled: Settled, counted: Tally) => {
    watch.rest(id, afterwards(settled));
    if (isTooDear(settled)) waiting?.remove(id);
    if (refused.has(settled.sent.outcome) && !isUnexplained(settled)) waiting?.refuse(id);
    if (settled.state === 'confirmed') {
      waiting?.remove(id);
      counted.add('rescued');
      // The last read state is outdated.
      watch.forget(id);
      await reportRescue(reader, log, assets, guard, settled.sent);
    }
    // It may have been made: the next chain read decides whether another is due.
    if (settled.sent.outcome === 'consumed') watch.mistrust();
    return settled.state;
  });
}

/** How long to skip a guard after this outcome. An outcome without effect is not a refusal. */
const afterwards = (settled: Settled): bigint =>
  undone.has(settled.sent.outcome) || isUnexplained(settled) ? retrySeconds : restSeconds;
/** The contract allowed it a moment before, so the node probably failed. */
const isUnexplained = ({ sent }: Settled): boolean => sent.outcome === 'would_revert' && sent.error === 'unknown_error';
const undone: ReadonlySet<Sent['outcome']> = new Set(['not_sent', 'cancelled', 'consumed', 'unknown']);

/** Its gas costs more than the keeper pays. A rescue the keeper cannot afford stays due. */
const isTooDear = ({ sent }: Settled): boolean => sent.outcome === 'not_allowed' && sent.rule === 'gas_price';
const refused: ReadonlySet<Sent['outcome']> = new Set(['would_revert', 'reverted']);
