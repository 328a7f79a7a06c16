import type { Reason } from './reasons.ts';

/** Numbers as on chain: zero fails closed. */
export const verdictCodes = { NO_DATA: 0, NO_GO: 1, CAUTION: 2, GO: 3 } as const;
export type Verdict = keyof typeof verdictCodes;

/** What one check found. `pass` says GO, each of the others the verdict of the same name. */
export type Outcome = 'pass' | 'caution' | 'no_go' | 'no_data';

/** `millisigma`: 1/1,000 of a standard deviation. */
export const findingUnits = ['bps', 'seconds', 'blocks', 'millisigma'] as const;
export type FindingUnit = (typeof findingUnits)[number];

/** What facts are as old as: the block, an answer of a feed, of a service. */
export const dated = ['block', 'chainlink', 'quote_token', 'venus', 'exchange', 'pyth'] as const;
export type Dated = (typeof dated)[number];

export interface Finding {
  readonly check: string;
  readonly question: string;
  readonly outcome: Outcome;
  /** Absent exactly when the outcome is `pass`. */
  readonly reason?: Reason;
  /** What was measured, in `unit`; absent when it could not be, or there was nothing to measure. */
  readonly measured?: bigint;
  /** Beyond `cautionLimit` the outcome is `caution`, beyond `limit` it is `no_go`. */
  readonly limit: bigint;
  readonly cautionLimit?: bigint;
  readonly unit: FindingUnit;
  /** How old is what it rests on, in seconds; of what is dated, and there. Verdicts of the first rules do not tell. */
  readonly ages?: Readonly<Partial<Record<Dated, bigint>>>;
  /** One sentence for people with the numbers that were compared, cut to what they read. */
  readonly detail: string;
}
