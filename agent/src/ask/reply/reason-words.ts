import type { Reason } from '@bowline/core/domain/reasons';
import { spaced } from './words.ts';

const verdicts: Readonly<Record<Reason, string>> = {
  reference_missing: 'a source that should have a price gave none',
  reference_stale: 'a reference price, or the block itself, is too old',
  references_disagree: 'the references disagree about the price',
  pool_missing: 'the pool gave no price',
  pool_off_reference: "the pool's price is too far from the references",
  twap_missing: 'the pool does not remember far enough back',
  spot_off_twap: "the pool's price is too far from its own ten-minute mean",
  quote_missing: 'the pool quotes no swap of this size',
  price_impact_high: 'a trade of this size moves the price too far',
  peg_missing: 'there is no price of the stablecoin',
  stablecoin_off_peg: 'the stablecoin is not worth one dollar',
  exchange_spread_wide: "the exchange's bid and ask lie too far apart to be a reference",
  finality_missing: 'the node does not say which block is final',
  finality_stalled: 'the chain has stopped making blocks final',
  trading_halted: 'its issuer has halted it',
  multiplier_missing: 'how much it stands for is not known',
  multiplier_changed: 'how much it stands for has just changed, as by a split',
  session_missing: 'its trading calendar does not reach to this day',
  session_closed: 'the exchange of what it stands for is closed',
  session_opening: 'the exchange of what it stands for has just opened',
  reference_uncertain: 'a reference is not sure of its own price',
  price_jumped: 'a price is off by a factor, as one in a wrong unit is',
  premium_high: 'its price is too far from what it stands for',
  liquidity_missing: 'the pool does not say how much liquidity it had',
  liquidity_withdrawn: "most of the pool's liquidity has just gone",
  depth_missing: "the exchange's order book did not come",
  exchange_depth_thin: "the exchange's book is too thin for this size",
  simulation_missing: 'the swap could not be simulated',
  swap_would_revert: 'the swap would be refused',
  token_taxed: 'the token keeps a part of what is moved',
  no_way_back: 'what is received could not be traded back',
  way_back_dear: "trading back would lose more than the pool's fees",
  history_missing: 'the exchange gave no past prices',
  volatility_high: 'the price moves too much within an hour',
  price_unusual: 'the last hours have moved it far out of the usual',
  session_closing: 'the exchange of what it stands for is about to close',
};

/** Refusals of the LoanGuard contract. */
const guards: Readonly<Record<string, string>> = {
  guard_not_active: 'it has been cancelled',
  guard_expired: 'it has expired',
  cooling_down: 'it has to wait after its last rescue',
  no_debt: 'the loan has no debt',
  no_collateral: 'the loan has no collateral',
  health_not_below_trigger: 'the health of the loan is not below its trigger',
  repay_below_minimum: 'what it could repay is less than its minimum',
  not_keeper: 'only its own keeper may call it',
};

/** A reason in words, and behind them as it stands in logs and documents; of an unknown one itself. */
export function reasonInWords(reason: string): string {
  const said = (verdicts as Readonly<Record<string, string>>)[reason] ?? guards[reason];
  return said === undefined ? spaced(reason) : `${said} (${reason})`;
}
