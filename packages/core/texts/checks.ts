// Made by `npm run reasons` from docs/reasons.md.

/** By id, in the order of execution. */
export const checkNames = {
  chain_health: 'Block finality',
  trading_halt: 'Issuer halt',
  trading_session: 'Trading hours',
  share_multiplier: 'Shares per token',
  reference_freshness: 'Age of the reference prices',
  reference_confidence: 'Confidence of the references',
  exchange_spread: 'Exchange spread',
  price_jump: 'Price jump',
  reference_agreement: 'Agreement of the references',
  premium_to_underlying: 'Premium to the underlying',
  pool_against_reference: 'Pool price against references',
  spot_against_twap: 'Pool price against its average',
  liquidity_withdrawn: 'Pool liquidity',
  price_impact: 'Price impact of this size',
  exchange_depth: 'Exchange depth for this size',
  executability: 'Simulated swap',
  way_back: 'Simulated trade back',
  stablecoin_peg: 'Stablecoin peg',
  volatility: 'Volatility',
  price_in_history: 'Recent price moves',
} as const;

export const checkCount = 20;
