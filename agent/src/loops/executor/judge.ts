import { limitFloor } from '@bowline/core/domain/deferrals';
import { evidenceOf } from '@bowline/core/domain/evidence';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Ticket, TicketSigner } from '@bowline/core/domain/ticket';
import type { Hex } from '@bowline/core/domain/units';
import { stricter } from '@bowline/core/verdict/limits';
import { isTermBelowFeeAlone } from '@bowline/core/verdict/own-term';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { silenceBehind } from '@bowline/core/verdict/silence';
import { ticketOf } from '@bowline/core/verdict/ticket';
import { propose, type Sources } from '../../sources/propose.ts';
import type { DuePlan } from './plan.ts';

export interface Judging {
  /** Inputs of a verdict. */
  readonly sources: Sources;
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  /** Sign verdicts, each for the plans that name it. Plans that name anybody else are not served. */
  readonly tickets?: readonly TicketSigner[];
}

export type Judged = Awaited<ReturnType<typeof judge>>;

/** Judges one plan by chain facts read now, for this plan alone. */
export async function judge({ sources, hash }: Judging, { plan, pairing }: DuePlan) {
  // Use the exact amount to be paid: a size in dollars would be a different amount at a different block.
  const limitsOf: Sources['limitsOf'] = (asset) => stricter(sources.limitsOf(asset), plan);
  const proposal = await propose({ ...sources, limitsOf }, pairing.asset, pairing.side, { paid: plan.amountPerRun });
  const judgement = judgeProposal(proposal);
  /** Canonical JSON of everything the judgement follows from. The ticket, which is unsigned, carries its hash. */
  const evidence = evidenceOf(rulesVersion, proposal, judgement.verdict, judgement.findings);
  const ticket = ticketOf(proposal, plan, judgement.verdict, hash(evidence));
  const { route, quote } = proposal.chain;
  /** The pools would deliver less than the plan's limit price asks: the registry would refuse the run. */
  const isBelowLimit = quote !== undefined && quote.amountOut < limitFloor(plan.amountPerRun, plan.limitPriceWad);
  /** Nothing but the plan's own slippage, below the pool's fee, is in the way. */
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
export async function sign({ tickets = [] }: Judging, { plan }: DuePlan, ticket: Ticket): Promise<Hex> {
  const named = tickets.find(({ address }) => sameAddress(address, plan.verdictSigner));
  return named === undefined ? '0x' : named.sign(ticket);
}
