import { canonicalJson } from '../domain/evidence.ts';
import type { Hex } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';
import { judgeAgain } from '../replay/replay.ts';
import type { Run } from './history.ts';

// Whether a record's verdict follows from the document whose hash the record carries. Documents may come from anybody.

type Hash = (text: string) => Hex;
type Recorded = Pick<Run, 'evidencePrefix' | 'verdict'>;

/** A document judged again; `unreadable` if these rules cannot judge it. */
export type Again =
  | { readonly outcome: 'judged'; readonly verdict: Verdict; readonly differing: readonly string[] }
  | { readonly outcome: 'unreadable' };

export interface JudgedDocument {
  readonly hash: Hex;
  /** Records that carry its hash. */
  readonly records: readonly number[];
  /** Those that it bears out: nothing in it differs, and its verdict is the recorded one. */
  readonly borneOut: readonly number[];
  /** Records whose hash its file's name states, while its content has another: it was changed. */
  readonly spoilt: readonly number[];
  readonly again: Again;
}

/** What of a document's conclusions does not follow from its facts. */
export function judgedAgain(text: string, hash: Hash): Again {
  try {
    const { again, lines } = judgeAgain(text, hash);
    const differing = lines.filter(({ said, found }) => said !== found).map(({ what }) => what);
    return { outcome: 'judged', verdict: again.verdict, differing };
  } catch {
    return { outcome: 'unreadable' };
  }
}

/** Matches a document with a plan's records by its hash, and judges it again. @param name of its file. */
export function judgeDocument(runs: readonly Recorded[], text: string, name: string, hash: Hash): JudgedDocument {
  const own = hash(text);
  const numbers = [...runs.keys()];
  const carriedBy = (record: number, of: string) => of.startsWith(runs[record]?.evidencePrefix.toLowerCase() ?? '-');
  const records = numbers.filter((record) => carriedBy(record, own));
  const [stated = ''] = /0x[0-9a-f]{38,64}/.exec(name.toLowerCase()) ?? [];
  const spoilt = numbers.filter((record) => carriedBy(record, stated) && !records.includes(record));
  const again = judgedAgain(text, hash);
  const follows = again.outcome === 'judged' && again.differing.length === 0 ? verdictCodes[again.verdict] : undefined;
  const borneOut = records.filter((record) => runs[record]?.verdict === follows);
  return { hash: own, records, borneOut, spoilt, again };
}

/**
 * The evidence documents in a file's text: the document alone, one inside an answer or a log line, or a log with several.
 * What cannot be read as any of them counts as one document, changed beyond recognition.
 */
export function documentsIn(text: string): string[] {
  const whole = text.trim();
  const parsed = parse(whole);
  if (parsed !== undefined) return [evidenceIn(parsed) ?? whole];
  const ofLines = whole.split('\n').flatMap((line) => evidenceIn(parse(line)) ?? []);
  return ofLines.length === 0 ? [whole] : ofLines;
}

function evidenceIn(value: unknown): string | undefined {
  const { evidence } = (value ?? {}) as { readonly evidence?: unknown };
  if (evidence === undefined) return undefined;
  return typeof evidence === 'string' ? evidence : canonicalJson(evidence);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
