// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Says what it is asked, and burns all the gas it is given when it is to move.
contract GasBurnerERC20 {
  function balanceOf(address) external pure returns (uint256) {
    return type(uint128).max;
  }

  function transferFrom(address, address, uint256) external pure returns (bool) {
    assembly {
      invalid()
    }
  }
}
