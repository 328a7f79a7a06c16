import type { Reason } from '../domain/reasons.ts';
import { checkNames } from './checks.ts';
import { reasonTexts } from './reasons.ts';
import { type Refusal, refusalTexts } from './refusals.ts';

// Reasons, refusals and checks in words, from the tables in docs/reasons.md. An unknown word from outside is shown as
// it is, never guessed.

/** A reason or refusal that this version knows. */
export type Word = Reason | Refusal;

const texts: Readonly<Record<Word, string>> = { ...reasonTexts, ...refusalTexts };

export const isWord = (word: string): word is Word => Object.hasOwn(texts, word);

/** A clause: lower case except for names, no full stop. */
export const textOf = (word: Word): string => texts[word];

/** The same for a word from outside, which may be unknown. */
export const inWords = (word: string): string => (isWord(word) ? textOf(word) : spaced(word));

/** Name of a check by its ID, which may come from outside. */
export const checkName = (id: string): string => (isCheck(id) ? checkNames[id] : spaced(id));

/** A clause as a sentence. */
export const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

/** "pool_off_reference" → "pool off reference". */
export const spaced = (word: string): string => word.replaceAll('_', ' ');

/** A contract's error as a word: `PlanNotActive` → `plan_not_active`, `SafeERC20FailedOperation` → `safe_erc20_failed_operation`. */
export const wordOfError = (errorName: string): string =>
  errorName
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase();

const isCheck = (id: string): id is keyof typeof checkNames => Object.hasOwn(checkNames, id);
