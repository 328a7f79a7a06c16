import type { Proposal } from '../domain/facts.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Hex } from '../domain/units.ts';
import { BPS, mulDivUp, WAD } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';

/** How long a verdict may be acted on. The registry takes no ticket that is good for more than 900 s. */
export const TICKET_SECONDS = 120n;

/** By which a price moves while a transaction is on its way to a block. */
const PRICE_ROOM_BPS = 20n;

/**
 * The verdict as a ticket: for this swap, at most its amount, and at hardly a worse price than the one that was judged. Where the
 * pool quoted no swap both are zero, and it is good for a record only.
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
