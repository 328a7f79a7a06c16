import type { BalanceReader, PlanReader } from '@bowline/chain/readers';
import type { Log } from '@bowline/core/domain/log';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits, withSymbol } from '@bowline/core/domain/units';
import type { Judgement } from '@bowline/core/verdict/rules';
import pLimit from 'p-limit';
import type { Confirmed } from '../runner.ts';
import type { DuePlan } from './plan.ts';

export type Reports = ReturnType<typeof createReports>;

/** A run's report takes three requests, and nodes soon forget the balances before it. */
const atOnce = 4;

/** Reports of a round's executed runs. No run waits for the report of another. */
export function createReports(reader: PlanReader & BalanceReader, log: Log, stopping: AbortSignal) {
  const reading = pLimit(atOnce);
  let logged = Promise.resolve();
  return {
    add(due: DuePlan, sent: Confirmed) {
      const report = reading(() => readReport(reader, log, due, sent, stopping));
      // In the order of the runs.
      logged = logged.then(async () => (await report)());
    },
    /** Resolves when all are logged. Reports not begun when the agent stopped are logged without reading anything. */
    ended: () => logged,
  };
}

/** Returns a function that logs an executed run. Never throws: a failed report does not undo the run. */
async function readReport(
  reader: PlanReader & BalanceReader,
  log: Log,
  { plan, pairing, slotStart }: DuePlan,
  { hash, block }: Confirmed,
  stopping: AbortSignal,
): Promise<() => void> {
  const known = { planId: plan.id, asset: pairing.asset.symbol, hash };
  if (stopping.aborted) return () => log.info('run.executed', known);
  const [paid, received] =
    pairing.side === 'buy' ? [pairing.quoteAsset, pairing.asset] : [pairing.asset, pairing.quoteAsset];
  const tokens = [paid.address, received.address];
  try {
    const [before, after, records] = await Promise.all([
      reader.balances(plan.owner, tokens, block - 1n),
      reader.balances(plan.owner, tokens, block),
      // A slot has at most four deferrals, all before its run.
      reader.runs(plan.id, plan.records, plan.records + 5),
    ]);
    const run = records.find((record) => record.outcome === 'executed' && record.slotStart === slotStart);
    if (run === undefined) throw new BowlineError('internal', `Plan ${plan.id} has no record of its run.`);
    const held = ([ofPaid = 0n, ofReceived = 0n]: readonly bigint[]) => ({
      [paid.symbol]: formatUnits(ofPaid, paid.decimals),
      [received.symbol]: formatUnits(ofReceived, received.decimals),
    });
    const done = {
      ...known,
      paid: withSymbol(run.amountIn, paid),
      received: withSymbol(run.amountOut, received),
      floor: withSymbol(run.floor, received),
      ownerBefore: held(before),
      ownerAfter: held(after),
    };
    return () => log.info('run.executed', done);
  } catch (error) {
    return () => {
      log.info('run.executed', known);
      log.warn('report.failed', { planId: plan.id, error });
    };
  }
}

/** Logs a run that failed inside a successful batch: it cost gas and did nothing. */
export function reportFailure(log: Log, { plan, pairing }: DuePlan, reason: string, { hash, block }: Confirmed): void {
  log.warn('run.failed', { planId: plan.id, asset: pairing.asset.symbol, reason, hash, block });
}

export function reportDeferral(log: Log, due: DuePlan, judgement: Judgement): void {
  log.info('run.deferred', saidOf(due, judgement));
}

/** Logs a plan that was left alone with its slot open because only our own sources are missing. */
export function reportSilence(log: Log, due: DuePlan, judgement: Judgement, silent: readonly string[]): void {
  log.warn('run.skipped', { ...saidOf(due, judgement), skip: 'source_silent', silent });
}

function saidOf({ plan, pairing }: DuePlan, { verdict, reason, findings }: Judgement) {
  const detail = findings.find((finding) => finding.reason === reason)?.detail;
  return { planId: plan.id, asset: pairing.asset.symbol, verdict, reason, detail };
}
