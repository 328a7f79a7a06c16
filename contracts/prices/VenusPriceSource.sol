// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPriceSource} from "../interfaces/IPriceSource.sol";
import {IResilientOracle} from "../interfaces/IVenus.sol";

/// @title VenusPriceSource
/// @notice Prices of the Venus ResilientOracle. The oracle checks that its feeds are fresh and agree, and reverts for
/// unknown tokens. Its scale is already that of IPriceSource.
contract VenusPriceSource is IPriceSource {
  IResilientOracle public immutable oracle;

  constructor(IResilientOracle oracle_) {
    oracle = oracle_;
  }

  /// @inheritdoc IPriceSource
  function prices(address tokenIn, address tokenOut) external view returns (uint256 priceInWad, uint256 priceOutWad) {
    return (_price(tokenIn), _price(tokenOut));
  }

  function _price(address token) private view returns (uint256 priceWad) {
    priceWad = oracle.getPrice(token);
    if (priceWad == 0) revert TokenNotPriced(token);
  }
}
