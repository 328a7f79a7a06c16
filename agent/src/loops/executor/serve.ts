import { wasDeferredToday } from '@bowline/chain/deferred-today';
import type { BalanceReader, PlanReader } from '@bowline/chain/readers';
import { evidenceOf } from '@bowline/core/domain/evidence';
import type { EvidenceStore } from '@bowline/core/domain/evidence-store';
import type { Log } from '@bowline/core/domain/log';
import type { Notices } from '@bowline/core/domain/notices';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Call, Calls, Order, Sent } from '@bowline/core/domain/sending';
import type { Ticket, TicketSigner } from '@bowline/core/domain/ticket';
import type { Hex } from '@bowline/core/domain/units';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { isTermBelowFeeAlone, silenceBehind } from '@bowline/core/verdict/sole-cause';
import { ticketOf } from '@bowline/core/verdict/ticket';
import { judgeRun } from '../../sources/judge-run.ts';
import type { Sources } from '../../sources/propose.ts';
import { isChainUnavailable, isStop, type Tally } from '../runner.ts';
import type { Ledger } from './ledger.ts';
import { type DuePlan, decide } from './plan.ts';
import { type Reports, reportDeferral, reportSilence } from './report.ts';
import type { OrderLooks, Tries } from './tries.ts';

// Serves one plan: judges it, then runs or defers it.

export interface ServeDeps extends Judging {
  readonly reader: PlanReader & BalanceReader;
  readonly calls: Calls;
  /** Absent: the log carries the evidence. */
  readonly evidenceStore?: Pick<EvidenceStore, 'keep'>;
  /** Absent: no notices. */
  readonly notices?: Notices;
  readonly log: Log;
}

/** State of a round that serves plans. */
export interface Serving<Deps extends ServeDeps = ServeDeps> {
  readonly deps: Deps;
  /** Resolves when the outcome is final. */
  readonly send: (call: Call) => Promise<Sent>;
  /** Kept across rounds. */
  readonly tries: Tries;
  /** Kept across rounds. */
  readonly looks: OrderLooks;
  /** By plan ID: start of the slot in which a silent source was last reported. Kept across rounds. */
  readonly silentSlots: Map<bigint, bigint>;
  /** No deferral is tried before `againAt`, unix seconds: the day's gas for them is used up. Kept across rounds. */
  readonly deferring: { againAt: bigint };
  readonly ledger: Ledger;
  readonly reports: Reports;
  readonly tally: Tally;
}

/** `stop`: send nothing more in this round. */
export type Next = 'next' | 'stop';

/** Seconds until deferrals are tried again after the day's gas forbade one: the day may be over by then. */
const deferringAgainSeconds = 3_600n;

/** The contract's error for an output below the floor, whether the plan's own floor or the ticket's. */
export const priceMissed = 'floor_not_met';

/** The contract's error while a run is open. Our runs end in their own transactions, so it is someone else's. */
export const runOpen = 'run_open';

/** A run that was judged GO and has not been sent. */
export interface Ready {
  readonly due: DuePlan;
  readonly order: Order;
  /** Resolves when its evidence is safe, on disk or in the log. Await it before sending the run; never rejects. */
  readonly kept: Promise<void>;
}

/** A verdict other than GO that is to be recorded. */
export interface Deferral {
  readonly due: DuePlan;
  readonly judged: Judged;
  readonly reasonCode: number;
  /** When it was judged, unix seconds. */
  readonly at: bigint;
}

/** Judges one plan. A failed judgement affects this plan alone. */
export async function consider(serving: Serving, due: DuePlan): Promise<Ready | Deferral | undefined> {
  const { deps, tally } = serving;
  const { plan } = due;
  try {
    const at = deps.sources.clock();
    const judged = await judge(deps, due);
    const { judgement, ticket, silent, route, isTermBelowFee, isBelowLimit } = judged;
    const intent = decide(due, { ...judgement, silent, isTermBelowFee, isBelowLimit, ...(route && { route }) });
    if (intent.kind === 'defer') {
      const { reasonCode } = intent;
      const isRepeated = await wasDeferredToday(deps.reader, plan, reasonCode, ticket.issuedAt);
      if (!isRepeated) return { due, judged, reasonCode, at };
      tally.add('skipped.deferred_today');
      return undefined;
    }
    if (intent.kind === 'execute') {
      const order = { plan, path: intent.path, ticket, signature: await sign(deps, due, ticket) };
      // The next plan is judged while the disk writes.
      return { due, order, kept: keepEvidence(deps, due, judged) };
    }
    tally.add(`skipped.${intent.skip}`);
    if (intent.skip === 'limit_not_reached') serving.looks.missed(due);
    if (intent.skip === 'source_silent') reportSilenceOnce(serving, due, judged);
  } catch (error) {
    if (isChainUnavailable(error)) throw error;
    tally.add('failed');
    deps.log.error('plan.failed', { planId: plan.id, error });
  }
  return undefined;
}

