import { errorIn, refusalOf } from '@bowline/chain/errors';
import { sameAddress } from '@bowline/core/domain/same-address';
import { decodeFunctionData, encodeFunctionData, maxUint256 } from 'viem';
import { quoteDeskAbi } from '../abis/index.ts';
import { type Reader, readMarket } from './read-market.ts';
import {
  approvalOf,
  type Call,
  type Decoded,
  type Market,
  mayBeSigned,
  no,
  type Order,
  pairOf,
  type Trade,
} from './sound-offer.ts';
import type { BuyAnswer, PageConfig } from './wire.ts';

// Checks a quote of the QuoteDesk, as sound-offer.ts and read-market.ts check a swap. The page loads it only on a chain with a desk.

/** The desk's quote in the answer, if it is for the owner and from the pinned desk. It always includes an approval. */
export function decodeQuote(answer: BuyAnswer, order: Order, book: PageConfig): Decoded {
  const { quoteDesk } = book.contracts;
  const pair = pairOf(answer, order, book);
  if (pair === undefined || order.side !== 'buy') return no('asset_not_asked');
  if (!mayBeSigned(answer, order)) return no('caution_not_acknowledged');
  const { quote, signature, desk, withheld } = answer.desk ?? {};
  if (!quote || !signature || withheld !== null) return no('offer_contradicts_itself');
  if (quoteDesk === null || desk === undefined || !sameAddress(desk, quoteDesk)) return no('desk_not_pinned');
  const { pay, receive } = pair;
  if (!sameAddress(quote.token_in, pay.address) || !sameAddress(quote.token_out, receive.address))
    return no('asset_not_asked');
  if (!sameAddress(quote.buyer, order.owner)) return no('buyer_not_owner');
  const [amountIn, amountOut, nonce, expiresAt] = [
    BigInt(quote.amount_in),
    BigInt(quote.amount_out),
    BigInt(quote.nonce),
    BigInt(quote.expires_at),
  ];
  const isUint = [amountIn, amountOut, nonce, expiresAt].every((each) => each >= 0n && each <= maxUint256);
  if (!isUint || signature.length % 2 !== 0) return no('calldata_unreadable');
  const terms = {
    ...{ buyer: order.owner, tokenIn: pay.address, amountIn, tokenOut: receive.address, amountOut, nonce, expiresAt },
  };
  const data = encodeFunctionData({ abi: quoteDeskAbi, functionName: 'redeem', args: [terms, signature] });
  const calls: Call[] = [approvalOf(pay, quoteDesk, amountIn), { kind: 'redeem', to: quoteDesk, data }];
  const shown = { owner: order.owner, pay, receive, route: [], amountIn, minOut: amountOut, claimedOut: amountOut };
  return { ok: true, trade: { ...shown, spender: quoteDesk, expiresAt, calls } };
}

/** As `readMarket`, with the desk's own answer to its quote. */
export async function readQuoteMarket(client: Reader, config: PageConfig, trade: Trade): Promise<Market> {
  const [market, isQuoteRefused] = await Promise.all([readMarket(client, config, trade), isRefused(client, trade)]);
  return { ...market, isQuoteRefused };
}

/** The desk's own errors for a quote, raised before it takes anything. */
const refusals = ['NotBuyer', 'QuoteExpired', 'SameToken', 'QuoteUsedUp', 'SignatureRefused'];

/**
 * Whether the desk refuses the quote itself, above all its signature. The buyer's redeem is simulated before the
 * approval, so the token's own error does not count as a refusal.
 */
async function isRefused(client: Reader, { owner, calls }: Trade): Promise<boolean> {
  const call = calls.at(-1);
  if (call?.kind !== 'redeem') return true;
  const { functionName, args } = decodeFunctionData({ abi: quoteDeskAbi, data: call.data });
  if (functionName !== 'redeem') return true;
  try {
    await client.simulateContract({ account: owner, address: call.to, abi: quoteDeskAbi, functionName, args });
    return false;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return refusals.includes(errorIn(quoteDeskAbi, refusal.data)?.errorName ?? '');
  }
}
