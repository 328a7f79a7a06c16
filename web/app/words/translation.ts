import type { CautionReason } from '@bowline/core/texts/cautions';
import type { checkNames } from '@bowline/core/texts/checks';
import type { Word } from '@bowline/core/texts/words';
import type { askWords } from './en/ask.ts';
import type { auditWords, executorWords } from './en/audit.ts';
import type { bnbWords } from './en/bnb.ts';
import type { buyWords } from './en/buy.ts';
import type { coverWords } from './en/coverage.ts';
import type { words } from './en/frame.ts';
import type { fundingWords } from './en/funding.ts';
import type { guardWords } from './en/guard.ts';
import type { homeWords, noticeWords } from './en/home.ts';
import type { needWords } from './en/needs.ts';
import type { pairingWords } from './en/pairing.ts';
import type { partWords, verdictWords } from './en/parts.ts';
import type { paymentWords } from './en/payment.ts';
import type { planWords } from './en/plans.ts';
import type { portfolioWords } from './en/portfolio.ts';
import type { saleFormWords } from './en/sale.ts';
import type { servedWords } from './en/served.ts';
import type { termWords } from './en/terms.ts';
import type { judgeWords, problemWords, verifyWords } from './en/tickets.ts';

/** Every text of the page in another language, typed by the English ones. */
export interface Translation {
  readonly words: typeof words;
  readonly homeWords: typeof homeWords;
  readonly needWords: typeof needWords;
  readonly noticeWords: typeof noticeWords;
  readonly portfolioWords: typeof portfolioWords;
  readonly planWords: typeof planWords;
  readonly servedWords: typeof servedWords;
  readonly guardWords: typeof guardWords;
  readonly fundingWords: typeof fundingWords;
  readonly saleFormWords: typeof saleFormWords;
  readonly paymentWords: typeof paymentWords;
  readonly coverWords: typeof coverWords;
  readonly buyWords: typeof buyWords;
  readonly bnbWords: typeof bnbWords;
  readonly askWords: typeof askWords;
  readonly auditWords: typeof auditWords;
  readonly executorWords: typeof executorWords;
  readonly verifyWords: typeof verifyWords;
  readonly judgeWords: typeof judgeWords;
  readonly problemWords: typeof problemWords;
  readonly verdictWords: typeof verdictWords;
  readonly partWords: typeof partWords;
  readonly pairingWords: typeof pairingWords;
  readonly termWords: typeof termWords;
  /** Clauses without a full stop. */
  readonly reasonTexts: Readonly<Record<Word, string>>;
  readonly checkNames: Readonly<Record<keyof typeof checkNames, string>>;
  readonly cautionTexts: Readonly<Record<CautionReason, string>>;
  /** A clause as a sentence. */
  readonly sentence: (clause: string) => string;
}
