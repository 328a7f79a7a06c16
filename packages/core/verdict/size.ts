import type { Proposal } from '../domain/facts.ts';
import { mulDivUp, WAD } from '../domain/units.ts';

/** What the trade is in whole tokens of what the pool is quoted in, with 18 decimals, rounded up; undefined without a quote. */
export function sizeQuoteWad({ chain: { quote }, quoteAsset }: Proposal): bigint | undefined {
  if (quote === undefined) return undefined;
  const ofQuoteAsset = quote.side === 'buy' ? quote.amountIn : quote.amountOut;
  return mulDivUp(ofQuoteAsset, WAD, 10n ** BigInt(quoteAsset.decimals));
}
