import type { CautionReason } from '@bowline/core/texts/cautions';
import type { checkNames } from '@bowline/core/texts/checks';
import type { Word } from '@bowline/core/texts/words';

/** Every text of the page in English. */
type English = typeof import('./en/ask.ts') &
  typeof import('./en/audit.ts') &
  typeof import('./en/bnb.ts') &
  typeof import('./en/buy.ts') &
  typeof import('./en/coverage.ts') &
  typeof import('./en/frame.ts') &
  typeof import('./en/funding.ts') &
  typeof import('./en/guard.ts') &
  typeof import('./en/home.ts') &
  typeof import('./en/action-items.ts') &
  typeof import('./en/pairing.ts') &
  typeof import('./en/parts.ts') &
  typeof import('./en/payment.ts') &
  typeof import('./en/plans.ts') &
  typeof import('./en/portfolio.ts') &
  typeof import('./en/sale.ts') &
  typeof import('./en/served.ts') &
  typeof import('./en/terms.ts') &
  typeof import('./en/tickets.ts');

/** Every text of the page in another language, typed by the English ones. */
export interface Translation extends English {
  /** Clauses without a full stop. */
  readonly reasonTexts: Readonly<Record<Word, string>>;
  readonly checkNames: Readonly<Record<keyof typeof checkNames, string>>;
  readonly cautionTexts: Readonly<Record<CautionReason, string>>;
  /** A clause as a sentence. */
  readonly sentence: (clause: string) => string;
}
