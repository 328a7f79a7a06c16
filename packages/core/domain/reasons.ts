// Made by `npm run reasons` from docs/reasons.md.
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
  trading_halted: 14,
  multiplier_missing: 15,
  multiplier_changed: 16,
  session_missing: 17,
  session_closed: 18,
  session_opening: 19,
  reference_uncertain: 20,
  price_jumped: 21,
  premium_high: 22,
  liquidity_missing: 23,
  liquidity_withdrawn: 24,
  exchange_depth_thin: 25,
  simulation_missing: 26,
  swap_would_revert: 27,
  token_taxed: 28,
  no_way_back: 29,
  way_back_dear: 30,
  volatility_high: 31,
  price_unusual: 32,
  session_closing: 33,
  cost_high: 34,
  price_moving: 35,
} as const;

export type Reason = keyof typeof reasonCodes;

const inOrder = Object.keys(reasonCodes) as Reason[];

/** The reason with this number; undefined for one of a later version, or of an executor that uses its own numbers. */
export const reasonOf = (code: number): Reason | undefined => inOrder[code - 1];
