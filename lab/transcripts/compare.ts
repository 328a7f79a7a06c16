import { diff } from 'node:util';
import { byHeading } from './blocks.ts';

/** Lines that are shown around what differs. */
const context = 3;

/** What differs between two recordings of a file, each line with the block's heading. Empty if nothing does. */
export function differences(file: string, before: string, after: string): string[] {
  const [old, now] = [byHeading(before), byHeading(after)];
  const told = [...new Set([...old.keys(), ...now.keys()])].flatMap((heading) => {
    const [one, other] = [old.get(heading), now.get(heading)];
    if (one === other) return [];
    const at = `${file}: ${heading}`;
    if (one === undefined) return [`${at} is new`];
    if (other === undefined) return [`${at} is gone`];
    return [`${at}\n${changedLines(one.split('\n'), other.split('\n'))}`];
  });
  // Blocks may have changed places.
  return told.length === 0 && before !== after ? [`${file}: the same blocks in another order`] : told;
}

/** As a unified diff, with the number of each line within its block. */
function changedLines(before: string[], after: string[]): string {
  // Operations: 1 only in the first argument, -1 only in the second, 0 in both.
  const entries = diff(after, before) as readonly (readonly [operation: 0 | 1 | -1, line: string])[];
  const changed = entries.flatMap(([operation], at) => (operation === 0 ? [] : [at]));
  let line = 0;
  const said = entries.map(([operation, text]) => {
    if (operation !== -1) line += 1;
    return `${String(line).padStart(5)} ${operation === 0 ? ' ' : operation === 1 ? '+' : '-'} ${text}`;
  });
  return said.filter((_, at) => changed.some((other) => Math.abs(other - at) <= context)).join('\n');
}
