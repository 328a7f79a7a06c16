import { shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp, formatBps, WAD } from '../../domain/units.ts';
import { type Check, judge, notAsked, unmeasured } from '../check.ts';
import { conservativeUsdWad, quoteUsdWad } from '../sources.ts';

// A stablecoin received below a dollar may fall further, and one received above a dollar may fall back. The coin that
// is paid is judged by what it buys: leaving a falling coin is no danger.
export const stablecoinPeg: Check = {
  id: 'stablecoin_peg',
  question: 'Is the stablecoin that is received worth one dollar?',
  rests: ['block', 'chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal) {
    const { asset, quoteAsset, side } = proposal;
    const band = proposal.limits.pegBps;
    const received = side === 'buy' ? asset : quoteAsset;
    if (received.class !== 'stable') {
      return notAsked(band, `${received.symbol}, which is received, is no stablecoin.`);
    }
    const usdWad = side === 'buy' ? conservativeUsdWad(proposal, side) : quoteUsdWad(proposal);
    if (usdWad === undefined) {
      return unmeasured('no_data', 'peg_missing', band.noGo, `What ${received.symbol} is worth is not known.`);
    }
    const measured = deviationBpsUp(usdWad, WAD);
    const statement = `${received.symbol} is worth ${shortUnits(usdWad, 18)} USD, ${formatBps(measured)} from one dollar`;
    return judge(measured, band, 'stablecoin_off_peg', statement);
  },
};
