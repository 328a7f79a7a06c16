import type { Proposal } from '../domain/facts.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Hex } from '../domain/units.ts';
import { BPS, mulDivUp, WAD } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';

/** How long a verdict may be acted on. The registry takes no ticket that is good for more than 900 s. */
const TICKET_SECONDS = 120n;

/** By which a price moves while a transaction is on its way to a block. */
const PRICE_ROOM_BPS = 20n;

/**
 * The verdict as a ticket: for this swap, at most its amount, and at hardly a worse price than the one that was judged. Undefined
 * where the pool quoted no swap, since then there is nothing that it could be for.
 */
export function ticketOf({ chain }: Proposal, verdict: Verdict, evidenceHash: Hex): Ticket | undefined {
  const { quote, block } = chain;
  if (quote === undefined) return undefined;
  return {
    tokenIn: quote.tokenIn,
    tokenOut: quote.tokenOut,
    verdict: verdictCodes[verdict],
    maxPriceWad: mulDivUp(quote.amountIn * (BPS + PRICE_ROOM_BPS), WAD, quote.amountOut * BPS),
    maxAmountIn: quote.amountIn,
    issuedAt: block.timestamp,
    expiresAt: block.timestamp + TICKET_SECONDS,
    evidenceHash,
  };
}
