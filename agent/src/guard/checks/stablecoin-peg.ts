import { deviationBpsUp, formatUsd, largest, WAD } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';

// Paid or received in a stablecoin, a trade is only as fair as the coin.
export const stablecoinPeg: Check = {
  id: 'stablecoin_peg',
  question: 'Is the stablecoin worth one dollar?',
  run({ chain, limits, asset, quoteAsset }) {
    if (chain.quoteToken === undefined) {
      return missing('peg_missing', limits.pegBps.noGo, 'bps', `The feed of ${quoteAsset.symbol} gave no price.`);
    }
    const coins = [
      { symbol: quoteAsset.symbol, usdWad: chain.quoteToken.usdWad },
      ...(asset.class === 'stable' && chain.chainlink
        ? [{ symbol: asset.symbol, usdWad: chain.chainlink.usdWad }]
        : []),
    ];
    const measured = largest(coins.map(({ usdWad }) => deviationBpsUp(usdWad, WAD)));
    const prices = coins.map(({ symbol, usdWad }) => `${symbol} ${formatUsd(usdWad)} USD`).join(', ');
    return judge(measured, limits.pegBps, 'stablecoin_off_peg', `${prices}.`);
  },
};
