import type { Verdict } from '@bowline/core/domain/verdict';

/** The part of an answer with a ticket that decides whether it may be returned again. */
interface Given {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** The ticket's maximum price: base units of token_in for 1e18 base units of token_out. */
  readonly maxPriceWad: bigint;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

export type Issued = ReturnType<typeof createIssued>;

interface NowFound {
  readonly verdict: Verdict;
  readonly reason: string | null;
  /** Pool price in the ticket's unit, rounded up. */
  readonly priceWad: bigint;
  /** Time of the newest block, unix seconds. */
  readonly time: bigint;
}

/** Seconds. A ticket that expires before a transaction is mined is useless. */
const TIME_TO_ACT = 15n;

/** Maximum number of remembered answers; the oldest are dropped first. */
const MAX_ANSWERS = 1_000;

/** Answers by question. */
export function createIssued() {
  const answers = new Map<string, Given & { readonly answer: unknown }>();
  return {
    /**
     * The earlier answer to the same question, if its ticket is still valid and the current findings agree: same verdict,
     * same reason, and a price within the ticket's range. Otherwise undefined, so that an outdated answer is never
     * repeated.
     */
    again(question: string, { verdict, reason, priceWad, time }: NowFound): unknown {
      const given = answers.get(question);
      if (given === undefined) return undefined;
      const isGood = time + TIME_TO_ACT < given.expiresAt;
      // The ticket's maximum is 0.2 % above its judged price. Accept prices up to that maximum and down to the same
      // distance below.
      const isPrice = priceWad <= given.maxPriceWad && priceWad * 1_000n >= given.maxPriceWad * 996n;
      return isGood && isPrice && given.verdict === verdict && given.reason === reason ? given.answer : undefined;
    },
    remember(question: string, given: Given, answer: unknown) {
      answers.delete(question);
      answers.set(question, { ...given, answer });
      for (const oldest of answers.keys()) {
        if (answers.size <= MAX_ANSWERS) break;
        answers.delete(oldest);
      }
    },
  };
}
