import { evidenceOf } from '../../domain/evidence.ts';
import type { BalanceReader, Calls, Log, PlanReader, Sender } from '../../domain/ports.ts';
import type { Ticket, TicketSigner } from '../../domain/ticket.ts';
import { type Address, type Hex, largest, WAD } from '../../domain/units.ts';
import { propose, type Sources } from '../../guard/propose.ts';
import { rulesVersion } from '../../guard/rules.ts';
import { ticketOf } from '../../guard/ticket.ts';
import { type Judgement, judgeProposal } from '../../guard/verdict.ts';
import { createDispatch, type Dispatch } from '../dispatch.ts';
import { isChainUnavailable, type Settled } from '../outcome.ts';
import type { Round } from '../runner.ts';
import { newTally, type Tally } from '../tally.ts';
import { sparing } from './exchange.ts';
import { gasToday } from './gas.ts';
import { type Ledger, openLedger } from './ledger.ts';
import {
  type DuePlan,
  decide,
  duePlans,
  nextSlotStart,
  type PlansSnapshot,
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
  /** Signs verdicts for the plans that need that; absent: they are not served. */
  readonly tickets?: TicketSigner;
  readonly log: Log;
}

/** Between two rounds of which the second is not due by the interval, whatever plans there are: each reads all of them. */
const leastSeconds = 15n;
/** After a slot's start, so that a block of its time is there to be read. */
const blockSeconds = 2n;

/**
 * One round of the executor: reads every plan, then judges and sends one due plan after the other, each by chain facts
 * read for it alone. What has been done is on chain, and the next tick reads it there; only of reverts, which leave
 * nothing there, it remembers the last of each plan, and of a call whose outcome was not known what is to be told of it.
 *
 * The next round is asked for when the next slot begins, or soon when the chain did not answer or nothing could be sent: a
 * window may be shorter than the interval. Both times are the chain's own, so that a node that lags shifts the start by its lag and no more.
 */
export function executorTick(given: ExecutorDeps): (stopping: AbortSignal) => Promise<Round> {
  const revertedSlots = new Map<bigint, bigint>();
  const dispatch = createDispatch(given.sender, given.log);
  const { exchange, clock } = given.sources;
  const deps = exchange ? { ...given, sources: { ...given.sources, exchange: sparing(exchange, clock) } } : given;
  return async (stopping) => {
    const tally = newTally();
    let nextIn: bigint | undefined;
    try {
      if (!(await dispatch.findLost(tally))) return { counts: tally.counts(), nextInSeconds: Number(leastSeconds) };
      const snapshot = await readPlans(deps, revertedSlots, tally);
      const start = nextSlotStart(snapshot);
      if (start !== undefined) nextIn = start + blockSeconds - snapshot.now;
      const { served, ledger } = await plansToServe(deps, snapshot, tally);
      for (const due of served) {
        if (stopping.aborted) break;
        const skip = ledger.whyNot(due.plan);
        const done = skip === undefined ? await serve(deps, dispatch, revertedSlots, due, tally) : 'nothing';
        if (skip !== undefined) tally.add(`skipped.${skip}`);
        if (done === 'stop') {
          nextIn = leastSeconds;
          break;
        }
        if (done !== 'nothing') ledger.record(due.plan, done);
      }
    } catch (error) {
      if (!isChainUnavailable(error)) throw error;
      tally.add('chain_unavailable');
      nextIn = leastSeconds;
    }
    const counts = tally.counts();
    return nextIn === undefined ? { counts } : { counts, nextInSeconds: Number(largest([nextIn, leastSeconds])) };
  };
}

async function readPlans(
  deps: ExecutorDeps,
  revertedSlots: ReadonlyMap<bigint, bigint>,
  tally: Tally,
): Promise<PlansSnapshot> {
  const { reader, executor, policy, priceSources, sources, tickets } = deps;
  const { block, plans, unread } = await reader.plans();
  tally.add('plans', plans.length);
  if (unread > 0) tally.add('unread', unread);
  return {
    now: block.timestamp,
    plans,
    executor,
    assets: sources.assets,
    policy,
    priceSources,
    revertedSlots,
    verdictSigner: tickets?.address,
  };
}

