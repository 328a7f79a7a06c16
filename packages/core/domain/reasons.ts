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
  exchange_spread_wide: 12,
  finality_missing: 13,
  finality_stalled: 14,
  trading_halted: 15,
  multiplier_missing: 16,
  multiplier_changed: 17,
  session_missing: 18,
  session_closed: 19,
  session_opening: 20,
  reference_uncertain: 21,
  price_jumped: 22,
  premium_high: 23,
  liquidity_missing: 24,
  liquidity_withdrawn: 25,
  depth_missing: 26,
  exchange_depth_thin: 27,
  simulation_missing: 28,
  swap_would_revert: 29,
  token_taxed: 30,
  no_way_back: 31,
  way_back_dear: 32,
  history_missing: 33,
  volatility_high: 34,
  price_unusual: 35,
  session_closing: 36,
  cost_high: 37,
  price_moving: 38,
} as const;

export type Reason = keyof typeof reasonCodes;

const inOrder = Object.keys(reasonCodes) as Reason[];

/** The reason with this number; undefined for one of a later version, or of an executor that uses its own numbers. */
export const reasonOf = (code: number): Reason | undefined => inOrder[code - 1];
