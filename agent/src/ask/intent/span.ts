import type { CandleInterval } from '@bowline/core/domain/ports';
import type { Text } from './text.ts';

/** A stretch of time up to now, as candles. */
export interface Span {
  readonly interval: CandleInterval;
  readonly count: number;
  /** The day before today, without today. */
  readonly yesterday?: true;
}

type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

const minutesOf = { minute: 1, hour: 60, day: 1_440, week: 10_080, month: 43_200, year: 525_600 } as const;
const minutesOfInterval = { '1m': 1, '5m': 5, '1h': 60, '1d': 1_440 } as const;
const MAX_CANDLES = 500;

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const units = 'minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?';
const counted = new RegExp(
  `(?<![$\\d.,])\\b(?:(\\d{1,4})\\s*-?(${units}|h|d|w|y)|(${numbers.join('|')}|an?|couple of)\\s+(${units}))\\b`,
);

/** Takes "last 3 days", "2 weeks", "hourly candles", "since yesterday" out of the text. */
export function takeSpan(text: Text): Span | undefined {
  const exact = text.take(/\b(\d{1,3})\s+(1m|5m|1h|1d|minute|hour|hourly|day|daily)\s+candles?\b/, 'candles');
  if (exact) return candles(intervalOf(exact[2]), Number(exact[1]));

  const interval = text.take(
    /\b(1m|5m|1h|1d|minute|hour|hourly|day|daily)[\s-]+(candles?|bars?|chart|closes|interval)\b/,
    'candles',
  );
  // The candle of yesterday and the one of today.
  if (text.take(/\bsince yesterday\b/, 'since')) return candles('1d', 2);
  if (text.take(/\byesterday\b/, 'last')) return { ...candles('1d', 2), yesterday: true };
  const period = takePeriod(text);
  if (interval) {
    const each = intervalOf(interval[1]);
    const number = text.take(
      /\b(?:last|past|latest) (\d{1,3})\b(?!\s*-?(?:m|h|d|w|y|min|hour|day|week|month|year))/,
      'last',
    );
    if (number) return candles(each, Number(number[1]));
    return candles(each, period ? (period.count * minutesOf[period.unit]) / minutesOfInterval[each] : 24);
  }
  return period && spanOf(period);
}

interface Period {
  readonly count: number;
  readonly unit: Unit;
}

function takePeriod(text: Text): Period | undefined {
  // "m" alone is a million, unless something says that it is time.
  const short = text.take(/\b(?:last|past|over|previous)\s+(\d{1,4})\s*m\b/, 'last');
  if (short) return { count: Number(short[1]), unit: 'minute' };
  const match = text.take(counted, 'last');
  if (match) return { count: countOf(match[1] ?? match[3] ?? ''), unit: unitOf(match[2] ?? match[4] ?? '') };
  const named = text.take(/\b(hour|week|month|year)(?:ly)?\b|\b(?:last|past|this|whole) (day)\b|\bda(i)ly\b/, 'last');
  return named && { count: 1, unit: unitOf(named[1] ?? 'day') };
}

function spanOf({ count, unit }: Period): Span {
  const short = minutesOf[unit] * count;
  if (unit === 'minute') return candles('1m', count);
  if (short <= 4 * minutesOf.hour) return candles('5m', short / 5);
  if (unit === 'hour' || short <= 3 * minutesOf.day) return candles('1h', short / 60);
  return candles('1d', short / minutesOf.day);
}

const candles = (interval: CandleInterval, count: number): Span => ({
  interval,
  count: Math.min(MAX_CANDLES, Math.max(2, Math.ceil(count))),
});

function intervalOf(word = ''): CandleInterval {
  if (word === '5m') return '5m';
  if (word === '1m' || word === 'minute') return '1m';
  return word === '1d' || word.startsWith('da') ? '1d' : '1h';
}

function unitOf(word: string): Unit {
  if (word.startsWith('mi')) return 'minute';
  if (word.startsWith('h')) return 'hour';
  if (word.startsWith('w')) return 'week';
  if (word.startsWith('mo')) return 'month';
  return word.startsWith('y') ? 'year' : 'day';
}

function countOf(word: string): number {
  if (/^\d/.test(word)) return Number(word);
  if (word === 'couple of') return 2;
  return Math.max(1, numbers.indexOf(word) + 1);
}
