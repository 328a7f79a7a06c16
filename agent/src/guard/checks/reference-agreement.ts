import { deviationBpsUp, formatUsd, largest } from '../../domain/units.ts';
import { type Check, judge, missing } from '../check.ts';
import { medianDown, references, silentSources } from '../references.ts';

// One source that is wrong alone is caught only by another.
export const referenceAgreement: Check = {
  id: 'reference_agreement',
  question: 'Do independent references agree?',
  run(proposal) {
    const { referencesBps } = proposal.limits;
    const found = references(proposal);
    const median = medianDown(found.map(({ usdWad }) => usdWad));
    const silent = silentSources(proposal);
    if (median === undefined || silent.length > 0) {
      return missing('reference_missing', referencesBps.noGo, 'bps', `No price from: ${silent.join(', ')}.`);
    }
    const measured = largest(found.map(({ usdWad }) => deviationBpsUp(usdWad, median)));
    const prices = found.map(({ source, usdWad }) => `${source} ${formatUsd(usdWad)}`).join(', ');
    return judge(measured, referencesBps, 'references_disagree', `References in USD: ${prices}.`);
  },
};
