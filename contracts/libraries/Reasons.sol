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
}
