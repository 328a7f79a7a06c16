import type { Choice } from '@bowline/core/domain/answer';

export const languageCodes = ['zh', 'es', 'tr'] as const;
export type LanguageCode = (typeof languageCodes)[number];

/** What a word of a question is about. `filler` says nothing of it. */
export type Topic =
  | 'price'
  | 'fair'
  | 'buy'
  | 'sell'
  | 'plan'
  | 'plans'
  | 'next'
  | 'why'
  | 'status'
  | 'loan'
  | 'rescue'
  | 'hello'
  | 'filler';

export interface Language {
  readonly code: LanguageCode;
  /** Whether spaces separate words. */
  readonly isSpaced: boolean;
  /** Characters that only this language of the three has. */
  readonly marks: RegExp;
  /** Names of assets beside the registry's, in folded form, and their symbols. */
  readonly names: Readonly<Record<string, string>>;
  /** Phrases of each topic in folded form (see fold), separated by commas. A phrase may have several topics. */
  readonly phrases: Partial<Readonly<Record<Topic, string>>>;
  /** Each takes the number of a plan or guard out of a folded text. */
  readonly plan: readonly RegExp[];
  readonly guard: readonly RegExp[];
  /** Units of money after a number, and words between a number and an asset; folded alternatives. */
  readonly money: string;
  readonly counter: string;
  /** Words that mean one unit before an asset. */
  readonly one: string;
  readonly says: {
    readonly greeting: string;
    readonly unread: string;
    readonly whichPlan: string;
    readonly whichAddress: string;
  };
  readonly ask: {
    readonly price: (asset: string) => Choice;
    readonly fair: (asset: string) => Choice;
    readonly plans: Choice;
    readonly outlook: Choice;
    readonly guard: Choice;
  };
  /** First line of an answer: what it is about, in this language. The details follow in English. */
  readonly leads: {
    readonly price: (asset: string, usd: string) => string;
    readonly verdict: Readonly<Record<'GO' | 'CAUTION' | 'NO_GO' | 'NO_DATA', string>>;
    readonly health: (health: string | null) => string;
  };
}

/** Lower case, without accents, so that "cuánto" and "cuanto" are one word. */
export const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .replace(/[’‘`]/g, "'");
