import type { JudgedDocument } from '@bowline/core/audit/evidence';
import { isRun } from '@bowline/core/audit/figures';
import type { Run } from '@bowline/core/audit/history';
import { type Expected, type Surplus, surplusOf } from '@bowline/core/audit/surplus';
import type { Ruling } from '@bowline/core/registry/address-book';
import { releaseOf } from '@bowline/core/replay/rules-in-force';
import type { Looser } from '@bowline/core/verdict/looser';
import { textOf } from '../words/core-words.ts';
import { auditWords } from '../words/en/audit.ts';

/** What is known about a record's document. Absent: not available. */
export type Held =
  | {
      readonly state: 'follows';
      readonly looser: readonly Looser[];
      /** Why signatures in it could not be checked. */
      readonly unchecked: readonly string[];
      readonly expected?: Expected | undefined;
    }
  /** It has the record's hash, but the verdict does not follow from it. */
  | { readonly state: 'differs'; readonly what: readonly string[] }
  /** Judged by rules that were in force then; the release of those rules judges it again. */
  | { readonly state: 'earlier'; readonly version: number; readonly release: string }
  /** A document that was named as this record's has another hash. */
  | { readonly state: 'changed' };

/** With its record, because another reading may have another record under that number. */
export type Found = Held & { readonly of: Run };

/** The gain in money of a run that its document confirms. */
export const gainOf = (run: Run, held: Held | undefined): Surplus | undefined =>
  held?.state === 'follows' && held.expected && isRun(run) ? surplusOf(run, held.expected) : undefined;

/** Documents that one press asks the server for. */
const ASKED = 100;

/**
 * Which documents one press asks the server for. Those not yet reported missing go first, so each press gets further.
 * @param missing by their hashes, newest first.
 */
export function toAsk(missing: readonly string[], absent: ReadonlySet<string>): readonly string[] {
  const names = [...new Set(missing)];
  const unasked = names.filter((name) => !absent.has(name));
  return (unasked.length > 0 ? unasked : names).slice(0, ASKED);
}

/** What was found for the shown records. After a reorg, other records may have their numbers. */
export function stillOf(runs: readonly Run[], found: ReadonlyMap<number, Found>): ReadonlyMap<number, Found> {
  const isSame = (one: Run, other: Run | undefined) =>
    one.evidencePrefix === other?.evidencePrefix && one.verdict === other.verdict && one.time === other.time;
  return new Map([...found].filter(([record, { of }]) => isSame(of, runs[record])));
}

export interface State {
  readonly byRecord: ReadonlyMap<number, Found>;
  readonly troubles: readonly string[];
}

/** What a document says about the records, and why it is unusable if so. */
export function findingsOf(
  document: JudgedDocument,
  name: string,
  runs: readonly Run[],
  rules: readonly Ruling[],
): State {
  const { records, borneOut, untimely, tooSmall, spoilt, again } = document;
  const held = new Map<number, Found>();
  const hold = (record: number, what: Held) => {
    const of = runs[record];
    if (of !== undefined) held.set(record, { ...what, of });
  };
  for (const record of records) {
    const version = again.outcome === 'unsupported_rules' ? again.version : undefined;
    const release = version && releaseOf(version, BigInt(runs[record]?.time ?? 0), rules);
    if (version && release) hold(record, { state: 'earlier', version, release });
    else if (borneOut.includes(record)) {
      const { looser = [], unchecked = [], expected } = again.outcome === 'judged' ? again : {};
      hold(record, { state: 'follows', looser, unchecked, expected });
    } else {
      const misfit = [
        ...(untimely.includes(record) ? [auditWords.otherTime] : []),
        ...(tooSmall.includes(record) ? [auditWords.smallerAmount] : []),
      ];
      hold(record, { state: 'differs', what: whyNot(again, misfit) });
    }
  }
  for (const record of spoilt) hold(record, { state: 'changed' });
  if (spoilt.length > 0) return { byRecord: held, troubles: [auditWords.wasChanged(name, document.hash)] };
  if (records.length > 0) return { byRecord: held, troubles: [] };
  return {
    byRecord: held,
    troubles: [auditWords.matchesNone(name)],
  };
}

function whyNot(again: JudgedDocument['again'], misfit: readonly string[]): string[] {
  if (again.outcome === 'judged') return [...again.differing, ...misfit, auditWords.verdictThatFollows(again.verdict)];
  return again.outcome === 'unsupported_rules' ? [textOf('unsupported_rules')] : [];
}
