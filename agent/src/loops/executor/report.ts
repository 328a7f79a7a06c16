import type { Asset } from '@bowline/core/domain/assets';
import type { BalanceReader, Log, PlanReader } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import type { Judgement } from '@bowline/core/verdict/rules';
import type { Confirmed } from '../runner.ts';
import type { DuePlan } from './plan.ts';

/** Logs an executed run. Runs after the fact and never throws: a failed report does not undo the run. */
export async function reportRun(
  reader: PlanReader & BalanceReader,
  log: Log,
  { plan, route, slotStart }: DuePlan,
  { hash, block }: Confirmed,
): Promise<void> {
  const known = { planId: plan.id, asset: route.asset.symbol, hash };
  const [paid, received] = route.side === 'buy' ? [route.quoteAsset, route.asset] : [route.asset, route.quoteAsset];
  const tokens = [paid.address, received.address];
  try {
    const [before, after, records] = await Promise.all([
      reader.balances(plan.owner, tokens, block - 1n),
      reader.balances(plan.owner, tokens, block),
      // A slot's run follows its deferrals, of which there are at most four.
      reader.runs(plan.id, plan.records, plan.records + 5),
    ]);
    const run = records.find((record) => record.outcome === 'executed' && record.slotStart === slotStart);
    if (run === undefined) throw new BowlineError('internal', `Plan ${plan.id} has no record of its run.`);
    const held = ([ofPaid = 0n, ofReceived = 0n]: readonly bigint[]) => ({
      [paid.symbol]: formatUnits(ofPaid, paid.decimals),
      [received.symbol]: formatUnits(ofReceived, received.decimals),
    });
    log.info('run.executed', {
      ...known,
      paid: withSymbol(run.amountIn, paid),
      received: withSymbol(run.amountOut, received),
      floor: withSymbol(run.floor, received),
      ownerBefore: held(before),
      ownerAfter: held(after),
    });
  } catch (error) {
    log.info('run.executed', known);
    log.warn('report.failed', { planId: plan.id, error });
  }
}

const withSymbol = (amount: bigint, { decimals, symbol }: Asset) => `${formatUnits(amount, decimals)} ${symbol}`;

/** Logs a run that failed inside a successful batch: it cost gas and did nothing. */
export function reportFailure(log: Log, { plan, route }: DuePlan, reason: string, { hash, block }: Confirmed): void {
  log.warn('run.failed', { planId: plan.id, asset: route.asset.symbol, reason, hash, block });
}

export function reportDeferral(log: Log, due: DuePlan, judgement: Judgement): void {
  log.info('run.deferred', saidOf(due, judgement));
}

/** Logs a plan that was left alone with its slot open because only our own sources are missing. */
export function reportSilence(log: Log, due: DuePlan, judgement: Judgement, silent: readonly string[]): void {
  log.warn('run.skipped', { ...saidOf(due, judgement), skip: 'source_silent', silent });
}

function saidOf({ plan, route }: DuePlan, { verdict, reason, findings }: Judgement) {
  const detail = findings.find((finding) => finding.reason === reason)?.detail;
  return { planId: plan.id, asset: route.asset.symbol, verdict, reason, detail };
}
