// Made by `npm run lab -- reasons` from docs/reasons.md.

/** By id, in the order of execution. */
export const checkNames = {
  chain_health: 'Block finality',
  chain_freshness: 'Block age',
  reference_quorum: 'Independent sources',
  price_jump: 'Price jump',
  reference_agreement: 'Source agreement',
  bargain: 'Too good a price',
  spot_against_twap: 'Pool price against its average',
  liquidity_withdrawn: 'Pool liquidity',
  price_impact: 'Price impact at this size',
  exchange_depth: 'Exchange depth for this size',
  executability: 'Simulated swap',
  way_back: 'Simulated trade back',
  stablecoin_peg: 'Stablecoin peg',
  all_in_cost: 'Total cost',
  volatility: 'Volatility',
  recent_move: 'Recent price moves',
  price_in_history: 'Unusual moves',
} as const;

export const checkCount = 17;
