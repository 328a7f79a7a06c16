import type { Proposal } from '../../domain/facts.ts';
import { shortUnits } from '../../domain/readable.ts';
import { BPS, formatBps, mulDivUp, WAD } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';

// An order book that a trade of this size would empty cannot price this size. A book that is not known is one source
// less to rely on, and no reason of its own.
export const exchangeDepth: Check = {
  id: 'exchange_depth',
  question: "Is the exchange's book deep enough to speak for this size?",
  rests: ['block', 'exchange'],
  run(proposal) {
    const { depth, side, limits, asset, quoteAsset } = proposal;
    const band = limits.bookShareBps;
    if (depth === 'off') return notAsked(band, 'bps', `No exchange is asked for orders of ${asset.symbol}.`);
    if (depth === undefined) return notAsked(band, 'bps', `The exchange gave no orders of ${asset.symbol}.`);
    const size = sizeQuoteWad(proposal);
    if (size === undefined) {
      return missing('quote_missing', band.noGo, 'bps', `What this size is in ${quoteAsset.symbol} is not known.`);
    }
    // A buyer takes the asks.
    const there = side === 'buy' ? depth.asksWad : depth.bidsWad;
    const measured = there > 0n ? mulDivUp(size, BPS, there) : BPS * BPS;
    const statement =
      `Within 1 % of its middle price the exchange ${side === 'buy' ? 'asks' : 'bids'} for ` +
      `${shortUnits(there, 18)} USDT of ${asset.symbol}; this size is ${formatBps(measured)} of that`;
    return judge(measured, band, 'exchange_depth_thin', statement);
  },
};

/** The trade in whole quote tokens with 18 decimals, rounded up; undefined without a quote. */
function sizeQuoteWad({ chain: { quote }, quoteAsset }: Proposal): bigint | undefined {
  if (quote === undefined) return undefined;
  const ofQuoteAsset = quote.side === 'buy' ? quote.amountIn : quote.amountOut;
  return mulDivUp(ofQuoteAsset, WAD, 10n ** BigInt(quoteAsset.decimals));
}
