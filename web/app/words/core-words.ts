import { cautionAdvice as adviceIn } from '@bowline/core/texts/cautions';
import * as core from '@bowline/core/texts/words';
import { translated } from './language.ts';

// Reasons, refusals and checks in the page's language. packages/core has them in English.

export { isWord, spaced, wordOfError } from '@bowline/core/texts/words';

/** A clause without a full stop. */
export const textOf = (word: core.Word): string => translated()?.reasonTexts[word] ?? core.textOf(word);

/** The same for a word from outside. An unknown word is shown as it is. */
export const inWords = (word: string): string => (core.isWord(word) ? textOf(word) : core.spaced(word));

/** Name of a check by its ID, which may come from outside. */
export function checkName(id: string): string {
  const names: Readonly<Record<string, string>> | undefined = translated()?.checkNames;
  return (names && Object.hasOwn(names, id) ? names[id] : undefined) ?? core.checkName(id);
}

/** What to do about a CAUTION with this reason; empty for another. */
export const cautionAdvice = (reason: string): string => adviceIn(reason, translated()?.cautionTexts);

/** A clause as a sentence. */
export const sentence = (clause: string): string => (translated()?.sentence ?? core.sentence)(clause);
