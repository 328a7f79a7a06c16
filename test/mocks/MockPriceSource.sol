// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPriceSource} from "../../contracts/interfaces/IPriceSource.sol";

/// An honest source with prices that anyone may set, different per token, so that a swap of the two shows.
contract MockPriceSource is IPriceSource {
  mapping(address token => uint256) public priceWad;

  function setPrice(address token, uint256 priceWad_) external {
    priceWad[token] = priceWad_;
  }

  function prices(address tokenIn, address tokenOut) external view returns (uint256, uint256) {
    return (_price(tokenIn), _price(tokenOut));
  }

  function _price(address token) private view returns (uint256 wad) {
    wad = priceWad[token];
    if (wad == 0) revert TokenNotPriced(token);
  }
}
