import type { Asset } from '@bowline/core/domain/assets';
import type { CandleInterval } from '@bowline/core/domain/market-data';
import { formatUnits, parseUnitsDown } from '@bowline/core/domain/units';
import type { Text } from './text.ts';

// Marks that replace numbers in the text. Capitals, since everything else is lower case.
//   D dollars · N an amount of the asset whose @ follows · B a number without a unit
type Mark = 'D' | 'N' | 'B';

export interface Quantity {
  readonly mark: Mark;
  /** Decimal text. */
  readonly amount: string;
  /** The asset: always set for N, and for D if it was given in a stablecoin. */
  readonly asset?: Asset;
  /** As written, if the reading is a guess: "10k". */
  readonly written: string;
}

/** A number that cannot be read for certain, or at all. */
export type Unclear =
  | { readonly kind: 'number'; readonly written: string; readonly dollars?: true }
  | { readonly kind: 'unit' | 'price_or_size'; readonly written: string; readonly amount: string }
  | { readonly kind: 'percent' | 'currency' | 'times'; readonly written: string }
  /** "40k @": an amount of it, dollars, or its price. */
  | { readonly kind: 'thousands'; readonly written: string; readonly amount: string };

const currencies =
  'eur|euros?|gbp|pounds?|sterling|chf|francs?|yen|jpy|yuan|cny|rmb|rupees?|inr|cents?|wei|gwei|sats?|satoshis?';
const quantity = new RegExp(
  // Sign, minus, digits, thousands, unit.
  '(us\\$|[$€£¥₹])?\\s*(?<![a-z\\d.,])([-−/]?)((?:\\d[\\d.,/]*)?\\d|\\.\\d+)\\s*' +
    '(k|thousand|grand|hundred|mio|mil|mn|million|m|bn|billion)?(?![a-z\\d])\\s*' +
    `(%|percent\\b|us dollars?\\b|usd\\b|dollars?\\b|bucks\\b|[$€£¥₹]|(?:${currencies})\\b|(?:of (?:my|your|our|the) )?@)?`,
  'g',
);

const factors: Readonly<Record<string, bigint>> = {
  h: 100n,
  k: 1_000n,
  t: 1_000n,
  g: 1_000n,
  m: 1_000_000n,
  b: 10n ** 9n,
};

/**
 * Takes all numbers out of the text, leaving a mark for each. `named` are the assets of the text's @s. An amount of a
 * stablecoin beside another asset counts as dollars, and its @ is removed.
 */
export function takeQuantities(
  text: Text,
  named: readonly Asset[],
): { quantities: Quantity[]; named: Asset[]; unclear?: Unclear } {
  const quantities: Quantity[] = [];
  const paidWith = new Set<number>();
  let unclear: Unclear | undefined;
  text.value = text.value.replace(
    quantity,
    (match, sign = '', minus, digits: string, times = '', unit = '', at: number, whole: string) => {
      const written = match.trim();
      const bare = written.replace(/\s*@$/, '');
      const no = (how: Unclear): string => {
        unclear ??= how;
        return unit.endsWith('@') ? ' @ ' : ' ';
      };
      if (/[€£¥₹]/.test(sign + unit) || new RegExp(`^(?:${currencies})$`).test(unit))
        return no({ kind: 'currency', written: bare });
      if (/%|percent/.test(unit)) return no({ kind: 'percent', written: bare });
      const dollars = sign !== '' || /^(?:us|dollar|buck|\$)/.test(unit);
      const ordinal = whole.slice(0, at).split('@').length - 1;
      const asset = unit.endsWith('@') ? named[ordinal] : undefined;
      const isMoney = dollars || asset?.class === 'stable';
      const amount = amountOf(minus + digits, times, isMoney);
      if (amount === undefined) return no({ kind: 'number', written: digits, ...(isMoney && { dollars: true }) });
      if (dollars || asset === undefined) {
        quantities.push({ mark: dollars ? 'D' : 'B', amount, written: digits + times });
        return `${dollars ? ' D ' : ' B '}${asset ? '@ ' : ''}`;
      }
      if (asset.class === 'stable' && named.some((other) => other.class !== 'stable')) {
        paidWith.add(ordinal);
        quantities.push({ mark: 'D', amount, asset, written });
        return ' D ';
      }
      if (times !== '' && asset.class !== 'stable' && !/\bof\b/.test(unit)) {
        unclear ??= { kind: 'thousands', written: digits + times, amount };
      }
      quantities.push({ mark: 'N', amount, asset, written });
      return ' N @ ';
    },
  );
  const left = named.filter((_, index) => !paidWith.has(index));
  return { quantities, named: left, ...(unclear && { unclear }) };
}

