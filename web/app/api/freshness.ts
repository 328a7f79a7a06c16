import { TICKET_SECONDS } from '@bowline/core/verdict/ticket';
import { earlier, elapsed, type Moment, thisMoment } from './age.ts';

/** Three rounds in which the page got nothing newer. */
export const OLD_AFTER_MS = 30_000;

/** An answer with the moment at which the server asked for it, by this browser's clocks. */
export type Dated<Answer> = Answer & { readonly asOf: Moment };

interface Sent {
  /** ISO times of the server's clock. */
  readonly time: string;
  readonly sent_at: string;
}

/**
 * Dates an answer without trusting that the browser's clock is right: its age at the server, or the time that the request
 * took, whichever is more. An answer that comes again is as old as it was.
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

/** A reading of the chain, with the moment before it was asked for. */
export type Timed<Reading> = Reading & { readonly readAt: Moment };

/** Dates a reading by both clocks: react-query's own time is the wall clock's, which may be set back. */
export async function timed<Reading extends object>(read: () => Promise<Reading>): Promise<Timed<Reading>> {
  const readAt = thisMoment();
  return { ...(await read()), readAt };
}

/** Whether nothing newer was read in time, or nothing at all. */
export const isReadingOld = (reading: { readonly readAt: Moment } | undefined, now: Moment): boolean =>
  reading === undefined || elapsed(reading.readAt, now) >= OLD_AFTER_MS;

export const isAnswerOld = ({ asOf }: Dated<Sent>, now: Moment): boolean => elapsed(asOf, now) >= OLD_AFTER_MS;

interface Judged {
  /** Unix seconds by the chain's clock. */
  readonly issued_at: string;
  readonly expires_at: string | null;
}

/** First second, by the chain's clock, at which a verdict counts no longer: its ticket's end, or what a ticket's would be. */
export function endOfVerdict({ issued_at, expires_at }: Judged): bigint {
  const latest = BigInt(issued_at) + TICKET_SECONDS;
  return expires_at !== null && BigInt(expires_at) < latest ? BigInt(expires_at) : latest;
}

/**
 * Whether a verdict is past its end by the chain's clock, or by the server's while the chain's is not known; or was not asked
 * for again in time.
 */
export function isVerdictOld(judged: Judged, answer: Dated<Sent>, now: Moment, chainTime: bigint | undefined): boolean {
  if (isAnswerOld(answer, now)) return true;
  const end = endOfVerdict(judged);
  if (chainTime !== undefined) return chainTime >= end;
  return Date.parse(answer.time) + elapsed(answer.asOf, now) >= Number(end) * 1_000;
}
