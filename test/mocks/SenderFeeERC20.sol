// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// A token that takes one base unit more from the sender than the receiver gets.
contract SenderFeeERC20 is MockERC20 {
  constructor(string memory symbol_, uint8 decimals_) MockERC20(symbol_, decimals_) {}

  function _update(address from, address to, uint256 value) internal override {
    super._update(from, to, value);
    if (from != address(0) && to != address(0)) super._update(from, address(0), 1);
  }
}
