import { shortUnits } from '../../domain/readable.ts';
import { formatBps } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';
import { inWords } from '../references.ts';
import { apartOf, countedOf, middleOf } from '../sources.ts';

// Two sources that agree are enough: one that is wrong is then outvoted by the median. The measure is how far the
// closest two are apart.
export const referenceAgreement: Check = {
  id: 'reference_agreement',
  question: 'Do two independent sources agree?',
  rests: ['chainlink', 'quote_token', 'redstone', 'exchange', 'binance_oracle', 'pyth'],
  run(proposal) {
    const { limits, asset } = proposal;
    const apart = apartOf(proposal);
    if (apart === undefined) {
      const detail = `There are no two current prices of ${asset.symbol} to compare.`;
      return missing('reference_missing', limits.referencesBps.noGo, 'bps', detail);
    }
    const prices = countedOf(proposal).map(
      (each) => `${inWords[each.source]} says ${shortUnits(middleOf(each), 18)} USD`,
    );
    const { closestBps, widestBps } = apart;
    const widest = widestBps > closestBps ? `, ${formatBps(widestBps)} at most` : '';
    const sentence = `${prices.join(', ')}; the closest two are ${formatBps(closestBps)} apart${widest}`;
    const statement = sentence.charAt(0).toUpperCase() + sentence.slice(1);
    return judge(closestBps, limits.referencesBps, 'references_disagree', statement);
  },
};
