import type { Desk } from '@bowline/core/domain/desk';
import { BowlineError, failure, type Result, success } from '@bowline/core/domain/result';
import type { Address, Hex } from '@bowline/core/domain/units';
import type { Verdict } from '@bowline/core/domain/verdict';
import type { Checked, JudgeAsset, Question } from '../tools/check-asset.ts';

/** Validity of a quote, in seconds. */
const QUOTE_SECONDS = 120n;

/** A purchase: the desk only sells. */
export interface DeskRequest extends Omit<Question, 'side'> {
  readonly owner: Address;
  readonly acknowledge_caution: boolean;
}

/** Why there is no quote. */
export const withholdings = [
  'verdict_no_go',
  'verdict_no_data',
  'caution_not_acknowledged',
  'inventory_too_low',
] as const;
type Withheld = (typeof withholdings)[number];

/** Amounts are decimal text in base units, times are unix seconds. */
interface DeskAnswer {
  readonly verdict: Verdict;
  readonly reason: Checked['reason'];
  /** Null if withheld. */
  readonly quote: {
    readonly buyer: Address;
    readonly token_in: Address;
    readonly amount_in: string;
    readonly token_out: Address;
    readonly amount_out: string;
    readonly nonce: string;
    readonly expires_at: string;
  } | null;
  /** EIP-712 signature of the quote by the desk's maker. */
  readonly signature: Hex | null;
  readonly desk: Address;
  readonly withheld: Withheld | null;
}

export type DeskQuote = (request: DeskRequest) => Promise<Result<DeskAnswer>>;

/**
 * Quotes signed by the desk's maker for one buyer: the pool's output for the same payment, if the verdict allows it and
 * the desk holds the amount.
 */
export function createDeskQuote(desk: Desk, judge: JudgeAsset): DeskQuote {
  async function answer({ owner, acknowledge_caution: isAcknowledged, ...question }: DeskRequest): Promise<DeskAnswer> {
    const { verdict, reason = null, proposal } = await judge({ ...question, side: 'buy' });
    const { block, quote: swap } = proposal.chain;
    const withheld = (why: Withheld): DeskAnswer => {
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
      if (error instanceof BowlineError) return failure(error.code, error.message, error.retryable);
      throw error;
    }
  };
}
