// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRevocations} from "./interfaces/IRevocations.sol";

/// @title Revocations
/// @notice Keeps each owner's epoch, which `revokeAll` advances.
/// @dev A separate contract because PlanRegistry and LoanGuard both read it, and neither can be deployed before the
/// other.
contract Revocations is IRevocations {
  /// @inheritdoc IRevocations
  mapping(address owner => uint64) public epochOf;

  /// @inheritdoc IRevocations
  function revokeAll() external {
    // The step must be unpredictable. Otherwise somebody could have an owner sign for a future epoch, and the owner's
    // own revocation would make that signature valid.
    uint64 step = 1 + uint64(uint32(uint256(blockhash(block.number - 1))));
    emit AllRevoked(msg.sender, epochOf[msg.sender] += step);
  }
}
