// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRevocations} from "./interfaces/IRevocations.sol";

/// @title Revocations
/// @notice A contract of its own, because PlanRegistry and LoanGuard both ask it, and neither can be built before the other.
contract Revocations is IRevocations {
  /// @inheritdoc IRevocations
  mapping(address owner => uint64) public epochOf;

  /// @inheritdoc IRevocations
  function revokeAll() external {
    // A step that nobody can know beforehand: whoever has an owner sign for the epoch to come would else hold a signature that
    // the owner's own revocation makes good.
    uint64 step = 1 + uint64(uint32(uint256(blockhash(block.number - 1))));
    emit AllRevoked(msg.sender, epochOf[msg.sender] += step);
  }
}
