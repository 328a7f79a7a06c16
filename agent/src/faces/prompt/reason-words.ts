import type { Reason } from '../../domain/reasons.ts';
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
};

/** Refusals of the LoanGuard contract. */
const guards: Readonly<Record<string, string>> = {
  policy_not_active: 'it has been cancelled',
  policy_expired: 'it has expired',
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
