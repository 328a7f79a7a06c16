// Made by `npm run lab -- reasons` from docs/reasons.md.

/** By id, in the order of execution. */
export const checkNames = {
  chain_health: 'Block finality',
  chain_freshness: 'Block age',
  price_jump: 'Price jump',
  executability: 'Simulated swap',
  way_back: 'Simulated trade back',
  stablecoin_peg: 'Stablecoin peg',
  all_in_cost: 'Total cost',
  volatility: 'Volatility',
  recent_move: 'Recent price moves',
} as const;

export const checkCount = 9;
