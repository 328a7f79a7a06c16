import type { Desk } from '@bowline/core/domain/desk';
import { type Result, success } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import { address, integer, verdictOutput } from '@bowline/core/schemas';
import { z } from 'zod';
import { failureOf } from '../../tools/call.ts';
import type { JudgeAsset, Question } from '../../tools/check-asset.ts';

/** Validity of a quote, in seconds. */
const QUOTE_SECONDS = 120n;

/** A purchase: the desk only sells. */
export interface DeskRequest extends Omit<Question, 'side'> {
  readonly owner: Address;
  readonly acknowledge_caution: boolean;
}

export const deskAnswer = z.object({
  ...verdictOutput,
  quote: z
    .object({
      buyer: address,
      token_in: address,
      amount_in: integer,
      token_out: address,
      amount_out: integer,
      nonce: integer,
      expires_at: integer,
    })
    .nullable()
    .describe('Amounts in base units, times in unix seconds; null if withheld.'),
  signature: z.string().nullable().describe('EIP-712 signature of the quote by the desk’s maker.'),
  desk: address,
  /** Why there is no quote; null if there is one. */
  withheld: z.enum(['verdict_no_go', 'verdict_no_data', 'caution_not_acknowledged', 'inventory_too_low']).nullable(),
});

type DeskAnswer = z.input<typeof deskAnswer>;

export type DeskQuote = (request: DeskRequest) => Promise<Result<DeskAnswer>>;

/**
 * Quotes signed by the desk's maker for one buyer: the pool's output for the same payment, if the verdict allows it and
 * the desk holds the amount. `onInternal` receives unexpected errors.
 */
export function createDeskQuote(desk: Desk, judge: JudgeAsset, onInternal: (error: unknown) => void): DeskQuote {
  async function answer({ owner, acknowledge_caution: isAcknowledged, ...question }: DeskRequest): Promise<DeskAnswer> {
    const { verdict, reason = null, proposal } = await judge({ ...question, side: 'buy' });
    const { block, quote: swap } = proposal.chain;
    const withheld = (why: DeskAnswer['withheld']): DeskAnswer => {
      return { verdict, reason, quote: null, signature: null, desk: desk.address, withheld: why };
    };
    if (verdict === 'NO_GO') return withheld('verdict_no_go');
    // A check has no data if the pool cannot quote.
    if (verdict === 'NO_DATA' || swap === undefined) return withheld('verdict_no_data');
    if (verdict === 'CAUTION' && !isAcknowledged) return withheld('caution_not_acknowledged');
    if ((await desk.inventory(swap.tokenOut)) < swap.amountOut) return withheld('inventory_too_low');
    const quote = {
      buyer: owner,
      tokenIn: swap.tokenIn,
      amountIn: swap.amountIn,
      tokenOut: swap.tokenOut,
      amountOut: swap.amountOut,
      nonce: desk.newNonce(),
      expiresAt: block.timestamp + QUOTE_SECONDS,
    };
    return {
      verdict,
      reason,
      quote: {
        buyer: quote.buyer,
        token_in: quote.tokenIn,
        amount_in: quote.amountIn.toString(),
        token_out: quote.tokenOut,
        amount_out: quote.amountOut.toString(),
        nonce: quote.nonce.toString(),
        expires_at: quote.expiresAt.toString(),
      },
      signature: await desk.sign(quote),
      desk: desk.address,
      withheld: null,
    };
  }

  return async (request) => {
    try {
      return success(await answer(request));
    } catch (error) {
      return failureOf(error, onInternal);
    }
  };
}
