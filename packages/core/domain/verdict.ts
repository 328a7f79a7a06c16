import type { Reason } from './reasons.ts';

/** On-chain numbers: zero fails closed. */
export const verdictCodes = { NO_DATA: 0, NO_GO: 1, CAUTION: 2, GO: 3 } as const;
export type Verdict = keyof typeof verdictCodes;

/** What one check found. `pass` means GO; each of the others is the verdict of the same name. */
export type Outcome = 'pass' | 'caution' | 'no_go' | 'no_data';

export const findingUnits = ['bps', 'seconds', 'blocks'] as const;
export type FindingUnit = (typeof findingUnits)[number];

/** What a fact's age refers to: the block, a feed's answer or a service's answer. */
export const datedFacts = [
  ...(['block', 'chainlink', 'quote_token', 'venus', 'redstone', 'exchange', 'binance_oracle', 'pyth'] as const),
] as const;
export type DatedFact = (typeof datedFacts)[number];

export interface Finding {
  readonly check: string;
  readonly question: string;
  readonly outcome: Outcome;
  /** Absent exactly when the outcome is `pass`. */
  readonly reason?: Reason;
  /** Measured value in `unit`; absent if it could not be measured or there was nothing to measure. */
  readonly measured?: bigint;
  /** Beyond `cautionLimit` the outcome is `caution`, beyond `limit` it is `no_go`. */
  readonly limit: bigint;
  readonly cautionLimit?: bigint;
  readonly unit: FindingUnit;
  /** Age in seconds of each fact the finding rests on, if dated and present. */
  readonly ages?: Readonly<Partial<Record<DatedFact, bigint>>>;
  /** One sentence for people with the compared numbers, truncated for reading. */
  readonly detail: string;
}
