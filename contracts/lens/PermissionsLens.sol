// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibCall} from "solady/utils/LibCall.sol";

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";
import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";

/// @title PermissionsLens: finds one account's plans and guards among everybody's in one eth_call
/// @notice Never deployed: the caller sends this code with the call. PlanRegistry and LoanGuard number all
/// accounts' plans and guards in one sequence and keep no list by account, which would cost every owner 22,000 gas.
///
/// Both functions look from number `from` (inclusive) to `to` (exclusive) and stop early when gas or room for the answer
/// runs out, so that the node's own limits decide how far one call comes.
contract PermissionsLens {
  using LibCall for address;

  /// Numbers of one answer. It returns as the code of a contract: 24,576 bytes at most, which cost gas.
  uint256 private constant MAX_FOUND = 500;
  /// More than one number and an empty answer need.
  uint256 private constant RESERVE = 300_000;
  /// One number of the answer: 200 gas for each of its 32 bytes as code, and its copies in memory.
  uint256 private constant GAS_PER_FOUND = 6_500;

  /// @return ids The owner's plans among those looked at.
  /// @return next The first number that was not looked at.
  function plansOf(IPlanRegistry registry, address owner, uint256 from, uint256 to)
    external
    view
    returns (uint256[] memory ids, uint256 next)
  {
    return _find(address(registry), registry.plan.selector, 1, owner, from, to);
  }

  /// @return ids The guards of which the account is borrower or funder, among those looked at.
  /// @return next The first number that was not looked at.
  function guardsOf(ILoanGuard loanGuard, address account, uint256 from, uint256 to)
    external
    view
    returns (uint256[] memory ids, uint256 next)
  {
    return _find(address(loanGuard), loanGuard.guard.selector, 2, account, from, to);
  }

  /// @param read Selector of a function that takes a number and returns a struct whose first words are addresses.
  /// @param accounts How many of them are accounts that the number belongs to.
  function _find(address target, bytes4 read, uint16 accounts, address account, uint256 from, uint256 to)
    private
    view
    returns (uint256[] memory ids, uint256 next)
  {
    ids = new uint256[](MAX_FOUND);
    uint256 found;
    for (next = from; next < to && found < MAX_FOUND && gasleft() > RESERVE + found * GAS_PER_FOUND; ++next) {
      // Copies those words alone: memory that grew by whole plans would cost more than reading them.
      (bool answered,, bytes memory words) = target.tryStaticCall(gasleft(), 64, abi.encodeWithSelector(read, next));
      // A number that cannot be read is nobody's.
      if (!answered || words.length < 64) continue;
      (address first, address second) = abi.decode(words, (address, address));
      if (first == account || (accounts == 2 && second == account)) ids[found++] = next;
    }
    assembly ("memory-safe") {
      mstore(ids, found)
    }
  }
}
