import { grouped } from '../domain/readable.ts';

/** "1 plan", "2,000 plans". */
export const counted = (count: bigint | number, noun: string): string =>
  `${grouped(count)} ${noun}${BigInt(count) === 1n ? '' : 's'}`;
