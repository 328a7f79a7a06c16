import { canonicalJson } from '@bowline/core/domain/evidence';
import { type Ticket, verdictTypes } from '@bowline/core/domain/ticket';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import { served } from '@bowline/core/replay/replay';
import {
  type Address,
  type ContractFunctionArgs,
  type Hex,
  keccak256,
  recoverTypedDataAddress,
  stringToBytes,
} from 'viem';
import type { planRegistryAbi } from '../../abis/index.ts';
import type { Deployment } from './deployment.ts';
import { replayAnswer } from './replay.ts';

/** Why a ticket should not be acted on. */
export type TicketProblem =
  /** It is for another chain or another registry. */
  | 'other_deployment'
  /** It is for other tokens, or the other side. */
  | 'other_trade'
  /** It is for less than the trade. */
  | 'too_small'
  /** The signature is not that of the signer it names. */
  | 'bad_signature'
  /** It is signed by a key that the deployment does not name. */
  | 'other_signer'
  | 'not_valid_yet'
  | 'expired'
  /** The evidence is not the one that it carries the hash of. */
  | 'other_evidence'
  /** The verdict, or another field, does not follow from the evidence. */
  | 'does_not_follow';

export interface CheckedTicket {
  /** Empty: the ticket is good. */
  readonly problems: readonly TicketProblem[];
  readonly verdict: Verdict;
  /** As contracts take it. */
  readonly ticket: Ticket;
  readonly signature: Hex;
  /** Who signed it; undefined if nobody did. */
  readonly signer: Address | undefined;
  /** Whether the evidence was there and judged again. Without it a signature is all that vouches for the verdict. */
  readonly isReplayed: boolean;
}

/** The trade that is meant: a ticket may be good, and for another one. */
export interface IntendedTrade {
  /** What is paid and what is received: for a purchase of BTCB with USDT, USDT and BTCB. */
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Base units of tokenIn; if omitted, compare `ticket.maxAmountIn` yourself before you trade. */
  readonly amountIn?: bigint;
}

/** A ticket in the form of `IPlanRegistry.Ticket`. */
export type ContractTicket = Extract<
  ContractFunctionArgs<typeof planRegistryAbi, 'view', 'digestOf'>[0],
  { readonly evidenceHash: Hex }
>;

/**
 * Checks the ticket of an answer, and that the answer follows from its evidence if that is with it.
 * @param trade that was asked about: an answer that was given for another question is refused.
 * @param answer of `check_asset` or `GET /verdict`; `{verdict, ticket, evidence}` are used.
 * @param at unix seconds; now if omitted.
 * @throws Error if the answer cannot be read, or has no ticket.
 */
export async function verifyTicket(
  deployment: Deployment,
  answer: { readonly ticket?: unknown; readonly evidence?: unknown; readonly verdict?: unknown },
  trade: IntendedTrade,
  at: bigint = BigInt(Math.floor(Date.now() / 1_000)),
): Promise<CheckedTicket> {
  const evidence = answer.evidence ?? undefined;
  const { ticket: given } = served.parse({ verdict: '', ...answer, evidence: evidence ?? '' });
  if (given === null) throw new Error('The answer has no ticket.');
  const ticket: Ticket = {
    tokenIn: given.token_in,
    tokenOut: given.token_out,
    verdict: given.verdict,
    maxPriceWad: given.max_price_wad,
    maxAmountIn: given.max_amount_in,
    issuedAt: given.issued_at,
    expiresAt: given.expires_at,
    evidenceHash: given.evidence_hash,
  };
  const verdict = (Object.keys(verdictCodes) as Verdict[]).find((word) => verdictCodes[word] === ticket.verdict);
  if (verdict === undefined) throw new Error(`The ticket's verdict ${ticket.verdict} has no name.`);
  const { chainId, contracts, verdictSigners } = deployment;
  const domain = { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: contracts.planRegistry };
  const signer = await recoverTypedDataAddress({
    domain,
    types: verdictTypes,
    primaryType: 'Verdict',
    message: ticket,
    signature: given.signature,
  }).catch(() => undefined);
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const isOfDeployment =
    given.domain.name === domain.name &&
    given.domain.version === domain.version &&
    given.domain.chain_id === chainId &&
    same(given.domain.verifying_contract, domain.verifyingContract);
  const isSigned = signer !== undefined && same(signer, given.signer);
  const text = typeof evidence === 'string' ? evidence : canonicalJson(evidence);
  const problems: TicketProblem[] = [];
  if (!isOfDeployment) problems.push('other_deployment');
  if (!same(ticket.tokenIn, trade.tokenIn) || !same(ticket.tokenOut, trade.tokenOut)) problems.push('other_trade');
  else if (ticket.maxAmountIn < (trade.amountIn ?? 0n)) problems.push('too_small');
  if (!isSigned) problems.push('bad_signature');
  if (!verdictSigners.some((each) => signer !== undefined && same(each, signer))) problems.push('other_signer');
  if (ticket.issuedAt > at) problems.push('not_valid_yet');
  if (ticket.expiresAt <= at) problems.push('expired');
  if (evidence !== undefined) {
    if (!same(keccak256(stringToBytes(text)), ticket.evidenceHash)) problems.push('other_evidence');
    if (!(await followsFromEvidence(answer, verdict))) problems.push('does_not_follow');
  }
  return { problems, verdict, ticket, signature: given.signature, signer, isReplayed: evidence !== undefined };
}

/** @param signed the verdict of the ticket, which the answer's own word must not differ from. */
async function followsFromEvidence(answer: object, signed: Verdict): Promise<boolean> {
  try {
    return (await replayAnswer({ verdict: signed, ...answer })).follows;
  } catch {
    return false;
  }
}
