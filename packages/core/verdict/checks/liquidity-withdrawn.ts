import { BPS, formatBps, mulDivUp } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';

// A pool that has just been emptied still quotes, and whoever emptied it may know why. The mean is the pool's own, of before:
// a harmonic mean sinks to what is left within a minute, so that one of up to now would be missing what is gone no more.
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
    const told =
      measured === 0n
        ? `The liquidity in range of ${pool} is no less than ${before}`
        : `The liquidity in range of ${pool} is ${formatBps(measured)} less than ${before}`;
    return judge(measured, band, 'liquidity_withdrawn', told);
  },
};
