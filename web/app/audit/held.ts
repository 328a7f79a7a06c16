import { isRun } from '@bowline/core/audit/figures';
import type { Run } from '@bowline/core/audit/history';
import { type Expected, type Surplus, surplusOf } from '@bowline/core/audit/surplus';
import type { Looser } from '@bowline/core/verdict/looser';

/** What is known of a record's document. Absent: not at hand. */
export type Held =
  | { readonly state: 'follows'; readonly looser: readonly Looser[]; readonly expected?: Expected | undefined }
  /** It has the record's hash, and the verdict does not follow from it. */
  | { readonly state: 'differs'; readonly what: readonly string[] }
  /** A document that was named as this record's has another hash. */
  | { readonly state: 'changed' };

/** With the record that it was found of: another reading may have another one under its number. */
export type Found = Held & { readonly of: Run };

/** In money, of a run whose document bears it out. */
export const gainOf = (run: Run, held: Held | undefined): Surplus | undefined =>
  held?.state === 'follows' && held.expected && isRun(run) ? surplusOf(run, held.expected) : undefined;

/** Documents that one press asks the server for. */
const ASKED = 100;

/**
 * Which documents one press asks the server for: those first that it has not said it lacks, so that each press gets further.
 * @param missing by their hashes, newest first.
 */
export function toAsk(missing: readonly string[], absent: ReadonlySet<string>): readonly string[] {
  const names = [...new Set(missing)];
  const unasked = names.filter((name) => !absent.has(name));
  return (unasked.length > 0 ? unasked : names).slice(0, ASKED);
}

/** What was found of the records that are shown: a chain that was reorganised may have others under their numbers. */
export function stillOf(runs: readonly Run[], found: ReadonlyMap<number, Found>): ReadonlyMap<number, Found> {
  const isSame = (one: Run, other: Run | undefined) =>
    one.evidencePrefix === other?.evidencePrefix && one.verdict === other.verdict && one.time === other.time;
  return new Map([...found].filter(([record, { of }]) => isSame(of, runs[record])));
}
