// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title One button for everything that an owner has permitted
/// @notice Plans, guards and signatures belong to an epoch of their owner's. Those of an earlier one hold no more.
interface IRevocations {
  event AllRevoked(address indexed owner, uint256 epoch);

  /// @notice Ends every plan, every guard and every unused signature of the caller, for good. Never fails.
  function revokeAll() external;

  /// @notice The owner's epoch: 0 at first, and greater with every revocation, by nobody knows how much.
  function epochOf(address owner) external view returns (uint64);
}
