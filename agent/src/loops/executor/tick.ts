import type { BalanceReader, Calls, Log, PlanReader, Sender } from '../../domain/ports.ts';
import { type Address, type Hex, WAD } from '../../domain/units.ts';
import { verdictCodes } from '../../domain/verdict.ts';
import { propose, type Sources } from '../../guard/propose.ts';
import { type Judgement, judgeProposal } from '../../guard/verdict.ts';
import { isChainUnavailable, settle } from '../outcome.ts';
import type { Tick } from '../runner.ts';
import { newTally, type Tally } from '../tally.ts';
import { canonicalJson } from './evidence.ts';
import { gasToday } from './gas.ts';
import {
  type DuePlan,
  decide,
  duePlans,
  type ServedPlan,
  type ServingPolicy,
  type Skipped,
  servedPlans,
} from './plan.ts';
import { reportDeferral, reportRun } from './report.ts';

export interface ExecutorDeps {
  readonly reader: PlanReader & BalanceReader;
  /** What a verdict is made from. */
  readonly sources: Sources;
  readonly calls: Calls;
  readonly sender: Sender;
  /** The contract that the sender operates. */
  readonly executor: Address;
  readonly policy: ServingPolicy;
  /** The deployment's own: plans with another are not served. */
  readonly priceSources: readonly Address[];
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  readonly log: Log;
}

/**
 * One round of the executor: reads every plan at one block, then judges and sends one due plan after the other, each by
 * facts read for it alone. What has been done is on chain, and the next tick reads it there; only of reverts, which leave
 * nothing there, it remembers the last of each plan.
 */
export function executorTick(deps: ExecutorDeps): Tick {
  const revertedSlots = new Map<bigint, bigint>();
  return async (stopping) => {
    const tally = newTally();
    try {
      for (const due of await plansToServe(deps, revertedSlots, tally)) {
        if (stopping.aborted) break;
        const next = await serve(deps, due, tally);
        if (next === 'stop') break;
        if (next === 'reverted') revertedSlots.set(due.plan.id, due.slotStart);
      }
    } catch (error) {
      if (!isChainUnavailable(error)) throw error;
      tally.add('chain_unavailable');
    }
    return tally.counts();
  };
}

async function plansToServe(
  deps: ExecutorDeps,
  revertedSlots: ReadonlyMap<bigint, bigint>,
  tally: Tally,
): Promise<ServedPlan[]> {
  const { reader, executor, policy, priceSources, sources } = deps;
  const { block, plans } = await reader.plans();
  const count = (skipped: readonly Skipped[]) => {
    for (const { skip } of skipped) tally.add(`skipped.${skip}`);
  };
  tally.add('plans', plans.length);
  const now = block.timestamp;
  const { assets } = sources;
  const { due, skipped } = duePlans({ now, plans, executor, assets, policy, priceSources, revertedSlots });
  count(skipped);
  tally.add('due', due.length);
  const owners = due.map(({ plan }) => plan.owner);
  const worth = {
    usdWad: await pricesOfPaidTokens(sources, due),
    gasToday: await gasToday(reader, plans, executor, owners, now),
  };
  const { served, skipped: notServed } = servedPlans(due, worth, policy);
  count(notServed);
  return served;
}

/** USD of one whole token by its own feed, by lower-case address; each asked once. */
async function pricesOfPaidTokens({ chain }: Sources, due: readonly DuePlan[]): Promise<Map<string, bigint>> {
  const prices = new Map<string, bigint>();
  const routes = new Map(due.map(({ plan, route }) => [plan.tokenIn.toLowerCase(), route]));
  for (const [token, { asset, quoteAsset, side }] of routes) {
    const facts = await chain.facts(asset, quoteAsset, side, WAD);
    const price = side === 'buy' ? facts.quoteToken : facts.chainlink;
    if (price !== undefined) prices.set(token, price.usdWad);
  }
  return prices;
}

/**
 * Judges one plan and does what follows. A failure to judge is this plan's own and leaves the others alone; a sender that
 * throws ends the tick, since nobody knows what it has sent.
 */
async function serve(deps: ExecutorDeps, due: ServedPlan, tally: Tally): Promise<'next' | 'reverted' | 'stop'> {
  const { reader, calls, sender, log } = deps;
  const { plan } = due;
  let judged: Judged;
  try {
    judged = await judge(deps, due);
  } catch (error) {
    if (isChainUnavailable(error)) throw error;
    tally.add('failed');
    log.error('plan.failed', { planId: plan.id, error });
    return 'next';
  }
  const { judgement, evidence, evidenceHash } = judged;
  const intent = decide(due, judgement);
  if (intent.kind === 'skip') {
    tally.add(`skipped.${intent.skip}`);
    return 'next';
  }
  // The chain keeps the hash alone; whoever wants to replay the verdict needs what was hashed.
  log.info('run.evidence', { planId: plan.id, verdict: judgement.verdict, evidenceHash, evidence });
  const call =
    intent.kind === 'execute'
      ? calls.execute(plan, intent.path, evidenceHash)
      : calls.defer(plan, intent.reasonCode, verdictCodes[judgement.verdict], evidenceHash);
  const settled = settle(call, await sender.send(call), tally, log);
  if (settled.state === 'refused') return 'next';
  if (settled.state !== 'confirmed') return settled.state;
  if (intent.kind === 'execute') {
    tally.add('executed');
    await reportRun(reader, log, due, settled.sent);
  } else {
    tally.add('deferred');
    reportDeferral(log, due, judgement);
  }
  return 'next';
}

interface Judged {
  readonly judgement: Judgement;
  /** Canonical JSON of everything that the judgement follows from, and its hash. */
  readonly evidence: string;
  readonly evidenceHash: Hex;
}

async function judge({ sources, hash }: ExecutorDeps, { route, runUsdWad }: ServedPlan): Promise<Judged> {
  // Without a price of what is paid there is no size to ask for. The check that needs that price will find it missing.
  const proposal = await propose(sources, route.asset, route.side, runUsdWad ?? WAD);
  const judgement = judgeProposal(proposal);
  const evidence = canonicalJson({ proposal, findings: judgement.findings });
  return { judgement, evidence, evidenceHash: hash(evidence) };
}
