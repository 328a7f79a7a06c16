// Made by `npm run lab -- reasons` from docs/reasons.md.
//
// Why the answer is no. Each reason has one word, the same in findings, skips, logs, API answers and docs, and the
// number that a deferral carries on chain. Append only: a number on chain never changes its meaning.

export const reasonCodes = {
  reference_missing: 1,
  reference_stale: 2,
  quote_missing: 3,
  peg_missing: 4,
  stablecoin_off_peg: 5,
  finality_missing: 6,
  finality_stalled: 7,
  reference_uncertain: 8,
  price_jumped: 9,
  simulation_missing: 10,
  swap_would_revert: 11,
  token_taxed: 12,
  no_way_back: 13,
  way_back_dear: 14,
  volatility_high: 15,
  cost_high: 16,
  price_moving: 17,
  past_missing: 18,
} as const;

export type Reason = keyof typeof reasonCodes;

const inOrder = Object.keys(reasonCodes) as Reason[];

/** The reason with this number; undefined for one of a later version, or of an executor that uses its own numbers. */
export const reasonOf = (code: number): Reason | undefined => inOrder[code - 1];
