import { shortUnits } from '../../domain/readable.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { Check } from '../check.ts';
import { inWords } from '../references.ts';
import { type Absence, countedOf, middleOf, quorum, type Witness, witnesses } from '../witnesses.ts';

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
    const said = witnesses(proposal).map(says).join(', ');
    const detail = `Of ${asset.symbol} ${said}: ${count} of 3 count (${quorum} are asked for).`;
    const measure = { measured: BigInt(count), limit: BigInt(quorum), unit: 'sources', detail } as const;
    if (count >= quorum) return { outcome: 'pass', ...measure };
    // A source that has failed explains more than one that nobody asked.
    const absent = witnesses(proposal).flatMap((each) => ('absent' in each ? [each.absent] : []));
    const [cause = 'silent'] = absent.filter((each) => each !== 'off');
    return { outcome: 'no_data', reason: absences[cause].reason, ...measure };
  },
};

const says = (witness: Witness): string =>
  'absent' in witness
    ? `${inWords[witness.source]} ${absences[witness.absent].words}`
    : `${inWords[witness.source]} says ${shortUnits(middleOf(witness), 18)} USD`;
