// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// A token that does not reduce allowances, as some tokens treat unlimited ones.
contract StickyERC20 is MockERC20 {
  constructor(string memory symbol_, uint8 decimals_) MockERC20(symbol_, decimals_) {}

  function _spendAllowance(address owner, address spender, uint256 value) internal view override {
    uint256 allowed = allowance(owner, spender);
    if (allowed < value) revert ERC20InsufficientAllowance(spender, allowed, value);
  }
}
