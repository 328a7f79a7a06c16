import { describe, expect, it, vi } from 'vitest';
import book from '../../registry/calendars.json' with { type: 'json' };
import { readTradingCalendars } from '../../registry/calendars.ts';

const calendars = readTradingCalendars();
const unix = (iso: string) => BigInt(Date.parse(iso) / 1000);
const at = (iso: string, calendar = 'XNYS') => calendars.session(calendar, unix(iso));
const open = (from: string, until: string) => ({ state: 'open', openedAt: unix(from), closesAt: unix(until) });
const closedUntil = (iso: string) => ({ state: 'closed', opensAt: unix(iso) });

// GD-11
describe('a session of the New York Stock Exchange', () => {
  it('begins and ends to the second', () => {
    // A Wednesday in winter: New York is five hours behind.
    const session = open('2026-01-14T14:30:00Z', '2026-01-14T21:00:00Z');
    expect(at('2026-01-14T14:29:59Z')).toEqual(closedUntil('2026-01-14T14:30:00Z'));
    expect(at('2026-01-14T14:30:00Z')).toEqual(session);
    expect(at('2026-01-14T20:59:59Z')).toEqual(session);
    expect(at('2026-01-14T21:00:00Z')).toEqual(closedUntil('2026-01-15T14:30:00Z'));
  });

  it('of the day of the clock there, not of UTC', () => {
    // Thursday in UTC, and still Wednesday evening in New York.
    expect(at('2026-01-15T02:00:00Z')).toEqual(closedUntil('2026-01-15T14:30:00Z'));
  });

  it('is an hour earlier from the Monday after clocks are put forward', () => {
    expect(at('2026-03-06T14:30:00Z')).toMatchObject({ state: 'open' });
    expect(at('2026-03-06T21:00:00Z')).toEqual(closedUntil('2026-03-09T13:30:00Z'));
    expect(at('2026-03-08T07:30:00Z')).toEqual(closedUntil('2026-03-09T13:30:00Z'));
    expect(at('2026-03-09T13:30:00Z')).toEqual(open('2026-03-09T13:30:00Z', '2026-03-09T20:00:00Z'));
  });

  it('and an hour later from the Monday after they are put back', () => {
    expect(at('2026-10-30T19:59:59Z')).toEqual(open('2026-10-30T13:30:00Z', '2026-10-30T20:00:00Z'));
    expect(at('2026-11-01T05:30:00Z')).toEqual(closedUntil('2026-11-02T14:30:00Z'));
    expect(at('2026-11-02T14:29:59Z')).toEqual(closedUntil('2026-11-02T14:30:00Z'));
    expect(at('2026-11-02T20:59:59Z')).toEqual(open('2026-11-02T14:30:00Z', '2026-11-02T21:00:00Z'));
  });

  it('follows a weekend on Monday, or on Tuesday where that is a holiday', () => {
    expect(at('2026-01-09T22:00:00Z')).toEqual(closedUntil('2026-01-12T14:30:00Z'));
    expect(at('2026-01-11T12:00:00Z')).toEqual(closedUntil('2026-01-12T14:30:00Z'));
    // Martin Luther King's day.
    expect(at('2026-01-16T22:00:00Z')).toEqual(closedUntil('2026-01-20T14:30:00Z'));
  });

  it('is not held on a holiday, nor on the day on which one is observed', () => {
    expect(at('2026-11-26T16:00:00Z')).toEqual(closedUntil('2026-11-27T14:30:00Z'));
    // The 4th of July 2026 is a Saturday, of 2027 a Sunday.
    expect(at('2026-07-03T15:00:00Z')).toEqual(closedUntil('2026-07-06T13:30:00Z'));
    expect(at('2027-07-05T15:00:00Z')).toEqual(closedUntil('2027-07-06T13:30:00Z'));
    // The first of January 2028 is a Saturday, which no day is free for.
    expect(at('2027-12-31T15:00:00Z')).toMatchObject({ state: 'open' });
  });

  it('ends at one on the days before and after some', () => {
    const session = open('2026-11-27T14:30:00Z', '2026-11-27T18:00:00Z');
    expect(at('2026-11-27T17:59:59Z')).toEqual(session);
    expect(at('2026-11-27T18:00:00Z')).toEqual(closedUntil('2026-11-30T14:30:00Z'));
    expect(at('2028-07-03T16:59:59Z')).toEqual(open('2028-07-03T13:30:00Z', '2028-07-03T17:00:00Z'));
  });

  it('is not known outside of the days that the calendar is of', () => {
    expect(at('2026-01-01T04:59:59Z')).toBeUndefined();
    expect(at('2026-01-01T05:00:00Z')).toEqual(closedUntil('2026-01-02T14:30:00Z'));
    expect(at('2028-12-29T20:59:59Z')).toMatchObject({ state: 'open' });
    // A Friday, and the last weekend of the calendar.
    expect(at('2028-12-29T21:00:00Z')).toEqual({ state: 'closed' });
    expect(at('2029-01-01T04:59:59Z')).toEqual({ state: 'closed' });
    expect(at('2029-01-01T05:00:00Z')).toBeUndefined();
  });
});

it('a calendar that there is not has no sessions', () => {
  expect(at('2026-01-14T15:00:00Z', 'XETR')).toBeUndefined();
  expect(at('2026-01-14T15:00:00Z', 'constructor')).toBeUndefined();
});

