import { TICKET_SECONDS } from '@bowline/core/verdict/ticket';
import { earlier, elapsed, type Moment, thisMoment } from './age.ts';

/** Three polling rounds without a newer answer. */
export const OLD_AFTER_MS = 30_000;

/** An answer with the moment at which the server requested its data, by this browser's clocks. */
export type Dated<Answer> = Answer & { readonly asOf: Moment };

interface Sent {
  /** ISO times by the server's clock. */
  readonly time: string;
  readonly sent_at: string;
}

/**
 * Dates an answer without trusting the browser's wall clock: its age is its age at the server or the duration of the
 * request, whichever is longer. A repeated answer keeps its first date.
 */
export function dated<Answer extends Sent>(
  answer: Answer,
  asked: Moment,
  received: Moment,
  before: Dated<Answer> | undefined,
): Dated<Answer> {
  if (before !== undefined && before.time === answer.time) return { ...answer, asOf: before.asOf };
  const ageAtServer = Date.parse(answer.sent_at) - Date.parse(answer.time);
  return { ...answer, asOf: earlier(received, Math.max(ageAtServer, elapsed(asked, received))) };
}

/** A chain reading, with the moment before it was requested. */
export type Timed<Reading> = Reading & { readonly readAt: Moment };

/** Dates a reading by both clocks: react-query's own time uses the wall clock, which may be set back. */
export async function timed<Reading extends object>(read: () => Promise<Reading>): Promise<Timed<Reading>> {
  const readAt = thisMoment();
  return { ...(await read()), readAt };
}

/** Whether the latest reading is too old or missing. */
export const isReadingOld = (reading: { readonly readAt: Moment } | undefined, now: Moment): boolean =>
  reading === undefined || elapsed(reading.readAt, now) >= OLD_AFTER_MS;

/** The same for a time that is only displayed. @param wall by the browser's clock; not finite if there is none. */
export const isTimeOld = (wall: number, now: Moment): boolean =>
  Number.isFinite(wall) && now.wall - wall >= OLD_AFTER_MS;

export const isAnswerOld = ({ asOf }: Dated<Sent>, now: Moment): boolean => elapsed(asOf, now) >= OLD_AFTER_MS;

interface Judged {
  /** Unix seconds by the chain's clock. */
  readonly issued_at: string;
  readonly expires_at: string | null;
}

/**
 * First second, by the chain's clock, at which a verdict has expired: the end of its ticket, or the end that a ticket
 * would have had.
 */
export function endOfVerdict({ issued_at, expires_at }: Judged): bigint {
  const latest = BigInt(issued_at) + TICKET_SECONDS;
  return expires_at !== null && BigInt(expires_at) < latest ? BigInt(expires_at) : latest;
}

/**
 * Whether a verdict was not refreshed in time, or has expired by the chain's clock (by the server's while the chain's
 * is unknown).
 */
export function isVerdictOld(judged: Judged, answer: Dated<Sent>, now: Moment, chainTime: bigint | undefined): boolean {
  if (isAnswerOld(answer, now)) return true;
  const end = endOfVerdict(judged);
  if (chainTime !== undefined) return chainTime >= end;
  return Date.parse(answer.time) + elapsed(answer.asOf, now) >= Number(end) * 1_000;
}

/**
 * When each part of a query's data was read or dated, in wall-clock milliseconds. A failed part keeps its old data, and
 * react-query still counts the query as updated. A part that was never read has no time.
 * @param updatedAt of data without its own time; 0 if there is none.
 */
export function timesOf(data: unknown, updatedAt: number): readonly number[] {
  const times = partsOf(data).flatMap((part) => momentOf(part)?.wall ?? []);
  if (times.length > 0) return times;
  return updatedAt > 0 && !partsOf(data).some(isLatest) ? [updatedAt] : [];
}

/** The data itself, and its parts: `{ loans: [{ data, error }], plans: { data, error } }`. */
function partsOf(data: unknown): readonly object[] {
  if (!isObject(data)) return [];
  if (momentOf(data) !== undefined) return [data];
  const parts = Object.values(data).flatMap((part: unknown) => (Array.isArray(part) ? part : [part]));
  return parts.filter(isObject).flatMap((part) => (isLatest(part) && isObject(part.data) ? [part.data] : [part]));
}

const isObject = (part: unknown): part is object => typeof part === 'object' && part !== null;

const isLatest = (part: object): part is { readonly data: unknown; readonly error: unknown } =>
  'data' in part && 'error' in part;

function momentOf(part: object): Moment | undefined {
  if ('readAt' in part) return part.readAt as Moment;
  return 'asOf' in part ? (part.asOf as Moment) : undefined;
}
