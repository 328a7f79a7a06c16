// What codes of contracts, agent and verdicts say, in words.

const words: Readonly<Record<string, string>> = {
  reference_missing: 'A price source gave no price.',
  reference_stale: 'A price is too old.',
  references_disagree: 'The price sources disagree.',
  pool_missing: 'The pool gives no price.',
  pool_off_reference: 'The pool trades too far from the fair price.',
  twap_missing: 'The pool does not remember far enough back.',
  spot_off_twap: 'The pool has just moved too far from its own mean.',
  quote_missing: 'The pool cannot fill this size.',
  price_impact_high: 'The size would move the price too far.',
  peg_missing: 'The stablecoin has no price.',
  stablecoin_off_peg: 'The stablecoin is not worth one dollar.',
  exchange_spread_wide: 'The exchange’s book is thin.',
  verdict_no_go: 'The verdict is NO_GO: nothing is offered.',
  verdict_no_data: 'Something could not be checked: nothing is offered.',
  caution_not_acknowledged: 'Read the warning and tick the box to go on.',
  balance_too_low: 'Your balance is too low for this.',
  allowance_too_low: 'Your allowance is too low for this.',
  swap_would_revert: 'The swap would fail right now.',
  simulation_unavailable: 'The node cannot play the swap, so none is offered.',
  inventory_too_low: 'The desk does not hold that much.',
  agent_unavailable: 'The agent does not answer.',
  market_unavailable: 'The exchange does not answer.',
  rate_limited: 'Too many requests just now.',
};

export const inWords = (code: string): string => words[code] ?? `${code.replaceAll('_', ' ')}.`;

const contractErrors: Readonly<Record<string, string>> = {
  FloorNotMet: 'The delivery would be below the floor.',
  QuoteExpired: 'The quote has expired.',
  QuoteUsedUp: 'The quote has been used.',
  NotBuyer: 'The quote is for another account.',
  AmountRefused: 'The amount must be above 0.',
  PeriodRefused: 'The period is too short: a minute at least.',
  WindowRefused: 'The window must not be longer than the period.',
  MaxRunsRefused: 'There must be one run at least.',
  ExpiryRefused: 'The end must lie in the future.',
  TokensRefused: 'These two tokens cannot be traded for each other.',
  TriggerRefused: 'The trigger must be 1 at least.',
  TargetRefused: 'The target must be at least 2 % above the trigger, and 10 at most.',
  MinRepayRefused: 'The least repayment must not be above the caps.',
  RunsChanged: 'A run has happened meanwhile: look again, then resume.',
  PlanNotPaused: 'The plan is not paused.',
  NotOwner: 'This plan is another account’s.',
  NotBorrower: 'This guard is another account’s.',
  ERC20InsufficientBalance: 'Your balance is too low.',
  ERC20InsufficientAllowance: 'Your allowance is too low.',
};

export const contractError = (name: string): string =>
  contractErrors[name] ?? `The contract refuses: ${name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}.`;
