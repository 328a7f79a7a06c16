import { shortUnits } from '../../domain/readable.ts';
import { leftByFees } from '../../domain/route.ts';
import { BPS, formatBps, mulDivDown, mulDivUp, WAD } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';

// Cost of the size itself: how much less is received than at the spot price, excluding the pools' fees.
export const priceImpact: Check = {
  id: 'price_impact',
  question: 'Is there depth for this size?',
  rests: ['block'],
  run({ chain, limits, asset, quoteAsset }) {
    const { quote, spotWad } = chain;
    if (quote === undefined || spotWad === undefined || spotWad === 0n) {
      const detail = `The ${asset.symbol}/${quoteAsset.symbol} pool quotes no swap of this size.`;
      return missing('quote_missing', limits.impactBps.noGo, 'bps', detail);
    }
    const { numerator, denominator } = leftByFees(chain, asset);
    const afterFee = mulDivDown(quote.amountIn, numerator, denominator);
    const unit = 10n ** BigInt(asset.decimals);
    const quoteUnit = 10n ** BigInt(quoteAsset.decimals);
    // spotWad is whole quote tokens per whole asset, with 18 decimals.
    const atSpot =
      quote.side === 'buy'
        ? (afterFee * WAD * unit) / (spotWad * quoteUnit)
        : (afterFee * spotWad * quoteUnit) / (WAD * unit);
    const short = atSpot > quote.amountOut ? atSpot - quote.amountOut : 0n;
    const measured = atSpot === 0n ? BPS : mulDivUp(short, BPS, atSpot);
    const [from, to] = quote.side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
    return judge(
      measured,
      limits.impactBps,
      'price_impact_high',
      `${shortUnits(quote.amountIn, from.decimals)} ${from.symbol} ${quote.side === 'buy' ? 'buys' : 'sells for'} ` +
        `${shortUnits(quote.amountOut, to.decimals)} ${to.symbol}, ${formatBps(measured)} less than without the impact`,
    );
  },
};
