// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title One call that revokes everything an owner has permitted
/// @notice Each plan, guard and signature belongs to an epoch of its owner. Those of earlier epochs are void.
interface IRevocations {
  event AllRevoked(address indexed owner, uint256 epoch);

  /// @notice Ends every plan, every guard and every unused signature of the caller, for good. Never fails.
  function revokeAll() external;

  /// @notice Returns the owner's epoch: 0 at first. Every revocation increases it by an unpredictable amount.
  function epochOf(address owner) external view returns (uint64);
}
