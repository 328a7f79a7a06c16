import type { Desk } from '@bowline/core/domain/desk';
import { type Result, success } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import type { CallTool } from '../tools/call.ts';
import type { Reply } from './seller.ts';

/** How long a quote holds. */
const QUOTE_SECONDS = 120n;

export interface DeskRequest {
  readonly asset: unknown;
  readonly amount_usd?: unknown;
  readonly amount_asset?: unknown;
  readonly owner: Address;
  readonly acknowledge_caution?: boolean;
}

/** What check_asset answers, as far as a quote needs it. */
interface Checked {
  readonly verdict: string;
  readonly reason: string | null;
  readonly evidence: string;
}

/** What of the evidence it needs: the swap that was judged, and when. Amounts are decimal text. */
interface Evidence {
  readonly proposal: {
    readonly chain: {
      readonly block: { readonly timestamp: string };
      readonly quote: {
        readonly tokenIn: Address;
        readonly amountIn: string;
        readonly tokenOut: Address;
        readonly amountOut: string;
      };
    };
  };
}

/**
 * Quotes to one buyer, signed by the desk's maker: what the pool would give for the same money, if the verdict allows it
 * and the desk has it.
 */
export function createDeskQuote(desk: Desk, call: CallTool): (request: DeskRequest) => Promise<Result<Reply>> {
  return async ({ owner, acknowledge_caution: isAcknowledged, ...question }) => {
    const answered = await call('check_asset', { ...question, side: 'buy' });
    if (!answered.ok) return answered;
    const { verdict, reason, evidence } = answered.value as unknown as Checked;
    const told = (withheld: string): Result<Reply> =>
      success({ verdict, reason, quote: null, signature: null, desk: desk.address, withheld });
    if (verdict === 'NO_GO') return told('verdict_no_go');
    if (verdict === 'CAUTION' && isAcknowledged !== true) return told('caution_not_acknowledged');
    if (verdict !== 'GO' && verdict !== 'CAUTION') return told('verdict_no_data');
    const { block, quote: swap } = (JSON.parse(evidence) as Evidence).proposal.chain;
    const amountOut = BigInt(swap.amountOut);
    if ((await desk.inventory(swap.tokenOut)) < amountOut) return told('inventory_too_low');
    const quote = {
      buyer: owner,
      tokenIn: swap.tokenIn,
      amountIn: BigInt(swap.amountIn),
      tokenOut: swap.tokenOut,
      amountOut,
      nonce: desk.newNonce(),
      expiresAt: BigInt(block.timestamp) + QUOTE_SECONDS,
    };
    return success({
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
    });
  };
}
