import { aboutSentence } from './about-sentence.ts';
import { loanSentences } from './loan-sentences.ts';
import { marketSentences } from './market-sentences.ts';
import { planSentences } from './plan-sentences.ts';
import type { Sentence } from './words.ts';

/** Sentences by tool name, in each language. */
export const sentences: ReadonlyMap<string, Sentence> = new Map([
  ...marketSentences,
  ...planSentences,
  ...loanSentences,
  aboutSentence,
]);
