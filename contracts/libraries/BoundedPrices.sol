// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IPriceSource} from "../interfaces/IPriceSource.sol";

/// @title Reads a price source without trusting it
/// @notice The call is static, has a gas limit, and must return exactly two words. A source can refuse, but cannot
/// change state, burn the caller's gas or pass off other return data as prices.
library BoundedPrices {
  /// Two Venus ResilientOracle prices with three sources each use far less than this. A caller that sends more than
  /// twice this raises the limit.
  uint256 internal constant GAS_CAP = 1_000_000;
  /// For one price, requested twice in one call. Venus's ResilientOracle with three sources takes 102,000 on cold
  /// storage, and less the second time. It is constant: if it grew with the caller's gas, the caller could choose which
  /// prices are readable.
  uint256 internal constant GAS_PER_PRICE = 200_000;
  /// Fits an error with four words. A higher cap would let a source make its refusal expensive to copy.
  uint256 private constant REASON_CAP = 132;

  error PriceSourceFailed(address source, bytes reason);
  error PriceGasTooLow(uint256 gasLeft, uint256 needed);
  error PriceOutOfRange(address source, uint256 priceInWad, uint256 priceOutWad);

  /// @notice Same as IPriceSource.prices, with both results in [1, 2^128). Reverts with PriceSourceFailed or
  /// PriceOutOfRange.
  function read(address source, address tokenIn, address tokenOut)
    internal
    view
    returns (uint256 priceInWad, uint256 priceOutWad)
  {
    bool answered;
    (answered, priceInWad, priceOutWad) = _ask(source, tokenIn, tokenOut, Math.max(GAS_CAP, gasleft() / 2));
    if (!answered) revert PriceSourceFailed(source, _reason());
    if (!_inRange(priceInWad) || !_inRange(priceOutWad)) revert PriceOutOfRange(source, priceInWad, priceOutWad);
  }

  /// @notice Same as `read`, but returns zeros where that reverts, and each price has GAS_PER_PRICE. Reverts with
  /// PriceGasTooLow as `priceOrZero` does.
  function readOrZero(address source, address tokenIn, address tokenOut)
    internal
    view
    returns (uint256 priceInWad, uint256 priceOutWad)
  {
    _requireGas(2 * GAS_PER_PRICE);
    (, priceInWad, priceOutWad) = _ask(source, tokenIn, tokenOut, 2 * GAS_PER_PRICE);
    if (!_inRange(priceInWad) || !_inRange(priceOutWad)) return (0, 0);
  }

  /// @notice Same as `readOrZero`, but reverts with PriceSourceFailed where that returns zeros.
  function readWithFixedGas(address source, address tokenIn, address tokenOut)
    internal
    view
    returns (uint256 priceInWad, uint256 priceOutWad)
  {
    (priceInWad, priceOutWad) = readOrZero(source, tokenIn, tokenOut);
    if (priceInWad == 0) revert PriceSourceFailed(source, _reason());
  }

  /// @notice The source's price of one token, in [1, 2^128), or zero if it gives none.
  /// @dev Reverts with PriceGasTooLow if the source could fail only because the caller sent too little gas: otherwise
  /// the caller could choose which of the source's prices count.
  function priceOrZero(address source, address token) internal view returns (uint256 priceWad) {
    _requireGas(GAS_PER_PRICE);
    (, priceWad,) = _ask(source, token, token, GAS_PER_PRICE);
    if (!_inRange(priceWad)) return 0;
  }

  /// A call receives at most 63/64 of the remaining gas. The remainder covers the call itself.
  function _requireGas(uint256 gasGiven) private view {
    uint256 needed = gasGiven * 64 / 63 + 5_000;
    if (gasleft() < needed) revert PriceGasTooLow(gasleft(), needed);
  }

  function _ask(address source, address tokenIn, address tokenOut, uint256 gasGiven)
    private
    view
    returns (bool answered, uint256 priceInWad, uint256 priceOutWad)
  {
    bytes memory request = abi.encodeCall(IPriceSource.prices, (tokenIn, tokenOut));
    assembly ("memory-safe") {
      // 0x00–0x3f is scratch space; it fits exactly the two words.
      answered := staticcall(gasGiven, source, add(request, 0x20), mload(request), 0x00, 0x40)
      answered := and(answered, eq(returndatasize(), 0x40))
      if answered {
        priceInWad := mload(0x00)
        priceOutWad := mload(0x20)
      }
    }
  }

  /// The return data of the last call, truncated.
  function _reason() private pure returns (bytes memory reason) {
    assembly ("memory-safe") {
      let size := returndatasize()
      if gt(size, REASON_CAP) { size := REASON_CAP }
      reason := mload(0x40)
      mstore(0x40, add(reason, and(add(size, 0x3f), not(0x1f))))
      mstore(reason, size)
      returndatacopy(add(reason, 0x20), 0, size)
    }
  }

  function _inRange(uint256 priceWad) private pure returns (bool) {
    return priceWad != 0 && priceWad <= type(uint128).max;
  }
}
