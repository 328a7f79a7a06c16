// The house's reasons in words, for people. An unknown one is shown as itself: it is better than nothing, and never a guess.

const reasons: Readonly<Record<string, string>> = {
  reference_missing: 'a source that should have a price gave none',
  reference_stale: 'a reference price, or the block itself, is too old',
  references_disagree: 'the references disagree about the price',
  pool_missing: 'the pool gave no price',
  pool_off_reference: 'the pool’s price is too far from the references',
  twap_missing: 'the pool does not remember far enough back',
  spot_off_twap: 'the pool’s price is too far from its own ten-minute mean',
  quote_missing: 'the pool quotes no swap of this size',
  price_impact_high: 'a trade of this size moves the price too far',
  peg_missing: 'there is no price of the stablecoin',
  stablecoin_off_peg: 'the stablecoin is not worth one dollar',
  exchange_spread_wide: 'the exchange’s bid and ask lie too far apart',
  verdict_no_go: 'the verdict is NO_GO',
  verdict_no_data: 'the verdict is NO_DATA',
  caution_not_acknowledged: 'the verdict is CAUTION, and you have not said that you accept it',
  balance_too_low: 'you hold too little',
  allowance_too_low: 'too little is approved',
  swap_would_revert: 'the swap would fail on chain as things stand',
  simulation_unavailable: 'the swap could not be tried out',
  inventory_too_low: 'the desk holds too little',
  plan_not_active: 'the plan is not active',
  plan_expired: 'the plan has expired',
  runs_used_up: 'all runs are done',
  chain_unavailable: 'the chain does not answer',
  market_unavailable: 'the exchange does not answer',
  agent_unavailable: 'the agent does not answer',
  rate_limited: 'too much was asked within a minute',
  model_unavailable: 'the language model does not answer',
  server_unavailable: 'the page’s server does not answer',
  timeout: 'there was no answer in time',
};

/** Numbers as a deferral carries them on chain (docs/reasons.md). */
const numbered = [
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

export const reasonWords = (code: string): string => reasons[code] ?? code.replaceAll('_', ' ');

export const reasonOfNumber = (number: number): string => numbered[number - 1] ?? `reason ${number}`;

const checks: Readonly<Record<string, string>> = {
  reference_freshness: 'Fresh reference prices',
  exchange_spread: 'Exchange’s spread',
  reference_agreement: 'References agree',
  pool_against_reference: 'Pool against references',
  spot_against_twap: 'Pool against its own mean',
  price_impact: 'Price impact of this size',
  stablecoin_peg: 'Stablecoin’s peg',
};

export const checkWords = (check: string): string => checks[check] ?? check.replaceAll('_', ' ');
