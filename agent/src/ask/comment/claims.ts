import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import { folded } from './fold.ts';

// What a text states that only a tool can know. What might be a claim counts as one.

/** What tools have stated. */
export interface Grounds {
  readonly figures: ReadonlySet<string>;
  readonly verdicts: ReadonlySet<string>;
}

type Output = Readonly<Record<string, unknown>>;

/** Everything in these outputs of tools, and in sentences of ours made from them. */
export function groundsOf(outputs: readonly Output[], sentences: readonly string[]): Grounds {
  // A verdict on record is what an executor claimed then, and the outcome of one check is no verdict.
  const judged = outputs.flatMap(({ verdict, verdict_now }) => leavesOf([verdict, verdict_now]));
  return {
    figures: new Set([...outputs.flatMap(leavesOf), ...sentences].flatMap((text) => figuresOf(plain(text)).flat())),
    verdicts: new Set(judged.map((leaf) => leaf.toUpperCase()).filter((leaf) => Object.hasOwn(verdictCodes, leaf))),
  };
}

/** The first kind of claim in a visible text that these grounds do not have; undefined if there is none. */
export function groundless(text: string, { figures, verdicts }: Grounds): 'link' | 'verdict' | 'number' | undefined {
  const words = plain(text);
  if (hasLink(words)) return 'link';
  if (verdictsOf(words).some((verdict) => !verdicts.has(verdict))) return 'verdict';
  if (hasNumberWord(apart(text)) || hasNumberWord(words)) return 'number';
  return figuresOf(words).every((readings) => readings.some((each) => figures.has(each))) ? undefined : 'number';
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === null || value === undefined ? [] : [String(value)];
}

const EAST_ASIAN = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
/** Where a word of another script begins or ends: East Asian text has no spaces there. */
const SCRIPT_ENDS = new RegExp(
  `(?<=[${EAST_ASIAN}])(?=[^${EAST_ASIAN}\\s\\d])|(?<=[^${EAST_ASIAN}\\s\\d])(?=[${EAST_ASIAN}])`,
  'gu',
);

