import type { Asset } from '../../domain/assets.ts';
import type { GuardPolicy } from '../../domain/permissions.ts';
import type { Calls, GuardReader, Log, MarketReader, RescueReader, Sender } from '../../domain/ports.ts';
import { BowlineError } from '../../domain/result.ts';
import { formatUnits, type Hex, WAD } from '../../domain/units.ts';
import { isChainUnavailable, settle } from '../outcome.ts';
import type { Round } from '../runner.ts';
import { newTally, type Tally } from '../tally.ts';
import {
  type GuardServingPolicy,
  openPolicies,
  type Previewed,
  planRescues,
  repayAssetOf,
  repayUsdWadDown,
  type SkippedPolicy,
} from './plan.ts';

export interface LoanGuardDeps {
  readonly reader: GuardReader & RescueReader;
  /** What may be repaid, and for names and decimals in what is told. */
  readonly assets: readonly Asset[];
  /** Says what a repayment is worth. */
  readonly chain: MarketReader;
  readonly serving: GuardServingPolicy;
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
  (deps: LoanGuardDeps) =>
  async (stopping: AbortSignal): Promise<Round> => {
    const { reader, sender, assets, serving } = deps;
    const tally = newTally();
    const count = (skipped: readonly SkippedPolicy[]) => {
      for (const { skip } of skipped) tally.add(`skipped.${skip}`);
    };
    const snapshot = await reader.policies().catch((error) => {
      if (!isChainUnavailable(error)) throw error;
    });
    if (snapshot === undefined) {
      tally.add('chain_unavailable');
      return { counts: tally.counts() };
    }
    const { block, policies, unread } = snapshot;
    tally.add('policies', policies.length);
    if (unread > 0) tally.add('unread', unread);
    const { open, skipped } = openPolicies({ now: block.timestamp, policies, keeper: sender.address, assets, serving });
    count(skipped);

    const previewed: Previewed[] = [];
    for (let from = 0; from < open.length && !stopping.aborted; from += atOnce) {
      const some = await Promise.all(open.slice(from, from + atOnce).map((policy) => preview(deps, policy, tally)));
      previewed.push(...some.filter((each) => each !== undefined));
    }
    const { rescues, skipped: notDue } = planRescues(await worthOf(deps, previewed, tally), serving);
    count(notDue);
    tally.add('due', rescues.length);
    for (const policy of rescues) {
      if (stopping.aborted) break;
      if ((await rescue(deps, policy, tally)) === 'stop') break;
    }
    return { counts: tally.counts() };
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

/** Adds what the repayments are worth, each token's price read once. */
async function worthOf(deps: LoanGuardDeps, previewed: readonly Previewed[], tally: Tally): Promise<Previewed[]> {
  const prices = new Map<Asset, bigint | undefined>();
  const worth: Previewed[] = [];
  for (const each of previewed) {
    const asset = repayAssetOf(each.policy, deps.assets);
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

/** USD of one whole token by its own feed; undefined when it could not be read. */
async function priceOf({ assets, chain, log }: LoanGuardDeps, asset: Asset, tally: Tally): Promise<bigint | undefined> {
  const quoteAsset = assets.find(({ symbol }) => symbol === asset.pool.quote);
  if (quoteAsset === undefined) throw new BowlineError('internal', `${asset.symbol} has no quote asset.`);
  try {
    const { chainlink } = await chain.facts(asset, quoteAsset, 'sell', WAD);
    return chainlink?.usdWad;
  } catch (error) {
    if (!isChainUnavailable(error)) throw error;
    tally.add('chain_unavailable');
    log.error('price.failed', { asset: asset.symbol, error });
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
    const token = repayAssetOf(policy, assets);
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
