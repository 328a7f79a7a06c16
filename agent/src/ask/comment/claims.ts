import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import { folded } from './fold.ts';

// What a text states that only a tool can know. What might be a claim counts as one.

/** What tools have stated. */
export interface Grounds {
  readonly figures: ReadonlySet<string>;
  readonly verdicts: ReadonlySet<string>;
}

/** Everything in these outputs of tools, and in sentences of ours made from them. */
export function groundsOf(outputs: readonly unknown[], sentences: readonly string[]): Grounds {
  const leaves = outputs.flatMap(leavesOf);
  return {
    figures: new Set([...leaves, ...sentences].flatMap((text) => figuresOf(plain(text)).flat())),
    verdicts: new Set(leaves.map((leaf) => leaf.toUpperCase()).filter((leaf) => Object.hasOwn(verdictCodes, leaf))),
  };
}

/** The first kind of claim in a visible text that these grounds do not have; undefined if there is none. */
export function groundless(text: string, { figures, verdicts }: Grounds): 'link' | 'verdict' | 'number' | undefined {
  const words = plain(text);
  if (hasLink(words)) return 'link';
  if (verdictsOf(words).some((verdict) => !verdicts.has(verdict))) return 'verdict';
  if (hasNumberWord(text) || hasNumberWord(words)) return 'number';
  return figuresOf(words).every((readings) => readings.some((each) => figures.has(each))) ? undefined : 'number';
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === null || value === undefined ? [] : [String(value)];
}

/** Folded, without marks of emphasis, which may stand inside a word, and with one kind of dash and apostrophe. */
const plain = (text: string): string =>
  folded(text)
    .replace(/[*`~]/g, '')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[’‘ʼ´′]/g, "'");

/** A word with a digit in it, with the signs that stand within numbers, dates and addresses. */
const FIGURE = /(?<![A-Za-z_])[A-Za-z_]*\d(?:[.,':/^⁄-]?[A-Za-z_\d])*/g;
/** Digits with other signs or spaces between them are read as one number: "1 000", "1 0 0". */
const BETWEEN_DIGITS = /(?<=\d)[^\p{L}\p{N}\n.,':/^⁄-]{1,3}(?=\d)/gu;

/** Numbers, addresses, hashes and times, each in all the ways in which it may be written elsewhere. */
const figuresOf = (text: string): string[][] => (text.replace(BETWEEN_DIGITS, '').match(FIGURE) ?? []).map(readings);

function readings(word: string): string[] {
  const literal = word.toLowerCase();
  // A currency or an asset may follow its number at once; a shorter unit (5k, 3m) is part of it.
  const number = /^([\d.,']+)(?:[a-z]{3,})?$/.exec(literal)?.[1];
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

/** Letters that are set apart are read together: "G O", "n-o-_g.o". */
const joined = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}])(?:\p{L}[^\p{L}\p{N}]{1,4})+\p{L}(?![\p{L}\p{N}])/gu, (letters) =>
    letters.replace(/[^\p{L}]/gu, ''),
  );

const verdictWords: readonly (readonly [Verdict, RegExp])[] = [
  ['NO_GO', /(?<!\p{L})no[\s_.·-]{0,3}go(?!\p{L})/giu],
  ['NO_DATA', /(?<!\p{L})no[\s_.·-]{0,3}data(?!\p{L})/giu],
  ['CAUTION', /(?<!\p{L})caution/giu],
  ['GO', /(?<!\p{L})go(?!\p{L})/giu],
];

/** Verdict words, in everyday use, too: which one is meant is for nobody to guess. */
function verdictsOf(text: string): Verdict[] {
  const found = [text, joined(text)].flatMap((words) => {
    let rest = words;
    return verdictWords.filter(([, pattern]) => {
      const before = rest;
      rest = rest.replace(pattern, ' ');
      return rest !== before;
    });
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

// Numbers that are written without digits, in the languages of most users: large ones, and any before a currency or percent.
const LARGE =
  /(?<!\p{L})(?:hundreds?|thousands?|[mbtr]?illions?|millions?|billions?|trillions?|dozens?|lakhs?|crores?|cien(?:tos?)?|mil|miles|mill[oó]n(?:es)?|cents?|mille|milliers?|milliards?|(?:\p{L}*)hundert|(?:\p{L}*)tausend|millionen|milliarden?|cem|mil(?:h[aã]o|h[oõ]es)|milion[ei]|miliard[io]|(?:y[uü]z|bin|milyon|milyar)(?:\p{L}{0,3})|сто|двести|тысяч\p{L}*|миллион\p{L}*|миллиард\p{L}*|тыс|млн|млрд|mln|mio|mrd|seratus|seribu|ribu|juta|مئة|مائة|ألف|الف|آلاف|مليون|مليار|سौ|सौ|हज़ार|हजार|लाख|करोड़)(?!\p{L})|\d\s*(?:k|m|bn?|mn|tn?)(?!\p{L})|[\d백천만억십구팔칠육오사삼이일]\s*[백천만억]\s*(?:달러|원|%)?/iu;
const SMALL =
  /(?<!\p{L})(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}{3,6}teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|ein(?:en?|s)?|zwei|drei|vier|f[uü]nf|sechs|sieben|acht|neun|zehn|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|dois|tr[eê]s|bir|iki|[uü][cç]|d[oö]rt|be[sş]|on|один|два|три|четыре|пять|шесть|семь|восемь|девять|десять)[\s-]+(?:\p{L}+[\s-]+){0,2}(?:us[\s-]?)?(?:dollars?|usd[tc]?|d[oó]lar\p{L}*|d[oó]lares|доллар\p{L}*|percent|per\scent|por\sciento|pour\scent|prozent|процент\p{L}*|cents?|euros?)/iu;
const HAN =
  /[〇零一二三四五六七八九十百千万萬亿億兆两]{2,}|[\d〇零一二三四五六七八九十百千万萬亿億兆两]\s*(?:[百千万萬亿億兆]|美元|美金|元|円|圆|ドル|美刀|成|折)/iu;

const hasNumberWord = (text: string): boolean =>
  [LARGE, SMALL].some((words) => words.test(text)) ||
  HAN.test(text.replace(/\d[\d.,]*\s*(?:美元|美金|元|円|圆|ドル)/gu, ''));
