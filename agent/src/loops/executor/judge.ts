import { evidenceOf } from '@bowline/core/domain/evidence';
import type { Ticket, TicketSigner } from '@bowline/core/domain/ticket';
import type { Hex } from '@bowline/core/domain/units';
import { stricter } from '@bowline/core/verdict/limits';
import type { Judgement } from '@bowline/core/verdict/rules';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { type OwnFact, silenceBehind } from '@bowline/core/verdict/silence';
import { ticketOf } from '@bowline/core/verdict/ticket';
import { propose, type Sources } from '../../sources/propose.ts';
import type { DuePlan } from './plan.ts';

export interface Judging {
  /** What a verdict is made from. */
  readonly sources: Sources;
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  /** Signs verdicts for the plans that need that; absent: they are not served. */
  readonly tickets?: TicketSigner;
}

export interface Judged {
  readonly judgement: Judgement;
  /** The facts of our own sources whose silence alone is why this is no GO; mostly none. */
  readonly silent: readonly OwnFact[];
  /** Canonical JSON of everything that the judgement follows from; its hash is in the ticket. */
  readonly evidence: string;
  /** Not signed. */
  readonly ticket: Ticket;
}

/** By chain facts that are read now and for this plan alone. */
export async function judge({ sources, hash }: Judging, { plan, route }: DuePlan): Promise<Judged> {
  // The very amount that will be paid: a size in dollars would be another one at another block.
  const limitsOf: Sources['limitsOf'] = (asset) => stricter(sources.limitsOf(asset), plan);
  const proposal = await propose({ ...sources, limitsOf }, route.asset, route.side, { paid: plan.amountPerRun });
  const judgement = judgeProposal(proposal);
  const evidence = evidenceOf(rulesVersion, proposal, judgement.verdict, judgement.findings);
  const ticket = ticketOf(proposal, plan, judgement.verdict, hash(evidence));
  return { judgement, silent: silenceBehind(proposal, judgement), evidence, ticket };
}

/**
 * The ticket's signature; empty for a plan that names no signer: its executor's word is all there is. For what is sent alone:
 * whoever gets hold of a signed ticket can show it as our verdict.
 */
export async function sign({ tickets }: Judging, { plan }: DuePlan, ticket: Ticket): Promise<Hex> {
  const needsNone = BigInt(plan.verdictSigner) === 0n || tickets === undefined;
  return needsNone ? '0x' : tickets.sign(ticket);
}
