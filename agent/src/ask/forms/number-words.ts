// Numbers in words, as digits.

const small =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const values: Readonly<Record<string, number>> = Object.fromEntries([
  ...small.map((each, index) => [each, index + 1]),
  ...tens.map((each, index) => [each, 20 + 10 * index]),
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
]);
const word = Object.keys(values)
  .toSorted((one, other) => other.length - one.length)
  .join('|');
/** "forty", "two hundred and fifty", "a hundred"; never "two three". */
const spelt = `(?:a (?=hundred|thousand|million))?(?:${word})(?:(?: and |[ -])(?:${word}))*`;
const measured = '@|dollars?\\b|bucks\\b|usd\\b|grand\\b|percents?\\b|per cent\\b';
const ofSize = new RegExp(`(?<![\\w.-]|\\d )(${spelt})(?=(?: and a half)? (?:${measured}))`, 'g');
const ofId = new RegExp(`(?<=\\b(?:plan|guard|number|plan id|guard id) )(${spelt})\\b`, 'g');

function valueIn(text: string): number | undefined {
  let [total, part, last] = [0, 0, Number.POSITIVE_INFINITY];
  for (const each of text.split(/[ -]/)) {
    const value = values[each];
    if (value === undefined) continue;
    if (value >= 1_000) [total, part, last] = [total + (part || 1) * value, 0, value];
    else if (value === 100) [part, last] = [(part || 1) * 100, 100];
    else if (value < last && (last >= 100 || (last >= 20 && value < 10))) [part, last] = [part + value, value];
    else return undefined;
  }
  return total + part;
}

const inDigits = (text: string, pattern: RegExp): string => text.replace(pattern, (all) => String(valueIn(all) ?? all));

const ofTime = new RegExp(`\\b(${spelt})(?=[ -](?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)\\b)`, 'g');
/** "Plan number ten" as "plan number 10", "two days" as "2 days". */
export const idsInDigits = (text: string): string => inDigits(inDigits(text, ofId), ofTime);

const parts: readonly (readonly [RegExp, string])[] = [
  [/\b(?:a |one )?quarter (?:of )?(?:a )?million\b/g, '250000'],
  [/\bhalf (?:of )?(?:a )?million\b/g, '500000'],
  [/\b(?:3|three) quarters (?:of )?(?:an? )?(?=@)/g, '0.75 '],
  [/\b(?:a |one )?quarter (?:of )?an? (?=@)/g, '0.25 '],
  [/\b(?:a|one)[ -]tenth (?:of )?(?:an? )?(?=@)/g, '0.1 '],
  [/\b(?:half an?|a half(?: of an?)?|half) (?=@)/g, '0.5 '],
  [/\b(\d+) and a half (?=@)/g, '$1.5 '],
];

/** "Two hundred dollars", "three quarters of an @0" in digits. */
export const sizesInDigits = (text: string): string =>
  inDigits(
    parts.reduce((plain, [pattern, number]) => plain.replace(pattern, number), text),
    ofSize,
  );

const digit = '一二三四五六七八九';
const numeral = `(?<![\\d.])[${digit}两十百千万]+`;
const unit: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000, 万: 10_000 };

function chineseValue(text: string): string {
  let [total, part, number] = [0, 0, 0];
  for (const each of text.replaceAll('两', '二').match(/\d+|\D/g) ?? []) {
    const factor = unit[each];
    if (factor === undefined) number = /\d/.test(each) ? Number(each) : digit.indexOf(each) + 1;
    else if (factor === 10_000) [total, part, number] = [total + (part + number || 1) * factor, 0, 0];
    else [part, number] = [part + (number || 1) * factor, 0];
  }
  return String(total + part + number);
}

const chinese: readonly (readonly [RegExp, (number: string) => string])[] = [
  [new RegExp(`(?<=(?:计划|守护|第)\\s*)(${numeral})(?![成分个次共起直])`, 'g'), chineseValue],
  [
    new RegExp(
      `(${numeral})(?=\\s*(?:号|美元|美金|刀|u(?![a-z])|usd|块钱?美|(?:个|枚)?(?:比特|以太|大饼|btc|eth|w?bnb|币安)))`,
      'g',
    ),
    chineseValue,
  ],
  [new RegExp(`([${digit}两])成(?:半)?`, 'g'), (tenths) => `${chineseValue(tenths)}0%`],
];

/** "两千美元", "计划五" and "三成" in digits. */
export const chineseInDigits = (text: string): string =>
  chinese.reduce((plain, [pattern, by]) => plain.replace(pattern, (_, number: string) => by(number)), text);
