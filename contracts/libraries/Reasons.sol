// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Why a slot was deferred, by the numbers that records carry
/// @notice Made by `npm run reasons` from docs/reasons.md, which says what each means. No contract looks at them, so that a reason
/// invented later needs no new contract; they are for those who read records. Append only.
library Reasons {
  uint16 internal constant REFERENCE_MISSING = 1;
  uint16 internal constant REFERENCE_STALE = 2;
  uint16 internal constant REFERENCES_DISAGREE = 3;
  uint16 internal constant POOL_MISSING = 4;
  uint16 internal constant POOL_OFF_REFERENCE = 5;
  uint16 internal constant TWAP_MISSING = 6;
  uint16 internal constant SPOT_OFF_TWAP = 7;
  uint16 internal constant QUOTE_MISSING = 8;
  uint16 internal constant PRICE_IMPACT_HIGH = 9;
  uint16 internal constant PEG_MISSING = 10;
  uint16 internal constant STABLECOIN_OFF_PEG = 11;
  uint16 internal constant EXCHANGE_SPREAD_WIDE = 12;
  uint16 internal constant FINALITY_MISSING = 13;
  uint16 internal constant FINALITY_STALLED = 14;
  uint16 internal constant TRADING_HALTED = 15;
  uint16 internal constant MULTIPLIER_MISSING = 16;
  uint16 internal constant MULTIPLIER_CHANGED = 17;
  uint16 internal constant SESSION_MISSING = 18;
  uint16 internal constant SESSION_CLOSED = 19;
  uint16 internal constant SESSION_OPENING = 20;
  uint16 internal constant REFERENCE_UNCERTAIN = 21;
  uint16 internal constant PRICE_JUMPED = 22;
  uint16 internal constant PREMIUM_HIGH = 23;
  uint16 internal constant LIQUIDITY_MISSING = 24;
  uint16 internal constant LIQUIDITY_WITHDRAWN = 25;
  uint16 internal constant DEPTH_MISSING = 26;
  uint16 internal constant EXCHANGE_DEPTH_THIN = 27;
  uint16 internal constant SIMULATION_MISSING = 28;
  uint16 internal constant SWAP_WOULD_REVERT = 29;
  uint16 internal constant TOKEN_TAXED = 30;
  uint16 internal constant NO_WAY_BACK = 31;
  uint16 internal constant WAY_BACK_DEAR = 32;
  uint16 internal constant HISTORY_MISSING = 33;
  uint16 internal constant VOLATILITY_HIGH = 34;
  uint16 internal constant PRICE_UNUSUAL = 35;
  uint16 internal constant SESSION_CLOSING = 36;
}
