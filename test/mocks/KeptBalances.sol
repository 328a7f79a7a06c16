// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A token's balances in one of the storage layouts that compilers use, returned times a multiplier.
contract KeptBalances {
  uint256 private immutable SLOT;
  bool private immutable IS_VYPER;
  uint256 private immutable MULTIPLIER;

  constructor(uint256 slot, bool isVyper, uint256 multiplier) {
    (SLOT, IS_VYPER, MULTIPLIER) = (slot, isVyper, multiplier);
  }

  function balanceOf(address account) external view returns (uint256 amount) {
    bytes32 key = IS_VYPER ? keccak256(abi.encode(SLOT, account)) : keccak256(abi.encode(account, SLOT));
    assembly ("memory-safe") {
      amount := sload(key)
    }
    amount *= MULTIPLIER;
  }
}
