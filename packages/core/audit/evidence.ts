import { canonicalJson } from '../domain/evidence.ts';
import { sameAddress } from '../domain/same-address.ts';
import type { Ticket } from '../domain/ticket.ts';
import type { Hex } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';
import { UnsupportedRules } from '../replay/evidence.ts';
import { type Hashing, judgeAgain, looserIn, swapOf } from '../replay/replay.ts';
import { signedPriceLines } from '../replay/signed-price.ts';
import type { Looser } from '../verdict/looser.ts';
import { ticketOf } from '../verdict/ticket.ts';
import type { Run, Terms } from './history.ts';
import { type Expected, expectedOf } from './surplus.ts';

// Whether a record's verdict follows from the document whose hash the record carries. Documents may come from anybody.

/** Hash functions, and the chain of the records; undefined: any, so that missing signatures are no difference. */
interface Judging {
  readonly hashing: Omit<Hashing, 'signer'>;
  readonly chainId: number | undefined;
}

type Recorded = Pick<Run, 'evidencePrefix' | 'verdict' | 'time' | 'isAttested' | 'amountIn'>;
/** What a plan trades. An edit cannot change it. */
type Traded = Pick<Terms, 'tokenIn' | 'tokenOut'>;

/** A document judged again, or why it could not be. */
export type Again =
  | {
      readonly outcome: 'judged';
      readonly verdict: Verdict;
      readonly differing: readonly string[];
      /** Why a signature in it could not be checked: not a difference, but nobody vouches for its price. */
      readonly unchecked: readonly string[];
      /** What a ticket for this evidence covers: unix seconds (end excluded) and base units. */
      readonly ticket: Pick<Ticket, 'issuedAt' | 'expiresAt' | 'maxAmountIn'>;
      /** Limits in it that are looser than the project's: not a difference, but reported (RP-3). */
      readonly looser: readonly Looser[];
      /** What its facts imply about the trade in money; absent if prices are missing. */
      readonly expected?: Expected;
    }
  | { readonly outcome: 'unsupported_rules'; readonly version: number }
  | { readonly outcome: 'unreadable' };

export interface JudgedDocument {
  readonly hash: Hex;
  /** Records that carry its hash. */
  readonly records: readonly number[];
  /** Records that it confirms: nothing in it differs, and its verdict, time and amount are the record's. */
  readonly borneOut: readonly number[];
  /** Signed records that were made at a time when no ticket for this evidence was valid. */
  readonly untimely: readonly number[];
  /** Signed runs that paid more than was judged. */
  readonly tooSmall: readonly number[];
  /** Records whose hash is in the file's name although the content has a different hash: the file was changed. */
  readonly spoilt: readonly number[];
  readonly again: Again;
}

/**
 * Judges a document again and lists what does not follow from its facts, which prices Pyth has not signed, and whether it
 * concerns a different trade than the plan's. Evidence that is sound in itself says nothing about a plan that buys something else.
 */
export async function judgedAgain(
  { tokenIn, tokenOut }: Traded,
  text: string,
  { hashing, chainId }: Judging,
): Promise<Again> {
  try {
    const { proposal, again, lines: ofFacts, hash: own } = judgeAgain(text, hashing.hash);
    const lines = [...ofFacts, ...(await signedPriceLines(proposal, chainId, hashing))];
    const swap = swapOf(proposal);
    const differing = lines.filter(({ said, found }) => said !== found).map(({ what }) => what);
    const unchecked = lines.flatMap(({ said, found, unchecked }) => (said === found && unchecked ? [unchecked] : []));
    if (!sameAddress(swap.tokenIn, tokenIn) || !sameAddress(swap.tokenOut, tokenOut))
      differing.push('tokens of the plan');
    const { issuedAt, expiresAt, maxAmountIn } = ticketOf(proposal, swap, again.verdict, own);
    const ticket = { issuedAt, expiresAt, maxAmountIn };
    const expected = expectedOf(proposal);
    const looser = looserIn({ evidence: text });
    return {
      ...{ outcome: 'judged', verdict: again.verdict, differing, unchecked: [...new Set(unchecked)], ticket, looser },
      ...(expected && { expected }),
    };
  } catch (error) {
    if (error instanceof UnsupportedRules) return { outcome: error.code, version: error.version };
    return { outcome: 'unreadable' };
  }
}

/**
 * How a record deviates from what its evidence was judged for: its time or the amount that it paid. Only signed records
 * are checked, because the registry enforces the ticket only for those.
 */
export function misfitOf(
  { time, isAttested, amountIn }: Pick<Recorded, 'time' | 'isAttested' | 'amountIn'>,
  again: Again,
): 'time' | 'amount' | undefined {
  if (!isAttested || again.outcome !== 'judged') return undefined;
  const { issuedAt, expiresAt, maxAmountIn } = again.ticket;
  if (BigInt(time) < issuedAt || BigInt(time) >= expiresAt) return 'time';
  return amountIn > maxAmountIn ? 'amount' : undefined;
}

/** Matches a document with a plan's records by its hash, and judges it again. @param name of its file. */
export async function judgeDocument(
  traded: Traded,
  runs: readonly Recorded[],
  text: string,
  name: string,
  judging: Judging,
): Promise<JudgedDocument> {
  const own = judging.hashing.hash(text);
  const numbers = [...runs.keys()];
  const carriedBy = (record: number, of: string) => of.startsWith(runs[record]?.evidencePrefix.toLowerCase() ?? '-');
  const records = numbers.filter((record) => carriedBy(record, own));
  const [stated = ''] = /0x[0-9a-f]{38,64}/.exec(name.toLowerCase()) ?? [];
  const spoilt = numbers.filter((record) => carriedBy(record, stated) && !records.includes(record));
  const again = await judgedAgain(traded, text, judging);
  const follows = again.outcome === 'judged' && again.differing.length === 0 ? verdictCodes[again.verdict] : undefined;
  const misfits = (kind: 'time' | 'amount' | undefined) =>
    records.filter((record) => misfitOf(runs[record] as Recorded, again) === kind);
  const borneOut = misfits(undefined).filter((record) => runs[record]?.verdict === follows);
  return { hash: own, records, borneOut, untimely: misfits('time'), tooSmall: misfits('amount'), spoilt, again };
}

/**
 * The evidence documents in a file's text: the document alone, one inside an answer or a log line, or a log with several.
 * Any other text counts as one document that was changed beyond recognition.
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
