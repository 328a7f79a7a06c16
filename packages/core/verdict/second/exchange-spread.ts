import { shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp, formatBps } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';

// The mid-price of a thin order book is a price at which nobody trades.
export const exchangeSpread: Check = {
  id: 'exchange_spread',
  question: "Is the exchange's book close enough to be a reference?",
  rests: ['exchange'],
  run({ exchange, limits, asset }) {
    const limit = limits.spreadBps.noGo;
    if (exchange === 'off') {
      return notAsked(limits.spreadBps, 'bps', `No exchange is asked for prices of ${asset.symbol}.`);
    }
    if (exchange === undefined) {
      return missing('reference_missing', limit, 'bps', `The exchange gave no price of ${asset.symbol}.`);
    }
    const { bidWad, askWad } = exchange;
    const [bid, ask] = [shortUnits(bidWad, 18), shortUnits(askWad, 18)];
    if (bidWad <= 0n || bidWad > askWad) {
      const detail = `The exchange bids ${bid} USDT for ${asset.symbol} and asks ${ask} USDT, which is no price.`;
      return missing('reference_missing', limit, 'bps', detail);
    }
    const measured = deviationBpsUp(askWad, bidWad);
    const statement = `The exchange bids ${bid} USDT for ${asset.symbol} and asks ${ask} USDT, ${formatBps(measured)} more`;
    return judge(measured, limits.spreadBps, 'exchange_spread_wide', statement);
  },
};
