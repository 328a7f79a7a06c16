// Batches runs: several in one transaction.

import type { BatchPreviewer } from '@bowline/chain/readers';
import { isChainUnavailable, isStop } from '../runner.ts';
import type { DuePlan } from './plan.ts';
import { reportFailure } from './report.ts';
import {
  consider,
  type Deferral,
  defer,
  type Next,
  priceMissed,
  type Ready,
  runAlone,
  runOpen,
  type ServeDeps,
  type Serving,
} from './serve.ts';

export interface BatchDeps extends ServeDeps {
  readonly previewer: Pick<BatchPreviewer, 'wouldRun'>;
}

interface BatchServing extends Serving<BatchDeps> {
  /** To be recorded after the runs. */
  readonly deferrals: Deferral[];
}

/** Maximum wait of a judged run for others, in seconds: its price ages, and its slot may close. */
const maxWait = 10n;
/** Maximum age of a judgement, in seconds, before the plan is judged again: cancelling a run in between takes a minute. */
const maxAge = 30n;
/** Maximum time for a round's deferrals, in seconds: failed plans are retried only after it. */
const maxDeferring = 30n;

/**
 * Judges the plans one by one and sends those that may run together, then records the deferrals: each takes a block, and
 * plans that always defer must not hold up the runs of others. `later`: deferrals are left to the next round. `stop`:
 * nothing more may be sent.
 * @param runAt when the next run may be due, unix seconds: deferrals end then, whatever is left, except one per round.
 */
export async function servePlans(
  serving: Serving<BatchDeps>,
  served: readonly DuePlan[],
  runAt: bigint | undefined,
  stopping: AbortSignal,
): Promise<'done' | 'later' | 'stop'> {
  const batches: BatchServing = { ...serving, deferrals: [] };
  for (let rest = served; rest.length > 0; ) {
    const later = await serveOnce(batches, rest, stopping);
    if (later === 'stop') return 'stop';
    rest = later;
  }
  return recordDeferrals(batches, runAt, stopping);
}

async function recordDeferrals(
  serving: BatchServing,
  runAt: bigint | undefined,
  stopping: AbortSignal,
): Promise<'done' | 'later' | 'stop'> {
  const { deferrals, deferring, ledger, tally, deps } = serving;
  const { clock } = deps.sources;
  const from = clock();
  let isAnySent = false;
  for (let deferral = deferrals.shift(); deferral !== undefined; deferral = deferrals.shift()) {
    if (stopping.aborted) return 'stop';
    if (isAnySent && (clock() - from >= maxDeferring || (runAt !== undefined && clock() >= runAt))) {
      tally.add('skipped.deferral_waits', deferrals.length + 1);
      return 'later';
    }
    const { due, at } = deferral;
    if (clock() < deferring.againAt) {
      tally.add('skipped.deferral_gas_day');
      continue;
    }
    // Only gas counts: a deferral takes none of the owner's funds.
    if (ledger.whyNot(due.plan) === 'not_served_gas') {
      tally.add('skipped.not_served_gas');
      continue;
    }
    const now = clock() - at > maxAge ? await consider(serving, due) : deferral;
    if (now === undefined) continue;
    isAnySent = true;
    const done = await ('order' in now ? runAlone(serving, now) : defer(serving, now));
    if (done === 'stop') return 'stop';
  }
  return 'done';
}

/**
 * One pass. While a batch is under way, the next plans are judged; they are simulated and sent after it. Returns the plans
 * that must wait for the outcome of earlier ones; the list shrinks with every pass.
 */
async function serveOnce(
  serving: BatchServing,
  plans: readonly DuePlan[],
  stopping: AbortSignal,
): Promise<readonly DuePlan[] | 'stop'> {
  const { deps, ledger, tally } = serving;
  const { clock } = deps.sources;
  const later: DuePlan[] = [];
  let ready: Ready[] = [];
  let since = 0n;
  /** Whether more may be sent after the batch under way. */
  let underWay = Promise.resolve(true);
  let isAnyUnderWay = false;
  const ended = async (): Promise<boolean> => {
    const maySend = await underWay;
    isAnyUnderWay = false;
    return maySend;
  };
  const send = async (): Promise<boolean> => {
    const runs = ready;
    ready = [];
    if (!(await ended()) || stopping.aborted) return false;
    isAnyUnderWay = true;
    underWay = run(serving, runs, clock() - since > maxAge, stopping);
    // The code that awaits this gets the error; until then, the rejection must not count as unhandled.
    underWay.catch(() => {});
    return true;
  };
  const stop = async (): Promise<'stop'> => {
    await ended();
    return 'stop';
  };
  try {
    for (const due of plans) {
      if (stopping.aborted) return stop();
      const skip = ledger.whyNot(due.plan);
      if (skip !== undefined) {
        // The funds may be available again after the ready runs are sent: none of them is certain to execute.
        if (ready.length > 0 || isAnyUnderWay) later.push(due);
        else tally.add(`skipped.${skip}`);
        continue;
      }
      const considered = await consider(serving, due);
      if (considered !== undefined && 'order' in considered) {
        if (ready.length === 0) since = clock();
        ready.push(considered);
        ledger.record(due.plan, 'executed');
      } else if (considered !== undefined) serving.deferrals.push(considered);
      const isTime = ready.length === deps.calls.maxOrders || (ready.length > 0 && clock() - since >= maxWait);
      if (isTime && !(await send())) return stop();
    }
  } catch (error) {
    // A node that fails one request must not block the runs already judged.
    if (isChainUnavailable(error)) await send();
    throw error;
  } finally {
    // Nothing that a round starts outlasts it.
    await underWay.catch(() => {});
  }
  return (await send()) && (await ended()) ? later : 'stop';
}

