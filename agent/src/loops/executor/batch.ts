// Runs that go together, several in one transaction.

import type { BatchPreviewer } from '@bowline/core/domain/ports';
import { type Confirmed, isChainUnavailable, type Settled } from '../dispatch.ts';
import type { Tally } from '../runner.ts';
import type { DuePlan } from './plan.ts';
import { reportFailure, reportRun } from './report.ts';
import { consider, priceMissed, type Ready, runAlone, type ServeDeps, type Serving } from './serve.ts';

export interface BatchDeps extends ServeDeps {
  readonly previewer: BatchPreviewer;
}

type BatchServing = Serving<BatchDeps>;

/** How long a run that is judged waits for others, seconds: its price grows old, and its slot may close. */
const maxWait = 10n;
/** After which it is judged anew: a deferral that is cancelled in between takes a minute. */
const maxAge = 30n;

/** Judges the plans one after the other, and sends those that may run together. `stop`: nothing more may be sent. */
export async function servePlans(
  serving: BatchServing,
  served: readonly DuePlan[],
  stopping: AbortSignal,
): Promise<'done' | 'stop'> {
  for (let rest = served; rest.length > 0; ) {
    const later = await serveOnce(serving, rest, stopping);
    if (later === 'stop') return 'stop';
    rest = later;
  }
  return 'done';
}

/** Answers the plans that must wait for what becomes of those before them: fewer each time. */
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
  const send = async (): Promise<boolean> => {
    const runs = ready;
    ready = [];
    return !stopping.aborted && (await run(serving, runs, clock() - since > maxAge, stopping));
  };
  try {
    for (const due of plans) {
      if (stopping.aborted) return 'stop';
      const skip = ledger.whyNot(due.plan);
      if (skip !== undefined) {
        // The money may be there again when those that are ready have been sent: none of them is sure to be run.
        if (ready.length > 0) later.push(due);
        else tally.add(`skipped.${skip}`);
        continue;
      }
      const considered = await consider(serving, due);
      if (considered === 'stop') return 'stop';
      if (typeof considered === 'object') {
        if (ready.length === 0) since = clock();
        ready.push(considered);
        ledger.record(due.plan, 'executed');
      }
      const isTime = ready.length === deps.calls.maxOrders || (ready.length > 0 && clock() - since >= maxWait);
      if (isTime && !(await send())) return 'stop';
    }
  } catch (error) {
    // A node that does not answer every question must not keep from its run whoever was judged before.
    if (isChainUnavailable(error)) await send();
    throw error;
  }
  return (await send()) ? later : 'stop';
}

/** Those that would be run go together, the others one by one. False when nothing more may be sent. */
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
    const became = done.get(due.plan.id);
    if (became === 'executed') continue;
    ledger.undo(due.plan);
    if (became === 'reverted') ledger.record(due.plan, 'reverted');
  }
  const alone = runs.filter(({ due }) => !done.has(due.plan.id));
  for (const { due } of alone) {
    if (stopping.aborted || (await serveAlone(serving, due)) === 'stop') return false;
  }
  return true;
}

/** A run that fails in a batch is paid for; alone, it is refused before it is signed. So nobody can have us pay for failures. */
async function thatWouldRun({ deps }: BatchServing, runs: readonly Ready[]): Promise<readonly Ready[]> {
  if (runs.length === 0) return [];
  const would = await deps.previewer.wouldRun(deps.calls.executeBatch(runs.map(({ order }) => order)));
  return runs.filter((_, at) => would[at] === true);
}

/** By plan. A plan that is missing was not tried. */
type Became = ReadonlyMap<bigint, 'executed' | 'reverted'>;

/** A batch that is refused, or cancelled, has tried none of its plans; one that reverted has tried them all. */
async function runTogether(serving: BatchServing, runs: readonly Ready[]): Promise<Became | 'stop'> {
  const { deps, dispatch, tries, tally } = serving;
  const { calls, reader, log } = deps;
  const batch = calls.executeBatch(runs.map(({ order }) => order));
  return dispatch.send(batch, tally, async (settled: Settled, counted: Tally): Promise<Became | 'stop'> => {
    if (settled.state === 'stop') return 'stop';
    if (settled.state === 'refused') return new Map();
    // The transaction's own events say it all, whenever it is found and whoever carried it; a record could be another's run.
    const failed = settled.state === 'confirmed' ? calls.failedRuns(settled.sent.events) : undefined;
    const isRun = ({ due }: Ready) => failed?.has(due.plan.id) === false;
    for (const { due } of runs.filter((each) => !isRun(each))) {
      if (failed?.get(due.plan.id) === priceMissed) tries.missed(due, 'reverted');
      else tries.giveUp(due);
    }
    if (settled.state === 'confirmed') await tell(settled.sent);
    return new Map(runs.map((each) => [each.due.plan.id, isRun(each) ? 'executed' : 'reverted']));

    async function tell(sent: Confirmed): Promise<void> {
      for (const { due } of runs) {
        const reason = failed?.get(due.plan.id);
        counted.add(reason === undefined ? 'executed' : 'reverted');
        if (reason === undefined) await reportRun(reader, log, due, sent);
        else reportFailure(log, due, reason, sent);
      }
    }
  });
}

/** Judged anew: what was found of it is older now, and what has been run may have moved the price. */
async function serveAlone(serving: BatchServing, due: DuePlan): Promise<unknown> {
  const skip = serving.ledger.whyNot(due.plan);
  if (skip !== undefined) return serving.tally.add(`skipped.${skip}`);
  const considered = await consider(serving, due);
  return typeof considered === 'object' ? runAlone(serving, considered) : considered;
}
