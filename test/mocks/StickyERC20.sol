// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// A token whose allowances are not used up, as some tokens have it for allowances that they take for infinite.
contract StickyERC20 is MockERC20 {
  constructor(string memory symbol_, uint8 decimals_) MockERC20(symbol_, decimals_) {}

  function _spendAllowance(address owner, address spender, uint256 value) internal view override {
    uint256 allowed = allowance(owner, spender);
    if (allowed < value) revert ERC20InsufficientAllowance(spender, allowed, value);
  }
}
