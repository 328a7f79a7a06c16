import { BPS, formatBps, mulDivUp } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';

// A pool that was just drained still quotes, and whoever drained it may know why. The mean is the pool's own, of an
// earlier period: a harmonic mean drops to what is left within a minute, so a mean up to now would no longer show the
// withdrawal.
export const liquidityWithdrawn: Check = {
  id: 'liquidity_withdrawn',
  question: 'Is the liquidity still there?',
  rests: ['block'],
  run({ chain: { liquidity, twapSeconds }, limits, asset, quoteAsset }) {
    const band = limits.withdrawnBps;
    const pool = `the ${asset.symbol}/${quoteAsset.symbol} pool`;
    if (liquidity === undefined || liquidity.mean <= 0n) {
      const detail = `It is not known how much liquidity ${pool} had before the last ${twapSeconds} s.`;
      return missing('liquidity_missing', band.noGo, 'bps', detail);
    }
    const { now, mean } = liquidity;
    const before = `its mean of the ${twapSeconds} s that ended ${twapSeconds} s ago`;
    const measured = now < mean ? mulDivUp(mean - now, BPS, mean) : 0n;
    const statement =
      measured === 0n
        ? `The liquidity in range of ${pool} is no less than ${before}`
        : `The liquidity in range of ${pool} is ${formatBps(measured)} less than ${before}`;
    return judge(measured, band, 'liquidity_withdrawn', statement);
  },
};
