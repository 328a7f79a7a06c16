// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceSource} from "../../contracts/interfaces/IPriceSource.sol";

/// An honest source whose answers cost gas: all the same, and those about one token more.
contract CostlyPriceSource is IPriceSource {
  uint256 public cost;
  mapping(address token => uint256) public costOf;
  mapping(address token => uint256) public priceWad;

  function setPrice(address token, uint256 priceWad_) external {
    priceWad[token] = priceWad_;
  }

  function setCost(uint256 cost_) external {
    cost = cost_;
  }

  function setCostOf(address token, uint256 cost_) external {
    costOf[token] = cost_;
  }

  function prices(address tokenIn, address tokenOut) external view returns (uint256, uint256) {
    uint256 start = gasleft();
    uint256 whole = cost + costOf[tokenOut];
    uint256 until = start > whole ? start - whole : 0;
    while (gasleft() > until) {}
    return (priceWad[tokenIn], priceWad[tokenOut]);
  }
}
