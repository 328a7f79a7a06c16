// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRevocations} from "./interfaces/IRevocations.sol";

/// @title Revocations
/// @notice A contract of its own, because the registry and the guard both ask it, and neither can be built before the other.
contract Revocations is IRevocations {
  /// @inheritdoc IRevocations
  mapping(address owner => uint64) public epochOf;

  /// @inheritdoc IRevocations
  function revokeAll() external {
    emit AllRevoked(msg.sender, ++epochOf[msg.sender]);
  }
}
