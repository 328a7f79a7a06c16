// Made by `npm run lab -- reasons` from docs/reasons.md.
//
// Why the answer is no. Each reason has one word, the same in findings, skips, logs, API answers and docs, and the
// number that a deferral carries on chain. Append only: a number on chain never changes its meaning.

export const reasonCodes = {
  reference_missing: 1,
  reference_stale: 2,
  references_disagree: 3,
  pool_missing: 4,
  pool_off_reference: 5,
  twap_missing: 6,
  spot_off_twap: 7,
  quote_missing: 8,
  price_impact_high: 9,
  peg_missing: 10,
  stablecoin_off_peg: 11,
  finality_missing: 12,
  finality_stalled: 13,
  reference_uncertain: 14,
  price_jumped: 15,
  liquidity_missing: 16,
  liquidity_withdrawn: 17,
  exchange_depth_thin: 18,
  simulation_missing: 19,
  swap_would_revert: 20,
  token_taxed: 21,
  no_way_back: 22,
  way_back_dear: 23,
  volatility_high: 24,
  price_unusual: 25,
  cost_high: 26,
  price_moving: 27,
} as const;

export type Reason = keyof typeof reasonCodes;

const inOrder = Object.keys(reasonCodes) as Reason[];

/** The reason with this number; undefined for one of a later version, or of an executor that uses its own numbers. */
export const reasonOf = (code: number): Reason | undefined => inOrder[code - 1];
