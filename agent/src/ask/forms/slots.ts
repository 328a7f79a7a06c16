import { type Asset, assetNamed, isTraded } from '@bowline/core/domain/assets';
import { formatUnits, parseUnitsDown } from '@bowline/core/domain/units';
import type { Back, Item, Question, Reading, Size, Span, Trade } from '../question.ts';
import { idsInDigits, sizesInDigits } from './number-words.ts';

/** What the marks of a text stand for; a mark is a letter and its place in the list, as in A0 or D1. */
export class Slots {
  text: string;
  readonly assets: Asset[] = [];
  readonly sizes: (Size | undefined)[] = [];
  readonly addresses: string[] = [];
  readonly plans: string[] = [];
  readonly guards: string[] = [];
  readonly percents: string[] = [];
  readonly written: string[] = [];
  readonly readings: Reading[] = [];
  readonly items: (readonly Item[])[] = [];
  readonly trades: Trade[] = [];
  target?: string;
  span?: Span;
  count?: number;
  named?: NonNullable<Question['named']>;
  moved?: NonNullable<Question['moved']>;
  unclear?: NonNullable<Question['unclear']>;

  constructor(text: string) {
    this.text = text;
  }

  /** Replaces each match; a match stays where `by` gives undefined. */
  take(pattern: RegExp, by: (...groups: string[]) => string | undefined): void {
    this.text = this.text.replace(pattern, (...groups) => by(...groups) ?? groups[0]);
  }
}

/** Words that ask about an address that is not a token. */
const ofAccount = /\b(?:plans|loan|health|liquidat\w+|debt|collateral)\b/;

const id =
  '\\s*(?:number|no\\.?|nr\\.?|id|with id|is)?\\s*#?\\s*(\\d{1,18})\\b(?![.,]\\d|\\s*(?:usd|usdc|usdt|dollars?|bucks|\\$|%|of\\b|k\\b))';
