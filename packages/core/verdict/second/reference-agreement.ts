import type { Reference } from '../../domain/facts.ts';
import { shortUnits } from '../../domain/readable.ts';
import { deviationBpsUp, formatBps, largest, smallest } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';
import { inWords, references, silentSources } from '../references.ts';

// Only another source reveals a single wrong one. The measure is the largest pairwise difference: each of two sources
// is only half as far from their median. Venus is compared even next to the feed it reads, since its oracle may report
// another price.
export const referenceAgreement: Check = {
  id: 'reference_agreement',
  question: 'Do independent references agree?',
  rests: ['chainlink', 'quote_token', 'venus', 'exchange', 'pyth'],
  run(proposal) {
    const { limits, asset } = proposal;
    const found = references(proposal);
    const silent = silentSources(proposal);
    if (silent.length > 0) {
      const names = silent.map((source) => inWords[source]).join(' and ');
      const detail = `There is no price of ${asset.symbol} from ${names}.`;
      return missing('reference_missing', limits.referencesBps.noGo, 'bps', detail);
    }
    const prices = found.map(({ usdWad }) => usdWad);
    const measured = deviationBpsUp(largest(prices), smallest(prices));
    const counted = found.filter(({ independent }) => independent);
    const rest = found.filter(({ independent }) => !independent);
    const says = ({ source, usdWad }: Reference) => `${inWords[source]} says ${shortUnits(usdWad, 18)} USD`;
    // The rest can only contain Venus.
    const statement = [
      ...counted.map(says),
      ...rest.map((each) => `${says(each)} (${each.feed ? 'by the same feed' : 'by a feed that is not known'})`),
    ].join(', ');
    const alone = counted.length === 1 ? `${asset.symbol} has a single independent price: ` : '';
    const sentence = `${alone}${statement}; ${formatBps(measured)} apart at most`;
    const detail = sentence.charAt(0).toUpperCase() + sentence.slice(1);
    return judge(measured, limits.referencesBps, 'references_disagree', detail);
  },
};