it('the clock of a time zone is made once, and not for every question', () => {
  at('2026-01-14T14:30:00Z');
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  for (const day of ['12', '13', '14', '15', '16'])
    expect(at(`2026-01-${day}T15:00:00Z`)).toMatchObject({ state: 'open' });
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});

it('the invented exchange is open for fifty minutes of every hour', () => {
  expect(at('2026-07-04T23:49:59Z', 'ACME')).toEqual(open('2026-07-04T23:00:00Z', '2026-07-04T23:50:00Z'));
  expect(at('2026-07-04T23:50:00Z', 'ACME')).toEqual(closedUntil('2026-07-05T00:00:00Z'));
  expect(at('2026-07-05T00:00:00Z', 'ACME')).toEqual(open('2026-07-05T00:00:00Z', '2026-07-05T00:50:00Z'));
});

describe('the days that are free in New York', () => {
  const years = [2026, 2027, 2028];
  const { holidays, earlyCloses } = book.XNYS;
  const iso = (date: Date) => date.toISOString().slice(0, 10);
  const on = (year: number, month: number, date: number) => new Date(Date.UTC(year, month - 1, date));
  /** The nth of a weekday in a month, Sunday being 0; the last of them for -1. */
  const nth = (year: number, month: number, weekday: number, count: number) => {
    const days = Array.from({ length: 31 }, (_, at) => on(year, month, at + 1)).filter(
      (date) => date.getUTCMonth() === month - 1 && date.getUTCDay() === weekday,
    );
    return days.at(count < 0 ? count : count - 1) as Date;
  };
  const shifted = (date: Date, days: number) => new Date(date.getTime() + days * 86_400_000);
  /** The Friday before a Saturday, the Monday after a Sunday. */
  const observed = (date: Date) => shifted(date, { 6: -1, 0: 1 }[date.getUTCDay()] ?? 0);
  /** Sunday after the first full moon of spring, by the sums of the Gregorian calendar. */
  const easter = (year: number) => {
    const [golden, century] = [year % 19, Math.floor(year / 100)];
    const epact =
      (((19 * golden + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 15) % 30) + 30) % 30;
    const moon = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
    const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
    const offset = moon - weekday;
    const month = 3 + Math.floor((offset + 40) / 44);
    return on(year, month, offset + 28 - 31 * Math.floor(month / 4));
  };

  it('are those of the rules of the exchange', () => {
    const byRule = years.flatMap((year) => [
      // On a Saturday it is not made up for: the Friday is the last day of the year's accounts.
      ...(on(year, 1, 1).getUTCDay() === 6 ? [] : [observed(on(year, 1, 1))]),
      nth(year, 1, 1, 3),
      nth(year, 2, 1, 3),
      shifted(easter(year), -2),
      nth(year, 5, 1, -1),
      observed(on(year, 6, 19)),
      observed(on(year, 7, 4)),
      nth(year, 9, 1, 1),
      nth(year, 11, 4, 4),
      observed(on(year, 12, 25)),
    ]);
    expect(holidays).toEqual(byRule.map(iso));
    expect(holidays).toHaveLength(29);
    // Known from elsewhere than these sums.
    expect(holidays).toEqual(expect.arrayContaining(['2026-04-03', '2027-03-26', '2028-04-14']));
  });

  it('and the short ones: the day after Thanksgiving, and the eves that are working days', () => {
    const byRule = years
      .flatMap((year) => [on(year, 7, 3), shifted(nth(year, 11, 4, 4), 1), on(year, 12, 24)])
      .filter((date) => date.getUTCDay() % 6 !== 0)
      .map(iso)
      .filter((date) => !holidays.includes(date));
    expect(Object.keys(earlyCloses)).toEqual(byRule);
    expect(new Set(Object.values(earlyCloses))).toEqual(new Set(['13:00']));
  });

  it('are no weekends', () => {
    for (const day of [...holidays, ...Object.keys(earlyCloses)]) {
      expect([1, 2, 3, 4, 5], day).toContain(new Date(day).getUTCDay());
    }
  });
});

describe('a book of calendars', () => {
  const read = (change: object) => () => readTradingCalendars({ XNYS: { ...book.XNYS, ...change } }).names;

  it('is taken as it is', () => {
    expect(read({})()).toEqual(['XNYS']);
  });

  it.each([
    ['a time zone that there is not', { timezone: 'America/Gotham' }, 'XNYS.timezone: is no time zone'],
    [
      'a time that there is not',
      { sessions: [['09:30', '24:00']] },
      'XNYS.sessions.0.1: must be a time of day like 09:30',
    ],
    [
      'a session that ends before it begins',
      { sessions: [['16:00', '09:30']] },
      'XNYS: sessions are not one after the other',
    ],
    ['a free day after its end', { holidays: ['2029-01-01'] }, 'XNYS: a listed day is outside its days'],
    ['a day that there is not', { holidays: ['2026-02-30'] }, 'XNYS.holidays.0: '],
    ['a day that is free and short', { holidays: ['2026-11-27'] }, 'XNYS: a day is listed twice'],
    ['an end before its beginning', { from: '2029-01-01' }, 'XNYS: it ends before it begins'],
  ])('is not taken with %s', (_, change, complaint) => {
    expect(read(change)).toThrow(`packages/core/registry/calendars.json: ${complaint}`);
  });
});