/** Records why a plan did not run. A sender that throws ends the round, since its transaction status is unknown. */
export async function defer(serving: Serving, { due, judged, reasonCode }: Deferral): Promise<Next> {
  const { deps, tries, ledger, tally } = serving;
  const { calls, log } = deps;
  const { plan } = due;
  const { judgement, ticket } = judged;
  const signature = await sign(deps, due, ticket).catch((error: unknown) =>
    log.error('plan.failed', { planId: plan.id, error }),
  );
  if (signature === undefined) {
    tally.add('failed');
    return 'next';
  }
  await keepEvidence(deps, due, judged);
  const sent = await serving.send(calls.defer(plan, reasonCode, ticket, signature));
  if (sent.outcome === 'not_allowed' && sent.rule === 'deferral_gas_day') {
    serving.deferring.againAt = deps.sources.clock() + deferringAgainSeconds;
    tally.add('skipped.deferral_gas_day');
  }
  if (sent.outcome !== 'confirmed') return notDone(serving, due, sent, () => tries.giveUp(due));
  tally.add('deferred');
  reportDeferral(log, due, judgement);
  ledger.record(plan, 'deferred');
  return 'next';
}

/**
 * The chain stores only the hash; replaying the verdict needs the hashed text. It is kept before anything is sent: a kill
 * in between would otherwise leave a record that nobody can replay. The log carries what the disk does not accept.
 */
async function keepEvidence(
  { evidenceStore, log }: ServeDeps,
  { plan }: DuePlan,
  { judgement, evidence, ticket: { evidenceHash } }: Judged,
): Promise<void> {
  const isKept = await evidenceStore?.keep(evidenceHash, evidence);
  const known = { planId: plan.id, verdict: judgement.verdict, evidenceHash };
  log.info('run.evidence', isKept ? known : { ...known, evidence });
}

/** Reports once per slot: the plan comes up again in every round until the slot closes. */
function reportSilenceOnce({ deps, silentSlots }: Serving, due: DuePlan, { judgement, silent }: Judged): void {
  const { plan, slotStart } = due;
  if (silentSlots.get(plan.id) === slotStart) return;
  silentSlots.set(plan.id, slotStart);
  reportSilence(deps.log, due, judgement, silent);
}

/**
 * Sends one run in its own transaction. A reverted transaction carries no reason; because its simulation succeeded a
 * moment before, the price is assumed to be the cause.
 */
export async function runAlone(serving: Serving, { due, order, kept }: Ready): Promise<Next> {
  const { deps, tries, ledger, tally, reports } = serving;
  const { plan } = due;
  await kept;
  const sent = await serving.send(deps.calls.execute(order));
  if (sent.outcome === 'would_revert' && sent.error === priceMissed) tries.missed(due, 'refused');
  if (sent.outcome !== 'confirmed') return notDone(serving, due, sent, () => tries.missed(due, 'reverted'));
  tally.add('executed');
  deps.notices?.tell({ kind: 'run_executed', plan });
  reports.add(due, sent);
  ledger.record(plan, 'executed');
  return 'next';
}

function notDone({ tries, ledger }: Serving, due: DuePlan, sent: Sent, onRevert: () => void): Next {
  if (sent.outcome === 'cancelled') tries.missed(due, 'cancelled');
  if ('error' in sent && sent.error === runOpen) tries.again();
  else if (sent.outcome === 'reverted') {
    onRevert();
    ledger.record(due.plan, 'reverted');
  }
  return isStop(sent) ? 'stop' : 'next';
}

export interface Judging {
  /** Inputs of a verdict. */
  readonly sources: Sources;
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  /** Sign verdicts, each for the plans that name it. Plans that name any other signer are not served. */
  readonly tickets?: readonly TicketSigner[];
}

type Judged = Awaited<ReturnType<typeof judge>>;

/** Judges one plan by chain facts read now, for this plan alone. */
export async function judge({ sources, hash }: Judging, { plan, pairing }: DuePlan) {
  const { proposal, judgement, isBelowLimit } = await judgeRun(sources, plan, pairing);
  /** Canonical JSON of everything the judgement follows from. The ticket, which is unsigned, carries its hash. */
  const evidence = evidenceOf(rulesVersion, proposal, judgement.verdict, judgement.findings);
  const ticket = ticketOf(proposal, plan, judgement.verdict, hash(evidence));
  const { route } = proposal.chain;
  /** The plan's own slippage, which is below the pool's fee, is the only obstacle. */
  const isTermBelowFee =
    judgement.verdict !== 'GO' && isTermBelowFeeAlone(proposal, plan, sources.limitsOf(pairing.asset));
  /** Own sources whose silence is the only obstacle to GO; usually empty. */
  const silent = silenceBehind(proposal, judgement);
  return { judgement, ...(route && { route }), silent, isTermBelowFee, isBelowLimit, evidence, ticket };
}

/**
 * Signature of the ticket; empty for a plan without a verdict signer, which trusts its executor. Sign only tickets that
 * will be sent: anyone who obtains a signed ticket can present it as our verdict.
 */
async function sign({ tickets = [] }: Judging, { plan }: DuePlan, ticket: Ticket): Promise<Hex> {
  const named = tickets.find(({ address }) => sameAddress(address, plan.verdictSigner));
  return named === undefined ? '0x' : named.sign(ticket);
}
