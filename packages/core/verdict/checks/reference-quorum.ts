import { shortUnits } from '../../domain/readable.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { Check } from '../check.ts';
import { inWords } from '../references.ts';
import { type Absence, countedOf, middleOf, quorum, type Source, sourcesOf } from '../sources.ts';

const absences: Readonly<Record<Absence, { readonly words: string; readonly reason: Reason }>> = {
  off: { words: 'is not asked', reason: 'reference_missing' },
  silent: { words: 'gives no price', reason: 'reference_missing' },
  stale: { words: 'gives a price of another time', reason: 'reference_stale' },
  uncertain: { words: 'is too unsure of its price', reason: 'reference_uncertain' },
};

// One source may fail without stopping everything, and none may decide alone.
export const referenceQuorum: Check = {
  id: 'reference_quorum',
  question: 'Do at least two independent sources give a current price?',
  rests: ['block', 'chainlink', 'quote_token', 'exchange', 'pyth'],
  run(proposal) {
    const { asset } = proposal;
    const count = countedOf(proposal).length;
    const said = sourcesOf(proposal).map(says).join(', ');
    const detail = `Of ${asset.symbol} ${said}: ${count} of 3 count (${quorum} are asked for).`;
    const measure = { measured: BigInt(count), limit: BigInt(quorum), unit: 'sources', detail } as const;
    if (count >= quorum) return { outcome: 'pass', ...measure };
    // A source that has failed explains more than one that nobody asked.
    const absent = sourcesOf(proposal).flatMap((each) => ('absent' in each ? [each.absent] : []));
    const [cause = 'silent'] = absent.filter((each) => each !== 'off');
    return { outcome: 'no_data', reason: absences[cause].reason, ...measure };
  },
};

const says = (each: Source): string =>
  'absent' in each
    ? `${inWords[each.source]} ${absences[each.absent].words}`
    : `${inWords[each.source]} says ${shortUnits(middleOf(each), 18)} USD`;
