import { isNever } from '@bowline/core/domain/readable';
import { inExactUnit, inLargestUnit } from '@bowline/core/texts/times';
import { words } from './en/frame.ts';
import { locale } from './language.ts';

/** The largest unit that is exact: 7200n → "2 hours". */
export function duration(seconds: bigint): string {
  const [count, unit] = inExactUnit(seconds);
  return words.times[unit](count);
}

/** An approximate duration in the largest unit that fits: 5_400n → "1 hour". */
export function roughly(seconds: bigint): string {
  const [count, unit] = inLargestUnit(seconds);
  return words.times[unit](count);
}

/** "every hour", "every 2 days". */
export const every = (seconds: bigint): string => words.times.every(duration(seconds));

/** Formats are made once for each language: making one takes milliseconds. */
function inLanguage(options: Intl.DateTimeFormatOptions): (unixMs: number) => string {
  const made = new Map<string, Intl.DateTimeFormat>();
  return (unixMs) => {
    const name = locale();
    const format = made.get(name) ?? new Intl.DateTimeFormat(name, options);
    made.set(name, format);
    return format.format(new Date(unixMs));
  };
}

const moment = inLanguage({
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
});

/** In the reader's own time zone, which is named: "22 Nov 2026, 14:00 CET". */
export const when = (unixSeconds: bigint): string => moment(Number(unixSeconds) * 1000);

const exact = inLanguage({ dateStyle: 'medium', timeStyle: 'long' });

/** To the second, in the reader's own time zone, which it names. */
export const exactly = (unixSeconds: bigint): string =>
  isNever(unixSeconds) ? words.times.never : exact(Number(unixSeconds) * 1000);

const time = inLanguage({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });

/** For a chart's axis, in the reader's own time zone, with no room to name it. @param unixMs */
export const hourTick = inLanguage({ hour: '2-digit', minute: '2-digit' });
export const dayTick = inLanguage({ day: 'numeric', month: 'short' });

/** The time of day, in the reader's own time zone. @param unixMs of the browser's clock. */
export const timeOfDay = (unixMs: number): string => time(unixMs);

/**
 * When something was read: the time of day, plus the day if it is not today, because a page may stay open for days.
 * @param unixMs of the browser's clock.
 */
export const asOfTime = (unixMs: number, nowMs = Date.now()): string =>
  isSameDay(unixMs, nowMs) ? time(unixMs) : moment(unixMs);

/** The same to the second. */
export const exactAsOf = (unixMs: number, nowMs = Date.now()): string =>
  isSameDay(unixMs, nowMs) ? timeToTheSecond(unixMs) : exact(unixMs);

/** In the reader's own time zone. */
const isSameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();

/** A span of time in its largest unit, rounded down: "3 minutes". */
export const span = (ms: number): string => roughly(BigInt(Math.floor(Math.abs(ms) / 1_000)));

const timeToTheSecond = inLanguage({
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
});
