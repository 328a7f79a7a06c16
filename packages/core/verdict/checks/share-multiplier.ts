import { grouped, shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp, formatBps } from '../../domain/units.ts';
import { type Check, judge, missing, notAsked } from '../check.ts';

// After a split a token represents more shares. Feeds, pools and order books follow at different times, and until all
// have, their prices mean different things.
export const shareMultiplier: Check = {
  id: 'share_multiplier',
  question: 'Does it stand for as much as before?',
  rests: ['block'],
  run({ asset, chain, limits }) {
    const band = limits.multiplierBps;
    if (asset.multiplier === undefined) return notAsked(band, 'bps', `${asset.symbol} stands for nothing else.`);
    const { multiplier, block } = chain;
    const isKnown = multiplier && multiplier.wad > 0n && (multiplier.changedAt === 0n || multiplier.beforeWad > 0n);
    if (!isKnown) {
      const detail = `How much one ${asset.symbol} stands for, now and before, is not known.`;
      return missing('multiplier_missing', band.noGo, 'bps', detail);
    }
    const { wad, beforeWad, changedAt } = multiplier;
    const now = `One ${asset.symbol} stands for ${shortUnits(wad, 18)}`;
    const isRecent = block.timestamp - changedAt <= limits.multiplierSeconds;
    // A change dated in the future counts as just made.
    const measured = changedAt === 0n || !isRecent ? 0n : deviationBpsUp(wad, beforeWad);
    const statement =
      measured === 0n
        ? `${now}, as for the last ${grouped(`${limits.multiplierSeconds}`)} s`
        : `${now}, ${formatBps(measured)} from what it was ${block.timestamp - changedAt} s ago`;
    return judge(measured, band, 'multiplier_changed', statement);
  },
};
