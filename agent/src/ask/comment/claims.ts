import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';

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
    figures: new Set([...outputs.flatMap(leavesOf), ...sentences].flatMap(figuresOf)),
    verdicts: new Set(judged.map((leaf) => leaf.toUpperCase()).filter((leaf) => Object.hasOwn(verdictCodes, leaf))),
  };
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === null || value === undefined ? [] : [String(value)];
}

/** A word with a digit in it, with the signs that stand within numbers, dates and addresses. */
const FIGURE = /[A-Za-z_]*\d(?:[.,:/^-]?[A-Za-z_\d])*/g;
/** Digits with other signs or spaces between them are read as one number: "1 000", "1 0 0". */
const BETWEEN_DIGITS = /(?<=\d)[^\p{L}\p{N}\n.,:/^-]{1,3}(?=\d)/gu;

/** Numbers, addresses, hashes and times, as they are written but for the commas between thousands. */
const figuresOf = (text: string): string[] =>
  (text.replace(BETWEEN_DIGITS, '').match(FIGURE) ?? []).map((figure) =>
    /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(figure) ? figure.replaceAll(',', '') : figure.toLowerCase(),
  );

/** A word whose letters may be set apart: "G O", "g.o", "C-A-U…". */
const spaced = (word: string): string => [...word].join('[^\\p{L}\\p{N}]{0,4}');
const alone = (pattern: string): RegExp => new RegExp(`(?<![a-z])${pattern}(?![a-z])`, 'giu');
const verdictWords: readonly (readonly [Verdict, RegExp])[] = [
  ['NO_GO', alone(`${spaced('no')}[\\s_.·-]{0,3}${spaced('go')}`)],
  ['NO_DATA', alone(`${spaced('no')}[\\s_.·-]{0,3}${spaced('data')}`)],
  ['CAUTION', alone(spaced('caution'))],
  ['GO', alone(spaced('go'))],
];

/** Whether it has a verdict word that no tool gave, in everyday use, too: which one is meant is for nobody to guess. */
export function hasVerdict(text: string, { verdicts }: Grounds): boolean {
  let rest = text;
  return verdictWords.some(([verdict, pattern]) => {
    const before = rest;
    rest = rest.replace(pattern, ' ');
    return rest !== before && !verdicts.has(verdict);
  });
}

/** Whether it has an address of a page, a host or mail, also as people disguise them. Tools return none. */
export const hasLink = (text: string): boolean =>
  /:\s*\/|\/\/|@|\b(?:https?|hxxps?|ipfs|www)\b|\p{L}[\d-]*\.[\d-]*\p{L}|[a-z\d-](?:[。·]|\s+\.\s*|\s*[[({<]\s*(?:\.|dot|punto|point|punkt)\s*[\])}>]\s*|\s+dot\s+)[a-z]/iu.test(
    text.replace(/\b(?:e\.g|i\.e|a\.m|p\.m|u\.s|z\.b|d\.h)\b/gi, ''),
  );

const SCALES =
  'hundreds?|thousands?|[mb]illion(?:s|en|es)?|trillions?|dozens?|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|\\p{L}*(?:hundert|tausend|zig|dreissig|dreißig)\\p{L}*|' +
  'cien(?:tos?)?|\\p{L}*cientos|quinientos|mil|miles|treinta|\\p{L}{4,6}enta|cents?|milles?|milliers?|milliards?|(?:vingt|trente|\\p{L}{4,6}ante)s?|millon(?:es)?';
/** A number in words is never a tool's: tens and above, and any word but these before a currency or percent. */
const NUMBER_WORDS = new RegExp(
  `(?<![a-z])(?:${SCALES})(?![a-z])|\\d\\s*(?:(?:k|m|bn?|mn|tn?)(?![a-z])|[百千万亿])|[〇零一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟点]{2,}|` +
    '(?<!\\d[ ]?|以|用)(?:美元|美金)|[百千万亿两一二三四五六七八九十]元|[$€£¥](?![ ]?\\d)|(?<!\\d[ ]?)(?:%|percent|prozent)|' +
    '(?<!\\d[ ]?|(?:^|[^a-z])(?:in|of|to|for|with|from|and|the|us|en|de|y|con|por|mit|und|gegen|von|et|contre|against)[ ])(?<![a-z])(?:us[ -]?dollars?|dollars?|usd[tc]?|dolar(?:es)?|euros?)(?![a-z])',
  'iu',
);

/** Whether it has a figure that no tool gave, or a number in words. */
export const hasFigure = (text: string, { figures }: Grounds): boolean =>
  NUMBER_WORDS.test(text) || !figuresOf(text).every((figure) => figures.has(figure));