const planId = new RegExp(`\\b(?:my |the |dca )*plan(?:'s)?(?: number)?${id}(?:'s)?`, 'g');
const guardId = new RegExp(`\\b(?:my |the )*(?:guard|policy|rescue)${id}(?:'s)?`, 'g');
/** "My plan … number 3." */
const laterId = /\b(?:it is |it's |the )*(?:plan |guard )?(?:number|no\.?|id)(?: is|:)? ?#?(\d{1,18})\b/g;

/** Takes addresses, numbers of plans and guards, assets, periods and amounts out of a text in lower case. */
export function takeSlots(text: string, assets: readonly Asset[]): Slots {
  const slots = new Slots(idsInDigits(text));
  slots.take(/(?<![\da-z])0x[\da-f]{40}(?![\da-z])/g, (address) => {
    const asset = ofAccount.test(text) ? undefined : assetNamed(assets, address);
    if (asset) return ` @${slots.assets.push(asset) - 1} `;
    if (!slots.addresses.includes(address)) slots.addresses.push(address);
    return ' X ';
  });
  const takeIds = (pattern: RegExp, kind: 'plans' | 'guards') =>
    slots.take(pattern, (_, number = '') => {
      if (!slots[kind].includes(number)) slots[kind].push(number);
      return kind === 'plans' ? ' L ' : ' G ';
    });
  takeIds(planId, 'plans');
  takeIds(guardId, 'guards');
  takeIds(/(?<![\w#])#\s*(\d{1,18})\b(?![.,]\d)/g, /\b(?:guard|rescue|loan)/.test(slots.text) ? 'guards' : 'plans');
  const kind = /\bplan\b/.test(slots.text) ? 'plans' : /\bguard\b/.test(slots.text) ? 'guards' : undefined;
  if (kind && slots[kind].length === 0) takeIds(laterId, kind);
  takeAssets(slots, assets);
  takeSpan(slots);
  slots.take(
    /\b(?:last|latest|newest)?\s*(\d{1,3})\s+(?:last |latest |newest )?(?:runs|records|deferrals)\b/g,
    (_, count) => {
      slots.count = Math.min(100, Number(count));
      return ' runs ';
    },
  );
  slots.take(
    /\bhealth(?: factor)?(?: (?:of|to|at|is|above|over|back))* (\d{1,2}(?:\.\d{1,4})?)(?![\d%]|[.,]\d| ?%)|(?<![\d.,])(\d(?:\.\d{1,4})?) health\b(?: factor)?/g,
    (_, after, before = '') => {
      slots.target = after ?? before;
      return ' health H ';
    },
  );
  slots.text = slots.text.replace(/\s+/g, ' ');
  takeAmounts(slots);
  return slots;
}

function takeAssets(slots: Slots, assets: readonly Asset[]): void {
  const byName = new Map(
    assets.flatMap((asset) => [asset.symbol.toLowerCase(), ...asset.aliases].map((name) => [name, asset] as const)),
  );
  const any = [...byName.keys()]
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replace(/[^\p{L}\d ]/gu, '\\$&').replaceAll(' ', '\\s+'))
    .join('|');
  slots.take(/\b(?:bnb|binance)(?: smart)? chain\b/g, () => ' chain ');
  slots.take(new RegExp(`(?<![a-z\\d.,])(\\d[\\d.,]*k?)(?=(?:${any})(?![a-z\\d_]))`, 'g'), (_, number) => `${number} `);
  slots.take(/(?<![a-z\d.,])(\d[\d.,]*k?)u(?![a-z\d_])/g, (_, number) => `${number} usd`);
  slots.take(new RegExp(`(?<![a-z\\d$_-])(${any})(?:'s)?(?![a-z\\d_])`, 'g'), (_, name = '') => {
    const asset = byName.get(name.replace(/\s+/g, ' '));
    return asset && ` @${slots.assets.push(asset) - 1} `;
  });
  slots.take(/(?<![a-z\d_'.-])[a-z]{4,}(?![a-z\d_'])/g, (word) => {
    const near = [...byName].flatMap(([name, asset]) => (isMisspelt(word, name) ? [asset] : []));
    const [only, ...others] = new Set(near);
    if (only === undefined || others.length > 0 || ordinary.has(word)) return undefined;
    slots.readings.push({ written: word, as: only.symbol });
    return ` @${slots.assets.push(only) - 1} `;
  });
}

/** Ordinary words one letter away from an asset's name. */
const ordinary = new Set(['other', 'either', 'bother', 'whether', 'together', 'nether']);

/**
 * Whether a word is a misspelling of another: one letter extra, missing or wrong, or two swapped. In words of four
 * letters only a swap counts, and shorter words never match: too many of them are one letter apart.
 */
export function isMisspelt(word: string, other: string): boolean {
  if (word === other || other.length < 4 || Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(word.length, other.length) - start;
  while (end < most && word.at(-1 - end) === other.at(-1 - end)) end++;
  const [ours, theirs] = [word.slice(start, word.length - end), other.slice(start, other.length - end)];
  const swapped = ours.length === 2 && theirs.length === 2 && ours[0] === theirs[1] && ours[1] === theirs[0];
  return swapped || (other.length >= 5 && ours.length <= 1 && theirs.length <= 1);
}

const minutesOf: Readonly<Record<string, number>> = { mi: 1, h: 60, d: 1_440, w: 10_080, mo: 43_200, y: 525_600 };
const minutesIn = (unit: string): number => minutesOf[unit.slice(0, 2)] ?? minutesOf[unit.slice(0, 1)] ?? 60;
const eachOf = { '1m': 1, '5m': 5, '1h': 60, '1d': 1_440 } as const;
const countOf = (count: number): number => Math.min(500, Math.max(2, Math.ceil(count)));

const units = 'minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|h|d|w|y';
const period = new RegExp(
  `(?<![$\\d.,])\\b(?:(?:in|over|during|for|of|the|last|past|previous|this|since|vs|versus|to)\\s+)*(?:(\\d{1,3}|an?|couple of)\\s*-?)?(${units})\\b(?: ago\\b)?`,
  'g',
);
const comparing = /\b(?:ago|since|vs|versus|to)\b/;

/** "last 3 days", "24h", "since yesterday", "hourly candles". */
function takeSpan(slots: Slots): void {
  let interval: Span['interval'] | undefined;
  const spans: Span[] = [];
  slots.take(
    /\b(?:last )?(?:(\d{1,3}) )?(1m|5m|1h|1d|hourly|daily) (?:candles?|bars?|chart)\b(?:[ ,a-z]*\blast (\d{1,3})\b(?! *[a-z]))?/g,
    (_, before, each = '', after) => {
      interval = each === 'hourly' ? '1h' : each === 'daily' ? '1d' : (each as Span['interval']);
      const count = before ?? after;
      if (count !== undefined) spans.push({ interval, count: countOf(Number(count)) });
      return ' candles ';
    },
  );
  slots.take(/\b(since )?((?:vs\.?|versus) )?yesterday\b/g, (_, since, versus) => {
    spans.push({ interval: '1d', count: 2, ...(since === undefined && { yesterday: true }) });
    return versus === undefined ? ' ' : ' candles ';
  });
  slots.take(period, (whole, count, unit = '') => {
    const isLast = /\b(?:last|past|previous|this)\b/.test(whole);
    if (count === undefined ? !isLast : /^an?$/.test(count) && !isLast && !/\b(?:over|ago)\b/.test(whole))
      return undefined;
    const minutes = (/^\d/.test(count ?? '') ? Number(count) : count === 'couple of' ? 2 : 1) * minutesIn(unit);
    const short = minutes <= 90 && minutes % 60 !== 0 ? '1m' : minutes <= 240 ? '5m' : minutes <= 4_320 ? '1h' : '1d';
    const each = interval ?? short;
    spans.push({ interval: each, count: countOf(minutes / eachOf[each]) });
    return comparing.test(whole) ? ' candles ' : ' ';
  });
  const [span, ...more] = spans;
  if (more.length > 0) slots.unclear ??= { back: 'several', written: '', sizes: [] };
  if (span) slots.span = span;
  else if (interval) slots.span = { interval, count: 24 };
}

const currencies =
  'eur|euros?|gbp|pounds?|sterling|chf|francs?|yen|jpy|yuan|cny|rmb|rupees?|inr|cents?|wei|gwei|sats?|satoshis?|lots?';
const factors: Readonly<Record<string, bigint>> = {
  h: 100n,
  k: 1_000n,
  t: 1_000n,
  g: 1_000n,
  m: 1_000_000n,
  万: 10_000n,
};
const quantity = new RegExp(
  `(us\\$|[$€£¥₹])?\\s*(?<![a-z\\d.,@])([-−]?)((?:\\d[\\d.,]*)?\\d|\\.\\d+)\\s*(k|thousand|grand|hundred|mio|million|m|万)?(?![a-z\\d])\\s*` +
    `(%|percents?\\b|per cent\\b|us dollars?\\b|usd\\b|dollars?\\b|bucks\\b|[$€£¥₹]|(?:${currencies})\\b|(?:of (?:my|your|our|the) )?@\\d+)?(?![\\d])`,
  'g',
);

/** Amounts become D (dollars), N (of the asset after it), B (no unit) or C (percent). */
function takeAmounts(slots: Slots): void {
  // "A 50k @ purchase" means dollars.
  slots.text = sizesInDigits(slots.text).replace(
    /\b(an?|this|my) (\d[\d.,]*k) (?=@\d+ (?:purchase|buy|sale|sell|order|trade|position)\b)/g,
    '$1 $$$2 ',
  );
  const stable = (mark: string) => slots.assets[Number(mark.slice(1))]?.class === 'stable';
  const others = slots.assets.some(({ class: kind }) => kind !== 'stable');
  const no = (back: Back, written: string, left: string, sizes: readonly Size[] = []): string => {
    slots.unclear ??= { back, written, sizes };
    return left;
  };
  slots.take(quantity, (match, sign = '', minus = '', number = '', times = '', unit = '') => {
    const mark = /@\d+$/.exec(unit)?.[0];
    const left = mark === undefined ? ' ' : ` ${mark} `;
    const written = match.replace(/\s*@\d+$/, '').trim();
    const put = (kind: string, size?: Size) => {
      slots.written.push(written);
      return ` ${kind}${slots.sizes.push(size) - 1}${kind === 'D' && mark !== undefined && stable(mark) && others ? ' ' : left}`;
    };
    if (/[€£¥₹]/.test(sign + unit) || new RegExp(`^(?:${currencies})$`).test(unit))
      return no('currency', written, left);
    if (/%|percent|per cent/.test(unit)) return ` C${slots.percents.push(minus + number) - 1} `;
    const dollars = sign !== '' || /^(?:us|dollar|buck|\$)/.test(unit);
    const money = dollars || (mark !== undefined && stable(mark));
    const amount = minus === '' ? amountOf(number, times, money) : undefined;
    if (amount === undefined) return no('number', number, left, readingsOf(number, dollars));
    if (money && !dollars && others && mark !== undefined) {
      const coin = slots.assets[Number(mark.slice(1))]?.symbol ?? '';
      if (slots.assets.some((asset) => isTraded(asset) && asset.class !== 'stable' && asset.pool.quote !== coin))
        slots.readings.push({ written: coin, as: 'USD' });
    }
    if (dollars || (money && others)) return put('D', { amount_usd: amount });
    if (mark === undefined) return put('B', { amount_usd: amount });
    if (times !== '' && !money && !/\bof\b/.test(unit))
      no('unit', written, left, [{ amount_asset: amount }, { amount_usd: amount }]);
    return put('N', { amount_asset: amount });
  });
}

/** Decimal text; undefined where half of the world reads another number: "2,5", "1.500 USD". */
function amountOf(number: string, times: string, isMoney: boolean): string | undefined {
  if (!/^(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)$/.test(number)) return undefined;
  const doubtful = isMoney ? /^[1-9]\d{0,2}\.\d{3}$/ : /^[1-9]\d{0,2}\.\d{2}0$/;
  if (times === '' && doubtful.test(number)) return undefined;
  const amount = parseUnitsDown(number.replaceAll(',', '').replace(/^\./, '0.'), 18);
  return amount === undefined ? undefined : formatUnits(amount * (factors[times.charAt(0)] ?? 1n), 18);
}

/** What digits with separators may mean: "1.500" is 1.5 or 1500. */
function readingsOf(written: string, dollars: boolean): Size[] {
  const [, whole, rest = ''] = /^(\d{1,9})[.,](\d{1,9})$/.exec(written) ?? [];
  if (whole === undefined) return [];
  const decimal = `${BigInt(whole)}.${rest}`.replace(/\.?0+$/, '');
  const amounts = [decimal, ...(rest.length === 3 ? [`${BigInt(whole + rest)}`] : [])].filter(
    (each) => Number(each) > 0,
  );
  return amounts.map((amount) => (dollars ? { amount_usd: amount } : { amount_asset: amount }));
}
