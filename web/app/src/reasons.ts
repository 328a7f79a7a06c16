// The numbers under which the chain keeps why a run was deferred; docs/reasons.md is the list.
const reasons = [
  'reference_missing',
  'reference_stale',
  'references_disagree',
  'pool_missing',
  'pool_off_reference',
  'twap_missing',
  'spot_off_twap',
  'quote_missing',
  'price_impact_high',
  'peg_missing',
  'stablecoin_off_peg',
  'exchange_spread_wide',
] as const;

export const reasonOf = (code: number): string => reasons[code - 1] ?? `reason_${code}`;
