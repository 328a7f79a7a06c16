// Made by `npm run reasons` from docs/reasons.md.
//
// Why not. One word a reason, the same in findings, skips, logs, API answers and docs; the number is what a deferral
// carries on chain. Append only: a number on chain never changes its meaning.

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
} as const;

export type Reason = keyof typeof reasonCodes;
