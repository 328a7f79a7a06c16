// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// A token that returns `false` where others revert.
contract RefusingERC20 is MockERC20 {
  constructor(string memory symbol_, uint8 decimals_) MockERC20(symbol_, decimals_) {}

  function transfer(address, uint256) public pure override returns (bool) {
    return false;
  }

  function transferFrom(address, address, uint256) public pure override returns (bool) {
    return false;
  }
}
