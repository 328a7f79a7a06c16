// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Addresses of PancakeSwap v3's pools
library PancakePools {
  /// keccak256 of the init code of every pool. A pool reads its tokens and fee from its deployer, so the init code is
  /// always the same.
  bytes32 internal constant INIT_CODE_HASH = 0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2;

  /// @notice Returns the address of the pool of two tokens (in any order) under `deployer`, whether or not it exists.
  /// @param fee Hundredths of a basis point.
  function poolOf(address deployer, address tokenA, address tokenB, uint24 fee) internal pure returns (address) {
    (address token0, address token1) = tokenA < tokenB ? (tokenA, tokenB) : (tokenB, tokenA);
    bytes32 salt = keccak256(abi.encode(token0, token1, fee));
    return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", deployer, salt, INIT_CODE_HASH)))));
  }
}
