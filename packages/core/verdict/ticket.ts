import type { Proposal } from '../domain/facts.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Hex } from '../domain/units.ts';
import { BPS, mulDivUp, WAD } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';

/** Validity of a ticket. The registry rejects tickets valid for more than 900 s. */
export const TICKET_SECONDS = 120n;

/** Price movement allowed while a transaction is pending. */
const PRICE_ROOM_BPS = 20n;

/**
 * The verdict as a ticket: for this swap, up to its amount, at a price barely worse than the judged one. If the pool
 * gave no quote, both are zero, and the ticket only serves for a record.
 * @param tokens of the swap.
 */
export function ticketOf(
  { chain }: Proposal,
  tokens: Pick<Ticket, 'tokenIn' | 'tokenOut'>,
  verdict: Verdict,
  evidenceHash: Hex,
): Ticket {
  const { quote, block } = chain;
  return {
    tokenIn: tokens.tokenIn,
    tokenOut: tokens.tokenOut,
    verdict: verdictCodes[verdict],
    maxPriceWad: quote ? mulDivUp(quote.amountIn * (BPS + PRICE_ROOM_BPS), WAD, quote.amountOut * BPS) : 0n,
    maxAmountIn: quote?.amountIn ?? 0n,
    issuedAt: block.timestamp,
    expiresAt: block.timestamp + TICKET_SECONDS,
    evidenceHash,
  };
}
