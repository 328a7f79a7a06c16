// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// A token that keeps back a part of every transfer.
contract FeeERC20 is MockERC20 {
  uint256 private immutable FEE_BPS;

  constructor(string memory symbol_, uint8 decimals_, uint256 feeBps) MockERC20(symbol_, decimals_) {
    FEE_BPS = feeBps;
  }

  function _update(address from, address to, uint256 value) internal override {
    uint256 fee = from == address(0) || to == address(0) ? 0 : value * FEE_BPS / 10_000;
    super._update(from, to, value - fee);
    if (fee != 0) super._update(from, address(0), fee);
  }
}
