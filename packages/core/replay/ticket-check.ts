import { canonicalJson } from '../domain/evidence.ts';
import { sameAddress } from '../domain/same-address.ts';
import { type Ticket, ticketTypedData } from '../domain/ticket.ts';
import type { Address, Hex } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';
import type { Line } from './line.ts';
import type { Hashing } from './replay.ts';
import { readTicket } from './served-ticket.ts';

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
  /** The evidence does not have the hash that the ticket carries. */
  | 'other_evidence'
  /** The evidence was judged by another version of the rules. */
  | 'unsupported_rules'
  /** The verdict, or another field, does not follow from the evidence. */
  | 'does_not_follow';

/** The intended trade: a ticket may be good but for another trade. */
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
  /** Empty: no ticket counts as its own. */
  readonly verdictSigners: readonly Address[];
}

export interface CheckedTicket {
  /** Empty: the ticket is good. */
  readonly problems: readonly TicketProblem[];
  readonly verdict: Verdict;
  /** In the form that contracts take. */
  readonly ticket: Ticket;
  readonly signature: Hex;
  /** Who signed it; undefined if nobody did. */
  readonly signer: Address | undefined;
  /** Whether the evidence was there and judged again. Otherwise only a signature vouches for the verdict. */
  readonly isReplayed: boolean;
  /** What was compared with the evidence; empty if it was not judged again, or cannot be. */
  readonly lines: readonly Line[];
}

/** `{verdict, ticket, evidence}` of an answer of `check_asset` or `GET /verdict`. */
export interface TicketAnswer {
  readonly ticket?: unknown;
  readonly evidence?: unknown;
  readonly verdict?: unknown;
}

interface Replay {
  readonly lines: readonly Line[];
  readonly code?: unknown;
}

/** Context that the ticket does not carry. */
export interface CheckOptions {
  /** The trade that was asked about; omitted if nobody intends to trade on the ticket. */
  readonly trade?: IntendedTrade;
  /**
   * Judges the answer again from its evidence. A parameter, because it is many times as large as the rest of the check. If
   * omitted, only the hash of the evidence is compared.
   */
  readonly replay?: ((answer: object) => Promise<Replay>) | undefined;
}

/**
 * Checks the ticket of an answer, and that the answer follows from its evidence if it has any that can be judged again.
 * @param at unix seconds.
 * @throws Error if the answer cannot be read, or has no ticket.
 */
export async function checkTicket(
  { chainId, planRegistry, verdictSigners }: TicketIssuer,
  answer: TicketAnswer,
  at: bigint,
  hashing: Pick<Hashing, 'hash' | 'signer'>,
  { trade, replay }: CheckOptions = {},
): Promise<CheckedTicket> {
  const evidence = answer.evidence ?? undefined;
  const given = readTicket(answer.ticket);
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
  const signer = await hashing.signer({ ...ticketTypedData(domain, ticket), signature }).catch(() => undefined);
  const isOfDeployment =
    given.domain.name === domain.name &&
    given.domain.version === domain.version &&
    given.domain.chain_id === chainId &&
    sameAddress(given.domain.verifying_contract, planRegistry);
  const text = typeof evidence === 'string' ? evidence : canonicalJson(evidence);
  const problems: TicketProblem[] = [];
  if (!isOfDeployment) problems.push('other_deployment');
  if (trade !== undefined) problems.push(...otherwise(ticket, trade));
  if (!sameAddress(given.signer, signer)) problems.push('bad_signature');
  if (!verdictSigners.some((each) => sameAddress(each, signer))) problems.push('other_signer');
  if (ticket.issuedAt > at) problems.push('not_valid_yet');
  if (ticket.expiresAt <= at) problems.push('expired');
  if (evidence !== undefined && !sameAddress(hashing.hash(text), ticket.evidenceHash)) problems.push('other_evidence');
  const isReplayed = evidence !== undefined && replay !== undefined;
  // The verdict that the answer states must not differ from the ticket's.
  const { lines, code } = isReplayed ? await replay({ verdict, ...answer }).catch(unjudged) : unjudged({});
  if (code === 'unsupported_rules') problems.push(code);
  else if (isReplayed && (lines.length === 0 || lines.some(({ said, found }) => said !== found))) {
    problems.push('does_not_follow');
  }
  return { problems, verdict, ticket, signature, signer, isReplayed, lines };
}

/** The replay of evidence that was not judged again. */
const unjudged = ({ code }: { readonly code?: unknown }): Replay => ({ lines: [], code });

function otherwise(ticket: Ticket, { tokenIn, tokenOut, amountIn = 0n }: IntendedTrade): TicketProblem[] {
  if (!sameAddress(ticket.tokenIn, tokenIn) || !sameAddress(ticket.tokenOut, tokenOut)) return ['other_trade'];
  return ticket.maxAmountIn < amountIn ? ['too_small'] : [];
}
