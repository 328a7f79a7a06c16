// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IResilientOracle} from "../../../contracts/interfaces/IVenus.sol";

/// Prices by token and by vToken, as set. A price of `REFUSED` makes the oracle revert, as the real one does if its
/// feeds are stale or disagree.
contract MockVenusOracle is IResilientOracle {
  uint256 public constant REFUSED = type(uint256).max;

  mapping(address asset => uint256) private _prices;

  function set(address asset, uint256 price) external {
    _prices[asset] = price;
  }

  function getPrice(address asset) external view returns (uint256) {
    return _answer(asset);
  }

  function getUnderlyingPrice(address vToken) external view returns (uint256) {
    return _answer(vToken);
  }

  function _answer(address asset) private view returns (uint256 price) {
    price = _prices[asset];
    require(price != REFUSED, "invalid resilient oracle price");
  }
}
