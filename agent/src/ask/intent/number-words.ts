import type { Text } from './text.ts';

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

/** Writes numbers that are spelt out as digits: "two hundred dollars" → "200 dollars", "half a @" → "0.5 @". */
export function spellNumbersInDigits(text: Text): void {
  text.value = text.value
    .replace(/\bone and a half\b/g, '1.5')
    .replace(/\b(?:a )?half (?:of )?an? /g, '0.5 ')
    .replace(/\b(?:an? )?quarter (?:of )?an? /g, '0.25 ')
    .replace(/\b(?:an? )?tenth (?:of )?an? /g, '0.1 ')
    .replace(/\ba couple (?:of )?(?=@|dollars)/g, '2 ')
    .replace(spelt, (phrase, at: number, whole: string) => {
      // "Which one" is no number; "one @" is.
      if (phrase === 'one' && !/^one\s+(?:@|dollars?\b|usd\b)/.test(whole.slice(at))) return phrase;
      return readNumber(phrase.split(/[\s-]+/).filter((word) => word !== 'and'))?.toString() ?? phrase;
    })
    .replace(/\b(\d+) and a half\b/g, '$1.5');
}

/** Undefined where the words do not make one number: "two three". */
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