/**
 * Decimal text, or undefined if it is ambiguous: half of the world reads "2,5" and "1.500 USD" with a decimal
 * separator, the other half with a thousands separator.
 */
function amountOf(digits: string, times: string, isMoney: boolean): string | undefined {
  if (!/^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)$/.test(digits)) return undefined;
  // Nobody ends decimals of an asset with a zero: "1.500 ETH" is more likely a thousand and a half.
  const thousands = isMoney ? /^[1-9]\d{0,2}\.\d{3}$/ : /^[1-9]\d{0,2}\.\d{2}0$/;
  if (times === '' && thousands.test(digits)) return undefined;
  const plain = digits.replaceAll(',', '').replace(/^\./, '0.');
  const amount = parseUnitsDown(plain, 18);
  return amount === undefined ? undefined : formatUnits(amount * (factors[times.charAt(0)] ?? 1n), 18);
}

const ones = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen',
  'eighteen nineteen',
]
  .join(' ')
  .split(' ');
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const scales = { hundred: 100, thousand: 1_000, million: 1_000_000 } as const;

const digit = [...ones, ...tens].join('|');
const scale = Object.keys(scales).join('|');
const spelt = new RegExp(
  `(?<!\\d\\s*)\\b(?:an?\\s+(?:${scale})|${digit})(?:(?:[\\s-]+|(?<=${scale})\\s+and\\s+)(?:${digit}|${scale}))*\\b`,
  'g',
);

/** Replaces spelled-out numbers with digits: "two hundred dollars" → "200 dollars", "half a @" → "0.5 @". */
export function spellNumbersInDigits(text: Text): void {
  text.value = text.value
    .replace(/\bone and a half\b/g, '1.5')
    .replace(/\b(?:a )?half (?:of )?an? /g, '0.5 ')
    .replace(/\b(?:an? )?quarter (?:of )?an? /g, '0.25 ')
    .replace(/\b(?:an? )?tenth (?:of )?an? /g, '0.1 ')
    .replace(/\ba couple (?:of )?(?=@|dollars)/g, '2 ')
    .replace(spelt, (phrase, at: number, whole: string) => {
      // "Which one" is not a number; "one @" is.
      if (phrase === 'one' && !/^one\s+(?:@|dollars?\b|usd\b)/.test(whole.slice(at))) return phrase;
      return readNumber(phrase.split(/[\s-]+/).filter((word) => word !== 'and'))?.toString() ?? phrase;
    })
    .replace(/\b(\d+) and a half\b/g, '$1.5');
}

/** Undefined if the words do not form one number: "two three". */
function readNumber(words: readonly string[]): number | undefined {
  let total = 0;
  let below = 0;
  let room = Number.POSITIVE_INFINITY;
  for (const word of words) {
    const times = scales[word as keyof typeof scales];
    const value = times ?? (word.startsWith('a') ? 1 : numberOf(word));
    if (times === 100) below *= 100;
    else if (times) {
      total += below * times;
      below = 0;
    } else if (value >= room) return undefined;
    else below += value;
    room = times ?? (value >= 20 ? 10 : 1);
  }
  return total + below;
}

function numberOf(word: string): number {
  const one = ones.indexOf(word);
  return one >= 0 ? one : (tens.indexOf(word) + 2) * 10;
}

/** A period up to now, as candles. */
export interface Span {
  readonly interval: CandleInterval;
  readonly count: number;
  /** Yesterday only, without today. */
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
  // Yesterday's candle and today's.
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
  // "m" alone means a million unless the context is time.
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
