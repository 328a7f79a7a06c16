// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Answers views, and burns all its gas on a transfer.
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
