import type { Verdict } from '@bowline/core/domain/verdict';

/** Of an answer that carries a ticket, what decides whether it may be given again. */
interface Given {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** Of the ticket; base units of what is paid for 1e18 base units of what is bought. */
  readonly maxPriceWad: bigint;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

/** What was answered, by what was asked. */
export interface Issued {
  /**
   * The answer that was given to the same question, as long as its ticket is good and what is found now is the same: the
   * verdict, its reason, and a price that lies where the ticket's lies. What was true a minute ago and is no longer is not
   * said again.
   */
  again(question: string, now: NowFound): unknown;
  remember(question: string, given: Given, answer: unknown): void;
}

interface NowFound {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** As the pool quotes it; in the ticket's unit, rounded up. */
  readonly priceWad: bigint;
  /** Of the newest block, unix seconds. */
  readonly time: bigint;
}

/** Seconds. A ticket that ends before a transaction is in a block is of no use. */
const TIME_TO_ACT = 15n;

/** So many questions are remembered; the oldest are forgotten first. */
const MAX_ANSWERS = 1_000;

export function createIssued(): Issued {
  const answers = new Map<string, Given & { readonly answer: unknown }>();
  return {
    again(question, { verdict, reason, priceWad, time }) {
      const given = answers.get(question);
      if (given === undefined) return undefined;
      const isGood = time + TIME_TO_ACT < given.expiresAt;
      // Its highest price lies 0.2 % above the one that was judged: no dearer than that, and no cheaper by as much.
      const isPrice = priceWad <= given.maxPriceWad && priceWad * 1_000n >= given.maxPriceWad * 996n;
      return isGood && isPrice && given.verdict === verdict && given.reason === reason ? given.answer : undefined;
    },
    remember(question, given, answer) {
      answers.delete(question);
      answers.set(question, { ...given, answer });
      for (const oldest of answers.keys()) {
        if (answers.size <= MAX_ANSWERS) break;
        answers.delete(oldest);
      }
    },
  };
}
