import { canonicalJson } from '../domain/evidence.ts';
import { sameAddress } from '../domain/same-address.ts';
import { type Ticket, verdictTypes } from '../domain/ticket.ts';
import type { Address, Hex } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';
import { UnsupportedRules } from './evidence.ts';
import type { Line } from './line.ts';
import { type Hashing, replay, served } from './replay.ts';

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
  /** The evidence was judged by another version of the rules. */
  | 'unsupported_rules'
  /** The verdict, or another field, does not follow from the evidence. */
  | 'does_not_follow';

/** The trade that is meant: a ticket may be good, and for another one. */
export interface IntendedTrade {
  /** What is paid and what is received: for a purchase of BTCB with USDT, USDT and BTCB. */
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  /** Base units of tokenIn; if omitted, compare `ticket.maxAmountIn` yourself before you trade. */
  readonly amountIn?: bigint;
}

/** Whose tickets count. */
export interface TicketIssuer {
  readonly chainId: number;
  readonly planRegistry: Address;
  /** Empty: no ticket is its own. */
  readonly verdictSigners: readonly Address[];
}

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

/** What was compared with the evidence; empty without evidence, and for evidence that cannot be judged. */
interface WithLines extends CheckedTicket {
  readonly lines: readonly Line[];
}

/** `{verdict, ticket, evidence}` of an answer of `check_asset` or `GET /verdict`. */
export interface TicketAnswer {
  readonly ticket?: unknown;
  readonly evidence?: unknown;
  readonly verdict?: unknown;
}

/**
 * Checks the ticket of an answer, and that the answer follows from its evidence if that is with it.
 * @param at unix seconds.
 * @param trade that was asked about; undefined if nobody means to trade on it.
 * @throws Error if the answer cannot be read, or has no ticket.
 */
export async function checkTicket(
  { chainId, planRegistry, verdictSigners }: TicketIssuer,
  answer: TicketAnswer,
  at: bigint,
  hashing: Hashing,
  trade?: IntendedTrade,
): Promise<WithLines> {
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
  const domain = { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: planRegistry };
  const { signature } = given;
  const signed = { domain, types: verdictTypes, primaryType: 'Verdict', message: ticket, signature } as const;
  const signer = await hashing.signer(signed).catch(() => undefined);
  const isOfDeployment =
    given.domain.name === domain.name &&
    given.domain.version === domain.version &&
    given.domain.chain_id === chainId &&
    sameAddress(given.domain.verifying_contract, planRegistry);
  const isSigned = signer !== undefined && sameAddress(signer, given.signer);
  const text = typeof evidence === 'string' ? evidence : canonicalJson(evidence);
  const problems: TicketProblem[] = [];
  if (!isOfDeployment) problems.push('other_deployment');
  if (trade !== undefined) problems.push(...otherwise(ticket, trade));
  if (!isSigned) problems.push('bad_signature');
  if (!verdictSigners.some((each) => signer !== undefined && sameAddress(each, signer))) problems.push('other_signer');
  if (ticket.issuedAt > at) problems.push('not_valid_yet');
  if (ticket.expiresAt <= at) problems.push('expired');
  let lines: readonly Line[] = [];
  if (evidence !== undefined) {
    if (!sameAddress(hashing.hash(text), ticket.evidenceHash)) problems.push('other_evidence');
    // The answer's own word must not differ from the ticket's.
    const compared = await linesOf({ verdict, ...answer }, hashing);
    if (compared === 'unsupported_rules') problems.push('unsupported_rules');
    else {
      const follows = compared.length > 0 && compared.every(({ said, found }) => said === found);
      if (!follows) problems.push('does_not_follow');
      lines = compared;
    }
  }
  return { problems, verdict, ticket, signature, signer, isReplayed: evidence !== undefined, lines };
}

function otherwise(ticket: Ticket, { tokenIn, tokenOut, amountIn = 0n }: IntendedTrade): TicketProblem[] {
  if (!sameAddress(ticket.tokenIn, tokenIn) || !sameAddress(ticket.tokenOut, tokenOut)) return ['other_trade'];
  return ticket.maxAmountIn < amountIn ? ['too_small'] : [];
}

/** Empty for evidence that cannot be judged. */
async function linesOf(answer: object, hashing: Hashing): Promise<readonly Line[] | 'unsupported_rules'> {
  try {
    return await replay(served.parse(answer), hashing);
  } catch (error) {
    return error instanceof UnsupportedRules ? error.code : [];
  }
}
