// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";
import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";
import {BoundedCall} from "./BoundedCall.sol";

/// @title StatesLens: reads many plans or guards in one eth_call, in full or only their state
/// @notice Never deployed. The caller uses the state override of an `eth_call` to place this code at an unused address.
/// Terms rarely change, so a state carries only a tag of them: a caller that knows the terms sees whether they have
/// changed.
contract StatesLens {
  using BoundedCall for address;
  using BoundedCall for bytes;

  /// More gas than a listed token needs. A token that needs more has no answer.
  uint256 private constant TOKEN_GAS = 100_000;
  /// Gas that the lens itself needs after the last struct.
  uint256 private constant OWN_GAS = 100_000;
  /// Bytes per number in `ids`.
  uint256 private constant ID_BYTES = 5;

  /// Reuses memory: growing it for every plan would cost more than reading them.
  modifier releasesMemory() {
    uint256 free;
    assembly ("memory-safe") {
      free := mload(0x40)
    }
    _;
    assembly ("memory-safe") {
      mstore(0x40, free)
    }
  }

  /// @param ids The plans' numbers, five bytes each.
  /// @param tokens Tokens whose code may be called, because anybody can create a plan for a token of their own.
  /// @return asked Hash of the call's data. In a batch of calls, an answer may reach the wrong caller.
  /// @return words For each plan its state, then the owner's balance and allowance of the token paid, at most the maximum
  /// uint128; zeros for a plan that cannot be read. The state, from the low bits: status (8), cursor (40), runs (32),
  /// records (32), deferrals (8), last reason (16), whether it is revoked (8), whether the funds were read (8), version of
  /// the terms (16); in the top 64 bits the tag of the terms.
  function plans(IPlanRegistry registry, bytes calldata ids, address[] calldata tokens)
    external
    view
    returns (bytes32 asked, uint256[] memory words)
  {
    asked = keccak256(msg.data);
    uint256 count = ids.length / ID_BYTES;
    words = new uint256[](2 * count);
    for (uint256 i; i < count; ++i) {
      (words[2 * i], words[2 * i + 1]) = _plan(registry, _idAt(ids, i), tokens);
    }
  }

  /// @param ids The guards' numbers, five bytes each.
  /// @return asked As in `plans`.
  /// @return words For each guard its state, then the amount taken in the day; zeros for one that cannot be read. The state, from the low bits: status (8),
  /// time of the last rescue (40), day (32), rescues (32), whether the source triggered the last one (8), whether it is
  /// revoked (8); in the top 64 bits the tag of terms and repaid token.
  function guards(ILoanGuard loanGuard, bytes calldata ids)
    external
    view
    returns (bytes32 asked, uint256[] memory words)
  {
    asked = keccak256(msg.data);
    uint256 count = ids.length / ID_BYTES;
    words = new uint256[](2 * count);
    for (uint256 i; i < count; ++i) {
      (words[2 * i], words[2 * i + 1]) = _guard(loanGuard, _idAt(ids, i));
    }
  }

  /// @param read Selector of a view function that takes a number and returns a struct.
  /// @param length Bytes kept of each answer. The creator of a struct may have made the rest of it long.
  /// @param gasEach Gas for each number.
  /// @param ids The numbers, five bytes each.
  /// @return asked As in `plans`.
  /// @return structs Concatenated, as many as the gas allows; zeros for a number for which the function reverts,
  /// returns less, or needs more gas.
  function each(address target, bytes4 read, uint256 length, uint256 gasEach, bytes calldata ids)
    external
    view
    returns (bytes32 asked, bytes memory structs)
  {
    asked = keccak256(msg.data);
    uint256 count = ids.length / ID_BYTES;
    structs = new bytes(count * length);
    uint256 i;
    // A call forwards at most 63/64 of the gas. With less, a readable struct would seem unreadable.
    for (; i < count && gasleft() > gasEach + gasEach / 32 + OWN_GAS; ++i) {
      uint256 id = _idAt(ids, i);
      assembly ("memory-safe") {
        mstore(0, read)
        mstore(4, id)
        let isRead := staticcall(gasEach, target, 0, 36, 0, 0)
        if and(isRead, iszero(lt(returndatasize(), length))) {
          returndatacopy(add(add(structs, 32), mul(i, length)), 0, length)
        }
      }
    }
    assembly ("memory-safe") {
      mstore(structs, mul(i, length))
    }
  }

  function _plan(IPlanRegistry registry, uint256 id, address[] calldata tokens)
    private
    view
    releasesMemory
    returns (uint256 state, uint256 funds)
  {
    IPlanRegistry.Plan memory plan;
    try registry.plan(id) returns (IPlanRegistry.Plan memory found) {
      plan = found;
    } catch {
      return (0, 0);
    }
    bool read;
    (read, funds) = _funds(plan.terms.tokenIn, plan.terms.owner, address(registry), tokens);
    IPlanRegistry.State memory s = plan.state;
    state = uint256(uint8(s.status)) | uint256(s.cursor) << 8 | uint256(s.runs) << 48 | uint256(s.records) << 80;
    state |= uint256(s.deferrals) << 112 | uint256(s.lastReason) << 120 | uint256(s.version) << 152;
    if (plan.isRevoked) state |= 1 << 136;
    if (read) state |= 1 << 144;
    state |= _tag(abi.encode(plan.terms));
  }

  function _guard(ILoanGuard loanGuard, uint256 id)
    private
    view
    releasesMemory
    returns (uint256 state, uint256 takenInDay)
  {
    ILoanGuard.Guard memory guard;
    try loanGuard.guard(id) returns (ILoanGuard.Guard memory found) {
      guard = found;
    } catch {
      return (0, 0);
    }
    ILoanGuard.State memory s = guard.state;
    state = uint256(uint8(s.status)) | uint256(s.lastRescueAt) << 8 | uint256(s.day) << 48 | uint256(s.rescues) << 80;
    state |= _tag(abi.encode(guard.terms, guard.repayToken));
    if (s.isBySource) state |= 1 << 112;
    if (guard.isRevoked) state |= 1 << 120;
    takenInDay = s.takenInDay;
  }

  /// @return read Whether both were read; always false for an unlisted token.
  /// @return funds Balance in the low half, allowance in the high half.
  function _funds(address token, address owner, address spender, address[] calldata tokens)
    private
    view
    returns (bool read, uint256 funds)
  {
    if (!_isListed(token, tokens)) return (false, 0);
    bytes memory balance = token.ask(abi.encodeCall(IERC20.balanceOf, (owner)), TOKEN_GAS);
    bytes memory allowance = token.ask(abi.encodeCall(IERC20.allowance, (owner, spender)), TOKEN_GAS);
    if (balance.length < 32 || allowance.length < 32) return (false, 0);
    return (true, _half(balance.wordAt(0)) | _half(allowance.wordAt(0)) << 128);
  }

  function _half(uint256 word) private pure returns (uint256) {
    return Math.min(word, type(uint128).max);
  }

  function _isListed(address token, address[] calldata tokens) private pure returns (bool) {
    for (uint256 i; i < tokens.length; ++i) {
      if (tokens[i] == token) return true;
    }
    return false;
  }

  function _idAt(bytes calldata ids, uint256 i) private pure returns (uint256) {
    return uint40(bytes5(ids[i * ID_BYTES:(i + 1) * ID_BYTES]));
  }

  function _tag(bytes memory terms) private pure returns (uint256) {
    return uint256(keccak256(terms)) >> 192 << 192;
  }
}
