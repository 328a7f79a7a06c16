// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibCall} from "solady/utils/LibCall.sol";

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";
import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";

/// @title PermissionsLens: finds an account's plans and guards in one eth_call
/// @notice Never deployed: the caller sends this code with the call. PlanRegistry and LoanGuard number all
/// accounts' plans and guards in one sequence and keep no list by account, which would cost every owner 22,000 gas.
///
/// Both functions look from number `from` (inclusive) to `to` (exclusive) and stop early when gas or space for the
/// answer runs out, so that the node's own limits decide how far one call gets.
contract PermissionsLens {
  using LibCall for address;

  /// Maximum numbers in one answer. It is returned as contract code: at most 24,576 bytes, which cost gas.
  uint256 private constant MAX_FOUND = 500;
  /// More gas than one number and an empty answer need.
  uint256 private constant RESERVE = 300_000;
  /// Gas per number of the answer: 200 for each of its 32 bytes as code, plus its copies in memory.
  uint256 private constant GAS_PER_FOUND = 6_500;

  /// @return ids The owner's plans among those examined.
  /// @return next The first number not examined.
  function plansOf(IPlanRegistry registry, address owner, uint256 from, uint256 to)
    external
    view
    returns (uint256[] memory ids, uint256 next)
  {
    return _find(address(registry), registry.plan.selector, 1, owner, from, to);
  }

  /// @return ids The guards of which the account is borrower or funder, among those examined.
  /// @return next The first number not examined.
  function guardsOf(ILoanGuard loanGuard, address account, uint256 from, uint256 to)
    external
    view
    returns (uint256[] memory ids, uint256 next)
  {
    return _find(address(loanGuard), loanGuard.guard.selector, 2, account, from, to);
  }

  /// @param read Selector of a function that takes a number and returns a struct whose first words are addresses.
  /// @param accounts How many of those words are accounts that the number belongs to.
  function _find(address target, bytes4 read, uint16 accounts, address account, uint256 from, uint256 to)
    private
    view
    returns (uint256[] memory ids, uint256 next)
  {
    ids = new uint256[](MAX_FOUND);
    uint256 found;
    for (next = from; next < to && found < MAX_FOUND && gasleft() > RESERVE + found * GAS_PER_FOUND; ++next) {
      // Copies only those words: growing memory by whole plans would cost more than reading them.
      (bool answered,, bytes memory words) = target.tryStaticCall(gasleft(), 64, abi.encodeWithSelector(read, next));
      // A number that cannot be read belongs to nobody.
      if (!answered || words.length < 64) continue;
      (address first, address second) = abi.decode(words, (address, address));
      if (first == account || (accounts == 2 && second == account)) ids[found++] = next;
    }
    assembly ("memory-safe") {
      mstore(ids, found)
    }
  }
}
