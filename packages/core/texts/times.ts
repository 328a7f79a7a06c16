// Durations as page and answers show them to people. Dates are in domain/readable.ts.

import { counted } from './counts.ts';

const units = [
  [86_400n, 'day'],
  [3_600n, 'hour'],
  [60n, 'minute'],
  [1n, 'second'],
] as const;

type InUnit = readonly [count: bigint, unit: (typeof units)[number][1]];

/** In the largest unit that is exact: 7,200 s are 2 hours. */
export function inExactUnit(seconds: bigint): InUnit {
  const [size, unit] = units.find(([each]) => seconds >= each && seconds % each === 0n) ?? units[3];
  return [seconds / size, unit];
}

/** In the largest unit that fits, cut: 5,400 s are 1 hour. */
export function inLargestUnit(seconds: bigint): InUnit {
  const [size, unit] = units.find(([each]) => seconds >= each) ?? units[3];
  return [seconds / size, unit];
}

/** A period after "every": "hour", "2 days". */
export function period(seconds: bigint): string {
  const [count, unit] = inExactUnit(seconds);
  return count === 1n ? unit : counted(count, unit);
}
