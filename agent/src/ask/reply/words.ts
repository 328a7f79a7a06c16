import { grouped } from '@bowline/core/domain/readable';
import { shortDecimal } from '@bowline/core/texts/amounts';
import { isWord, spaced, textOf, type Word } from '@bowline/core/texts/words';
import type { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';
import type { ToolCall } from '../question.ts';

/** A reason or refusal in words, followed by the reason word used in logs and docs. */
export const reasonInWords = (word: Word): string => `${textOf(word)} (${word})`;

/** The same for a word from outside, such as a contract's error. */
export const anyInWords = (word: string): string => (isWord(word) ? reasonInWords(word) : spaced(word));

/** Unlisted tokens have unknown decimals, so they are shown in base units. */
export const tokens = ({ token, amount }: { readonly token: string; readonly amount: string }): string =>
  token.startsWith('0x') ? `${grouped(amount)} base units of ${token}` : `${shortDecimal(amount)} ${token}`;

/** The source's name in its owner's spelling. */
export const sourceName = (source: string): string =>
  ownSpelling[source] ?? `${source.charAt(0).toUpperCase()}${source.slice(1)}`;

const ownSpelling: Readonly<Record<string, string>> = {
  exchange: 'exchange',
  redstone: 'RedStone',
  binance_oracle: 'Binance Oracle',
};

/** Renders a tool's output in a sentence or two. It states nothing that is not in the output. */
export type Sentence = (output: Record<string, unknown>, call: ToolCall) => string;

export const say = <Output extends z.ZodType>(
  { name, output }: Tool<z.ZodType, Output>,
  sentence: (output: z.output<Output>, call: ToolCall) => string,
): [string, Sentence] => [name, (value, call) => sentence(output.parse(value), call)];
