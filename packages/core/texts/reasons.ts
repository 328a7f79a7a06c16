// Made by `npm run lab -- reasons` from docs/reasons.md.
import type { Reason } from '../domain/reasons.ts';

export const reasonTexts: Readonly<Record<Reason, string>> = {
  reference_missing: 'a price source gave no usable price',
  reference_stale: 'a reference price or the block itself is too old',
  quote_missing: 'the pool quotes no swap of this size',
  peg_missing: 'the stablecoin has no price',
  stablecoin_off_peg: 'the received stablecoin is not worth one dollar',
  finality_missing: 'the node does not report a final block',
  finality_stalled: 'blocks have stopped becoming final',
  reference_uncertain: 'a price source reports too much uncertainty',
  price_jumped: 'a price has changed by an implausible factor',
  simulation_missing: 'the swap could not be simulated',
  swap_would_revert: 'the swap would revert if sent now',
  token_taxed: 'the token takes a cut of each transfer',
  no_way_back: 'the received tokens could not be traded back',
  way_back_dear: 'trading back would cost more than the pool fees',
  volatility_high: 'the price moves too much within an hour',
  cost_high: 'the total cost is too high at independent prices',
  price_moving: 'the price has moved unusually far within two hours',
  past_missing: 'the prices of the last hours are unknown',
};
