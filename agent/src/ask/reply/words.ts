import { grouped } from '@bowline/core/domain/readable';
import { parseUnitsDown } from '@bowline/core/domain/units';
import { shortCost, shortDecimal } from '@bowline/core/texts/amounts';
import { reasonTexts } from '@bowline/core/texts/reasons-zh';
import { isWord, spaced, textOf, type Word } from '@bowline/core/texts/words';
import type { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';
import type { Language, ToolCall } from '../question.ts';

/** A reason or refusal in words, followed by the reason word used in logs and docs. */
export const reasonInWords = (word: Word): string => `${textOf(word)} (${word})`;

/** The same for a word from outside, such as a contract's error. */
export const anyInWords = (word: string): string => (isWord(word) ? reasonInWords(word) : spaced(word));

export const reasonInChinese = (word: string): string => (isWord(word) ? reasonTexts[word] : spaced(word));

export interface Amount {
  readonly token: string;
  readonly amount: string;
}

/** Unlisted tokens have unknown decimals, so they are shown in base units. */
export const tokens = ({ token, amount }: Amount): string =>
  token.startsWith('0x') ? `${grouped(amount)} base units of ${token}` : `${shortDecimal(amount)} ${token}`;

export const inChinese = ({ token, amount }: Amount): string =>
  token.startsWith('0x') ? `${grouped(amount)} 个最小单位的 ${token}` : `${shortDecimal(amount)} ${token}`;

/** Rounded up, as it is to be enough. */
export const costOf = (decimal: string): string => shortCost(parseUnitsDown(decimal, 18) ?? 0n, 18);

/** The source's name in its owner's spelling. */
export const sourceName = (source: string): string =>
  ownSpelling[source] ?? `${source.charAt(0).toUpperCase()}${source.slice(1)}`;

const ownSpelling: Readonly<Record<string, string>> = {
  exchange: 'exchange',
  redstone: 'RedStone',
  binance_oracle: 'Binance Oracle',
};

/** Renders a tool's output in a sentence or two. It states nothing that is not in the output. */
export type Sentence = (output: Record<string, unknown>, call: ToolCall, language?: Language) => string;

/** A tool's sentence in English, and in Chinese with the same facts and fewer details. */
export const say = <Output extends z.ZodType>(
  { name, output }: Tool<z.ZodType, Output>,
  english: (output: z.output<Output>, call: ToolCall) => string,
  chinese = english,
): [string, Sentence] => [
  name,
  (value, call, language) => (language === 'zh' ? chinese : english)(output.parse(value), call),
];