/** Sends the runs that simulate successfully as one batch, the others one by one. False if nothing more may be sent. */
async function run(
  serving: BatchServing,
  runs: readonly Ready[],
  areOld: boolean,
  stopping: AbortSignal,
): Promise<boolean> {
  const { ledger } = serving;
  const [first] = runs;
  if (runs.length === 1 && first !== undefined && !areOld) {
    ledger.undo(first.due.plan);
    return (await runAlone(serving, first)) !== 'stop';
  }
  const together = areOld ? [] : await thatWouldRun(serving, runs);
  const done = together.length > 1 ? await runTogether(serving, together) : new Map();
  if (done === 'stop') return false;
  for (const { due } of runs) {
    const outcome = done.get(due.plan.id);
    if (outcome === 'executed') continue;
    ledger.undo(due.plan);
    if (outcome === 'reverted') ledger.record(due.plan, 'reverted');
  }
  const alone = runs.filter(({ due }) => !done.has(due.plan.id));
  for (const { due } of alone) {
    if (stopping.aborted || (await serveAlone(serving, due)) === 'stop') return false;
  }
  return true;
}

/**
 * A failed run costs gas inside a batch but is refused before signing when sent alone. Batching only runs that simulate
 * successfully keeps attackers from making the keeper pay for failures.
 */
async function thatWouldRun({ deps }: BatchServing, runs: readonly Ready[]): Promise<readonly Ready[]> {
  if (runs.length === 0) return [];
  const would = await deps.previewer.wouldRun(deps.calls.executeBatch(runs.map(({ order }) => order)));
  return runs.filter((_, at) => would[at] === true);
}

/** By plan ID. A missing plan was not tried. `run_open`: nobody is charged for it. */
type Outcomes = ReadonlyMap<bigint, 'executed' | 'reverted' | typeof runOpen>;

/** A batch that was refused or cancelled tried none of its plans; one that reverted tried all of them. */
async function runTogether(serving: BatchServing, runs: readonly Ready[]): Promise<Outcomes | 'stop'> {
  const { deps, tries, tally } = serving;
  const { calls, notices, log } = deps;
  await Promise.all(runs.map(({ kept }) => kept));
  const sent = await serving.send(calls.executeBatch(runs.map(({ order }) => order)));
  if (isStop(sent)) return 'stop';
  if (sent.outcome === 'cancelled') for (const { due } of runs) tries.missed(due, 'cancelled');
  if (sent.outcome !== 'confirmed' && sent.outcome !== 'reverted') return new Map();
  // Read the transaction's own events, no matter who sent it and when it is mined: a record could be another run's.
  const failed = sent.outcome === 'confirmed' ? calls.failedRuns(sent.events) : undefined;
  const isRun = ({ due }: Ready) => failed?.has(due.plan.id) === false;
  for (const { due } of runs.filter((each) => !isRun(each))) {
    const reason = failed?.get(due.plan.id);
    if (reason === runOpen) tries.again();
    else if (reason === priceMissed) tries.missed(due, 'reverted');
    else tries.giveUp(due);
  }
  if (sent.outcome === 'confirmed') {
    for (const { due } of runs) {
      const reason = failed?.get(due.plan.id);
      tally.add(reason === undefined ? 'executed' : 'reverted');
      if (reason === undefined) {
        notices?.tell({ kind: 'run_executed', plan: due.plan });
        serving.reports.add(due, sent);
      } else reportFailure(log, due, reason, sent);
    }
  }
  const outcomeOf = (each: Ready) =>
    isRun(each) ? 'executed' : failed?.get(each.due.plan.id) === runOpen ? runOpen : 'reverted';
  return new Map(runs.map((each) => [each.due.plan.id, outcomeOf(each)]));
}

/** Judges the plan again: its facts are older now, and the executed runs may have moved the price. */
async function serveAlone(serving: BatchServing, due: DuePlan): Promise<Next> {
  const skip = serving.ledger.whyNot(due.plan);
  if (skip !== undefined) {
    serving.tally.add(`skipped.${skip}`);
    return 'next';
  }
  const considered = await consider(serving, due);
  if (considered !== undefined && 'order' in considered) return runAlone(serving, considered);
  if (considered !== undefined) serving.deferrals.push(considered);
  return 'next';
}