async function plansToServe(
  { reader, sources, executor, policy }: ExecutorDeps,
  snapshot: PlansSnapshot,
  tally: Tally,
): Promise<{ served: readonly DuePlan[]; ledger: Ledger }> {
  const { now, plans } = snapshot;
  const count = (skipped: readonly Skipped[]) => {
    for (const { skip } of skipped) tally.add(`skipped.${skip}`);
  };
  const { due, skipped } = duePlans(snapshot);
  count(skipped);
  tally.add('due', due.length);
  const { served, skipped: notServed } = servedPlans(due, await pricesOfPaidTokens(sources, due), policy);
  count(notServed);
  const owners = served.map(({ plan }) => plan.owner);
  return { served, ledger: openLedger(await gasToday(reader, plans, executor, owners, now), policy) };
}

/** USD of one whole token by its own feed, by lower-case address; each asked once. */
async function pricesOfPaidTokens({ chain }: Sources, due: readonly DuePlan[]): Promise<Map<string, bigint>> {
  const prices = new Map<string, bigint>();
  const routes = new Map(due.map(({ plan, route }) => [plan.tokenIn.toLowerCase(), route]));
  for (const [token, { asset, quoteAsset, side }] of routes) {
    const facts = await chain.facts(asset, quoteAsset, side, { usdWad: WAD });
    const price = side === 'buy' ? facts.quoteToken : facts.chainlink;
    if (price !== undefined) prices.set(token, price.usdWad);
  }
  return prices;
}

/**
 * Judges one plan and does what follows. A failure to judge is this plan's own and leaves the others alone; a sender that
 * throws ends the tick, since nobody knows what it has sent.
 */
async function serve(
  deps: ExecutorDeps,
  dispatch: Dispatch,
  revertedSlots: Map<bigint, bigint>,
  due: DuePlan,
  tally: Tally,
): Promise<Done> {
  const { reader, calls, log } = deps;
  const { plan } = due;
  let judged: Judged;
  try {
    judged = await judge(deps, due);
  } catch (error) {
    if (isChainUnavailable(error)) throw error;
    tally.add('failed');
    log.error('plan.failed', { planId: plan.id, error });
    return 'nothing';
  }
  const { judgement, evidence, ticket, signature } = judged;
  const intent = decide(due, judgement);
  if (intent.kind === 'skip') {
    tally.add(`skipped.${intent.skip}`);
    return 'nothing';
  }
  // The chain keeps the hash alone; whoever wants to replay the verdict needs what was hashed. Before it is sent, or a kill
  // in between would leave a record that nobody can replay.
  log.info('run.evidence', {
    planId: plan.id,
    verdict: judgement.verdict,
    evidenceHash: ticket.evidenceHash,
    evidence,
  });
  const call =
    intent.kind === 'execute'
      ? calls.execute(plan, intent.path, ticket, signature)
      : calls.defer(plan, intent.reasonCode, ticket, signature);
  return dispatch.send(call, tally, async (settled: Settled, counted: Tally): Promise<Done> => {
    if (settled.state === 'refused') return 'nothing';
    if (settled.state === 'reverted') revertedSlots.set(plan.id, due.slotStart);
    if (settled.state !== 'confirmed') return settled.state;
    if (intent.kind === 'execute') {
      counted.add('executed');
      await reportRun(reader, log, due, settled.sent);
      return 'executed';
    }
    counted.add('deferred');
    reportDeferral(log, due, judgement);
    return 'deferred';
  });
}

const isNobody = (address: Address): boolean => BigInt(address) === 0n;

/** What became of a plan; `stop`: nothing more may be sent in this tick. */
type Done = 'executed' | 'deferred' | 'reverted' | 'nothing' | 'stop';

interface Judged {
  readonly judgement: Judgement;
  /** Canonical JSON of everything that the judgement follows from; its hash is in the ticket. */
  readonly evidence: string;
  readonly ticket: Ticket;
  /** Empty for a plan that names no signer: its executor's word is all there is. */
  readonly signature: Hex;
}

async function judge({ sources, hash, tickets }: ExecutorDeps, { plan, route }: DuePlan): Promise<Judged> {
  // The very amount that will be paid: a size in dollars would be another one at another block.
  const proposal = await propose(sources, route.asset, route.side, { paid: plan.amountPerRun });
  const judgement = judgeProposal(proposal);
  const evidence = evidenceOf(rulesVersion, proposal, judgement.verdict, judgement.findings);
  const ticket = ticketOf(proposal, plan, judgement.verdict, hash(evidence));
  const signature = isNobody(plan.verdictSigner) || tickets === undefined ? '0x' : await tickets.sign(ticket);
  return { judgement, evidence, ticket, signature };
}
