import { shortUnits } from '../domain/readable.ts';
import { inWords } from './references.ts';
import { type Absence, isCounted, middleOf, type Source } from './sources.ts';

// What is told of sources that count and of those that do not.

const absences: Readonly<Record<Absence, string>> = {
  off: 'is not asked',
  silent: 'gives no price',
  stale: 'gives a price of another time',
  uncertain: 'is too unsure of its price',
};

export const saying = (sources: readonly Source[]): string =>
  sources
    .map((each) =>
      isCounted(each)
        ? `${inWords[each.source]} says ${shortUnits(middleOf(each), 18)} USD`
        : `${inWords[each.source]} ${absences[each.absent]}`,
    )
    .join(', ');

/** Why too few of them count: one that has failed explains more than one that nobody asked. */
export function causeOf(sources: readonly Source[]): Exclude<Absence, 'off'> {
  const [cause = 'silent'] = sources.flatMap((each) => (isCounted(each) || each.absent === 'off' ? [] : [each.absent]));
  return cause;
}