/** Folded, without tags and marks of emphasis, which may stand inside a word, and with one kind of dash and apostrophe. */
const plain = (text: string): string => apart(folded(text));
const apart = (text: string): string =>
  text
    .replace(/<[^<>\n]{1,40}>/g, '')
    .replace(/[*`~]/g, '')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[’‘ʼ´′]/g, "'")
    .replace(SCRIPT_ENDS, ' ');

/** A word with a digit in it, with the signs that stand within numbers, dates and addresses. */
const FIGURE = /(?<![A-Za-z_])[A-Za-z_]*\d(?:[.,':/^⁄-]?[A-Za-z_\d])*/g;
/** Digits with other signs or spaces between them are read as one number: "1 000", "1 0 0". */
const BETWEEN_DIGITS = /(?<=\d)[^\p{L}\p{N}\n.,':/^⁄-]{1,3}(?=\d)/gu;

/** Numbers, addresses, hashes and times, each in all the ways in which it may be written elsewhere. */
const figuresOf = (text: string): string[][] => (text.replace(BETWEEN_DIGITS, '').match(FIGURE) ?? []).map(readings);

function readings(word: string): string[] {
  const literal = word.toLowerCase();
  // These may follow a number at once. Whatever else does (5k, 0xabc) is part of it.
  const number = /^([\d.,']+)(?:usd[tc]?|btcb?|eth|w?bnb|bps)?$/.exec(literal)?.[1];
  const value = number === undefined ? undefined : readingOf(number);
  return value === undefined ? [literal] : [literal, value];
}

/** Decimal text of a number that has only one reading. 1.234 has two: it must be written the same elsewhere. */
function readingOf(number: string): string | undefined {
  if (/^\d+$/.test(number)) return number;
  if (/^\d{1,3}(?:[,']\d{3})+(?:\.\d+)?$/.test(number)) return trimmed(number.replace(/[,']/g, ''));
  if (/^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$|^\d+,(?:\d{1,2}|\d{4,})$/.test(number)) {
    return trimmed(number.replace(/\./g, '').replace(',', '.'));
  }
  return /^\d+\.\d+$/.test(number) && !/^[1-9]\d{0,2}\.\d{3}$/.test(number) ? trimmed(number) : undefined;
}

const trimmed = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);

/** A word whose letters may be set apart: "G O", "g.o", "C-A-U…". */
const spaced = (word: string): string => [...word].join('[^\\p{L}\\p{N}]{0,4}');
const alone = (pattern: string): RegExp => new RegExp(`(?<!\\p{L})${pattern}(?!\\p{L})`, 'giu');
const verdictWords: readonly (readonly [Verdict, RegExp])[] = [
  ['NO_GO', alone(`${spaced('no')}[\\s_.·-]{0,3}${spaced('go')}`)],
  ['NO_DATA', alone(`${spaced('no')}[\\s_.·-]{0,3}${spaced('data')}`)],
  ['CAUTION', alone(spaced('caution'))],
  ['GO', alone(spaced('go'))],
];

/** Verdict words, in everyday use, too: which one is meant is for nobody to guess. */
function verdictsOf(text: string): Verdict[] {
  let rest = text;
  const found = verdictWords.filter(([, pattern]) => {
    const before = rest;
    rest = rest.replace(pattern, ' ');
    return rest !== before;
  });
  return found.map(([verdict]) => verdict);
}

/** Addresses of pages, hosts and mail, also as people disguise them. Tools return none. */
function hasLink(text: string): boolean {
  const dotted = text
    .replace(/(?<=[a-z0-9-])[\u3002\u00b7](?=[a-z0-9])/giu, '.')
    .replace(/\s*[[({<]\s*(?:\.|dot|punto|point|punkt|nokta)\s*[\])}>]\s*/giu, '.')
    .replace(/(?<=\p{L})\s+dot\s+(?=\p{L})|(?<=\p{L})\s+\.\s*(?=\p{L})/giu, '.')
    .replace(/\b(?:e\.g|i\.e|a\.m|p\.m|u\.s)\b/gi, '');
  return /:\/\/|@|(?<!\p{L})(?:https?|hxxps?|ipfs|www|t\.me)(?!\p{L})|\p{L}[\p{N}-]*\.[\p{N}-]*\p{L}/iu.test(dotted);
}

// Numbers that are written without digits, in the languages of most users: tens and above anywhere, smaller ones before a currency
// or percent. A number in words is never a tool's.
const LATIN_TENS =
  '(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|[mbtr]r?illions?|dozens?|lakhs?|crores?|' +
  'treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien(?:tos?)?|(?:dos|tres|cuatro|seis|sete|ocho|nove)cientos|quinientos|mil|miles|mill[oó]n(?:es)?|' +
  '(?:vingt|trente|quarante|cinquante|soixante|septante|nonante)s?|cents?|mille|milliers?|milli(?:on|ard)s?|' +
  '(?:vinte|trinta|quarenta|cinquenta|sessenta|oitenta|cem|cento|duzentos|trezentos|quinhentos)|milh(?:ao|ão|oes|ões)|bilh(?:ao|ão|oes|ões)|milion[ei]|miliard[io]|' +
  '(?:yirmi|otuz|k[iı]rk|elli|altm[iı][sş]|yetmi[sş]|seksen|doksan|y[uü]z|bin|milyon|milyar)\\p{L}{0,3}|' +
  '\\p{L}*(?:hundert|tausend|zig|(?:dreissig|dreißig))\\p{L}*|million(?:en)?|milliarden?|mln|mio|mrd|puluh|ratus|seratus|ribu|seribu|juta|miliar';
const OTHER_TENS =
  'сорок|девяност\\p{L}*|двадцат\\p{L}*|тридцат\\p{L}*|\\p{L}*десят|сто|двести|трист\\p{L}*|четырест\\p{L}*|\\p{L}*сот|тысяч\\p{L}*|миллион\\p{L}*|миллиард\\p{L}*|тыс|млн|млрд|' +
  '(?:عشر|ثلاث|أربع|اربع|خمس|ست|سبع|ثمان|تسع)(?:ون|ين)|مئ[ةت]\\p{L}*|مائ[ةت]\\p{L}*|[أا]لف|آلاف|الاف|ملايين|مليون|مليار\\p{L}*|' +
  'बीस|तीस|चालीस|पचास|साठ|सत्तर|अस्सी|नब्बे|सौ|हज़?ार|लाख|करोड़?';
const TENS = new RegExp(`(?<![\\p{L}\\p{M}])(?:${LATIN_TENS}|${OTHER_TENS})(?![\\p{L}\\p{M}])`, 'iu');
const DIGITS =
  'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\p{L}{3,6}teen|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|' +
  'nueve|diez|ein(?:en?|s)?|zwei|drei|vier|f[uü]nf|sechs|sieben|acht|neun|zehn|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|dois|' +
  'tr[eê]s|sete|oito|nove|dez|s[iı]f[iı]r|bir|iki|[uü][cç]|d[oö]rt|be[sş]|alt[iı]|yedi|sekiz|dokuz|on|satu|dua|tiga|empat|lima|один|одна|два|две|три|четыре|' +
  'пять|шесть|семь|восемь|девять|десять|واحد|اثن\\p{L}*|ثلاث\\p{L}*|[أا]ربع\\p{L}*|خمس\\p{L}*|एक|दो|तीन|चार|पाँच|छह|सात|आठ|नौ|दस';
const UNITS =
  'us[\\s-]?dollars?|dollars?|usd[tc]?|d[oó]lar\\p{L}*|dolar\\p{L}*|доллар\\p{L}*|دولار\\p{L}*|डॉलर|डलर|美元|美金|元|円|圆|ドル|달러|원|퍼센트|percent|per\\s?cent|por\\s?cien?to|pour\\s?cent|prozent|y[uü]zde|процент\\p{L}*|cents?|euros?|%';
const SMALL = new RegExp(
  `\\p{Sc}\\s*(?:${DIGITS})(?!\\p{L})|(?<![\\p{L}\\p{M}])(?:${DIGITS})[\\s-]+(?:\\p{L}+[\\s-]+){0,2}(?:${UNITS})`,
  'iu',
);
/** A scale after digits: 5k, 5 M, 5万. */
const SCALED = /\d\s*(?:(?:k|m|bn?|mn|tn?)(?!\p{L})|[百千万萬亿億兆백천만억])/iu;
const HAN = '〇零一二三四五六七八九十百千万萬亿億兆两壹贰貳叁肆伍陆陸柒捌玖拾佰仟点點';
const HANGUL = '영일이삼사오육칠팔구십백천만억';
const EASTERN = new RegExp(
  `[${HAN}]{2,}|[${HAN}]\\s*(?:${UNITS}|成|折)|[${HANGUL}]+\\s*(?:${UNITS})|[${HANGUL}]*[이삼사오육칠팔구십백천][백천만억]`,
  'iu',
);

const hasNumberWord = (text: string): boolean => [TENS, SMALL, SCALED, EASTERN].some((words) => words.test(text));
