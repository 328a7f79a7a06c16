// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceSource} from "../interfaces/IPriceSource.sol";

/// @title Reads a price source without trusting it
/// @notice The call is static, capped in gas, and must answer exactly two words: a source can refuse, but it cannot
/// change anything, burn the caller's gas or pass off other return data as prices.
library BoundedPrices {
  /// Two prices of the Venus ResilientOracle with three sources each stay well below this.
  uint256 internal constant GAS_CAP = 1_000_000;
  /// Enough for an error with four words; more would let a source make its refusal expensive to copy.
  uint256 private constant REASON_CAP = 132;

  error PriceSourceFailed(address source, bytes reason);
  error PriceOutOfRange(address source, uint256 priceInWad, uint256 priceOutWad);

  /// @notice As IPriceSource.prices; both results lie in [1, 2^128).
  function read(address source, address tokenIn, address tokenOut)
    internal
    view
    returns (uint256 priceInWad, uint256 priceOutWad)
  {
    bytes memory request = abi.encodeCall(IPriceSource.prices, (tokenIn, tokenOut));
    bool answered;
    bytes memory reason;
    assembly ("memory-safe") {
      // 0x00–0x3f is scratch space: exactly the two words asked for.
      answered := staticcall(GAS_CAP, source, add(request, 0x20), mload(request), 0x00, 0x40)
      let size := returndatasize()
      answered := and(answered, eq(size, 0x40))
      switch answered
      case 1 {
        priceInWad := mload(0x00)
        priceOutWad := mload(0x20)
      }
      default {
        if gt(size, REASON_CAP) { size := REASON_CAP }
        reason := mload(0x40)
        mstore(0x40, add(reason, and(add(size, 0x3f), not(0x1f))))
        mstore(reason, size)
        returndatacopy(add(reason, 0x20), 0, size)
      }
    }
    if (!answered) revert PriceSourceFailed(source, reason);
    if (priceInWad == 0 || priceOutWad == 0 || priceInWad > type(uint128).max || priceOutWad > type(uint128).max) {
      revert PriceOutOfRange(source, priceInWad, priceOutWad);
    }
  }
}
