import { shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp, formatBps, largest, WAD } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';

// A trade paid or received in a stablecoin is only as fair as the stablecoin.
export const stablecoinPeg: Check = {
  id: 'stablecoin_peg',
  question: 'Is the stablecoin worth one dollar?',
  rests: ['chainlink', 'quote_token'],
  run({ chain, limits, asset, quoteAsset }) {
    const coins = [
      { symbol: quoteAsset.symbol, usdWad: chain.quoteToken?.usdWad },
      ...(asset.class === 'stable' ? [{ symbol: asset.symbol, usdWad: chain.chainlink?.usdWad }] : []),
    ];
    const silent = coins.find(({ usdWad }) => usdWad === undefined);
    if (silent !== undefined) {
      const detail = `The Chainlink feed of ${silent.symbol} gave no price.`;
      return missing('peg_missing', limits.pegBps.noGo, 'bps', detail);
    }
    const measured = largest(coins.map(({ usdWad = 0n }) => deviationBpsUp(usdWad, WAD)));
    const prices = coins.map(({ symbol, usdWad = 0n }) => `${symbol} is worth ${shortUnits(usdWad, 18)} USD`);
    const most = coins.length > 1 ? 'at most ' : '';
    const statement = `${prices.join(' and ')}, ${most}${formatBps(measured)} from one dollar`;
    return judge(measured, limits.pegBps, 'stablecoin_off_peg', statement);
  },
};
