import type { Asset } from '../../domain/assets.ts';
import type { GuardPolicy } from '../../domain/permissions.ts';
import type { Calls, GuardReader, Log, RescueReader, Sender } from '../../domain/ports.ts';
import { BowlineError } from '../../domain/result.ts';
import { formatUnits, type Hex } from '../../domain/units.ts';
import { isChainUnavailable, settle } from '../outcome.ts';
import type { Tick } from '../runner.ts';
import { newTally, type Tally } from '../tally.ts';
import { openPolicies, type Previewed, planRescues, type SkippedPolicy } from './plan.ts';

export interface LoanGuardDeps {
  readonly reader: GuardReader & RescueReader;
  /** For names and decimals in what is told. */
  readonly assets: readonly Asset[];
  readonly calls: Calls;
  readonly sender: Sender;
  readonly log: Log;
}

/** Simulations under way at a time. A node that is asked for all of them at once answers none. */
const atOnce = 8;

/**
 * One round of the loan guard: asks the guard contract of every open policy what a rescue would do now, and sends those
 * that it would allow, the most endangered loan first. Keeps nothing.
 */
export const loanGuardTick =
  (deps: LoanGuardDeps): Tick =>
  async (stopping) => {
    const { reader, sender } = deps;
    const tally = newTally();
    const count = (skipped: readonly SkippedPolicy[]) => {
      for (const { skip } of skipped) tally.add(`skipped.${skip}`);
    };
    const snapshot = await reader.policies().catch((error) => {
      if (!isChainUnavailable(error)) throw error;
    });
    if (snapshot === undefined) {
      tally.add('chain_unavailable');
      return tally.counts();
    }
    const { block, policies } = snapshot;
    tally.add('policies', policies.length);
    const { open, skipped } = openPolicies({ now: block.timestamp, policies, keeper: sender.address });
    count(skipped);

    const previewed: Previewed[] = [];
    for (let from = 0; from < open.length && !stopping.aborted; from += atOnce) {
      const some = await Promise.all(open.slice(from, from + atOnce).map((policy) => preview(deps, policy, tally)));
      previewed.push(...some.filter((each) => each !== undefined));
    }
    const { rescues, skipped: notDue } = planRescues(previewed);
    count(notDue);
    tally.add('due', rescues.length);
    for (const policy of rescues) {
      if (stopping.aborted) break;
      if ((await rescue(deps, policy, tally)) === 'stop') break;
    }
    return tally.counts();
  };

/** Undefined when it failed: one loan that cannot be simulated must not keep the others from being rescued. */
async function preview(deps: LoanGuardDeps, policy: GuardPolicy, tally: Tally): Promise<Previewed | undefined> {
  const { reader, log } = deps;
  try {
    const answer = await reader.preview(policy.id);
    if (!answer.due) return { policy, preview: answer };
    const loan = await reader.health(policy.borrower).catch(() => undefined);
    return loan === undefined ? { policy, preview: answer } : { policy, preview: answer, loan };
  } catch (error) {
    tally.add(isChainUnavailable(error) ? 'chain_unavailable' : 'failed');
    log.error('policy.failed', { policyId: policy.id, error });
    return undefined;
  }
}

async function rescue(deps: LoanGuardDeps, policy: GuardPolicy, tally: Tally): Promise<'next' | 'stop'> {
  const { calls, sender, log } = deps;
  const call = calls.rescue(policy);
  const settled = settle(call, await sender.send(call), tally, log);
  if (settled.state === 'stop') return 'stop';
  if (settled.state === 'confirmed') {
    tally.add('rescued');
    await reportRescue(deps, policy, settled.sent.hash);
  }
  return 'next';
}

/** Told after the fact and apart from it: a report that cannot be made does not undo the rescue. Never throws. */
async function reportRescue({ reader, log, assets }: LoanGuardDeps, policy: GuardPolicy, hash: Hex): Promise<void> {
  const known = { policyId: policy.id, borrower: policy.borrower, hash };
  try {
    const [record] = await reader.rescues(policy.id, policy.rescues, policy.rescues + 1);
    if (record === undefined) throw new BowlineError('internal', `Policy ${policy.id} has no record of its rescue.`);
    const token = assets.find(({ address }) => address.toLowerCase() === policy.repayToken.toLowerCase());
    log.info('rescue.done', {
      ...known,
      repaid: token === undefined ? record.repaid : `${formatUnits(record.repaid, token.decimals)} ${token.symbol}`,
      outcome: record.outcome,
      healthBefore: formatUnits(record.healthBeforeWad, 18),
      healthAfter: record.healthAfterWad === undefined ? 'no debt left' : formatUnits(record.healthAfterWad, 18),
    });
  } catch (error) {
    log.info('rescue.done', known);
    log.warn('report.failed', { policyId: policy.id, error });
  }
}
