import { z } from 'zod';
import type { Session } from '../domain/facts.ts';
import type { TradingCalendars } from '../domain/ports.ts';
import calendarsOfProject from './calendars.json' with { type: 'json' };
import { parseData } from './parse.ts';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

const day = z.iso.date();
const minute = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 09:30');

/** Days and times are local to the exchange. */
const calendar = z
  .strictObject({
    timezone: z.string().refine(isTimezone, 'is no time zone'),
    weekdays: z.array(z.enum(weekdays)).min(1),
    /** Opening and closing times in order. No session crosses midnight. */
    sessions: z.array(z.tuple([minute, minute])).min(1),
    holidays: z.array(day),
    /** Closing time on days with an early close. */
    earlyCloses: z.record(day, minute),
    /** First and last day for which the data is complete. */
    from: day,
    until: day,
  })
  .check(({ value, issues }) => {
    const times = value.sessions.flat();
    const listed = [...value.holidays, ...Object.keys(value.earlyCloses)];
    const wrong = [
      // Text in this format sorts by time.
      times.some((time, at) => at > 0 && time <= (times[at - 1] ?? '')) && 'sessions are not one after the other',
      value.from > value.until && 'it ends before it begins',
      listed.some((each) => each < value.from || each > value.until) && 'a listed day is outside its days',
      new Set(listed).size < listed.length && 'a day is listed twice',
    ];
    for (const message of wrong) if (message) issues.push({ code: 'custom', input: value, message });
  });

type Calendar = z.output<typeof calendar>;

/**
 * All trading calendars.
 * @throws an error with a one-line message that says what is malformed.
 */
export function readTradingCalendars(
  content: unknown = calendarsOfProject,
): TradingCalendars & { readonly names: string[] } {
  const calendars = parseData('packages/core/registry/calendars.json', content, z.record(z.string(), calendar));
  return {
    names: Object.keys(calendars),
    session(name, time) {
      const found = Object.hasOwn(calendars, name) ? calendars[name] : undefined;
      return found && sessionAt(found, Number(time));
    },
  };
}

function sessionAt(calendar: Calendar, time: number): Session | undefined {
  const today = wallTimeAt(calendar.timezone, time).slice(0, 10);
  if (today < calendar.from || today > calendar.until) return undefined;
  for (let date = today; date <= calendar.until; date = dayAfter(date)) {
    for (const [openedAt, closesAt] of sessionsOf(calendar, date)) {
      if (time < openedAt) return { state: 'closed', opensAt: BigInt(openedAt) };
      if (time < closesAt) return { state: 'open', openedAt: BigInt(openedAt), closesAt: BigInt(closesAt) };
    }
  }
  return { state: 'closed' };
}

/** Opening and closing times of one day, unix seconds. */
function sessionsOf(calendar: Calendar, date: string): [number, number][] {
  const { timezone, sessions, holidays, earlyCloses } = calendar;
  const weekday = weekdays[new Date(date).getUTCDay()];
  if (weekday === undefined || !calendar.weekdays.includes(weekday) || holidays.includes(date)) return [];
  const close = earlyCloses[date] ?? '24:00';
  return sessions
    .filter(([opening]) => opening < close)
    .map(([opening, closing]) => [
      unixOf(timezone, date, opening),
      unixOf(timezone, date, closing < close ? closing : close),
    ]);
}

const dayAfter = (date: string): string => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

/**
 * Unix time of a local time in a time zone. Clocks change at night, when no exchange opens or closes, so a local time
 * that occurs twice or not at all needs no special case.
 */
function unixOf(timezone: string, date: string, time: string): number {
  const asUtc = Date.parse(`${date}T${time}:00Z`) / 1000;
  // The UTC offset is defined at an instant only: take it at a nearby instant first, then at the resulting one.
  const near = asUtc - aheadOfUtc(timezone, asUtc);
  return asUtc - aheadOfUtc(timezone, near);
}

const aheadOfUtc = (timezone: string, time: number): number =>
  Date.parse(`${wallTimeAt(timezone, time)}Z`) / 1000 - time;

/** Local time in a time zone, without the zone: 2026-03-08T03:00:00. */
const wallTimeAt = (timezone: string, time: number): string =>
  // The Swedish locale writes ISO 8601.
  clockOf(timezone)
    .format(time * 1000)
    .replace(' ', 'T');

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Cached per time zone: creating a formatter takes fifty times as long as using it, and a session uses it several
 * times.
 */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  const made = clocks.get(timeZone);
  if (made !== undefined) return made;
  const clock = new Intl.DateTimeFormat('sv', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  clocks.set(timeZone, clock);
  return clock;
}

function isTimezone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}
