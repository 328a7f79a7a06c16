// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";

/// A handler that checks each call itself, because it knows the state before. It keeps the name of the first broken
/// rule for the campaign to report, throws its own dice, and counts what it has tried and what succeeded.
abstract contract Rules is CommonBase, StdUtils {
  struct Count {
    bytes32 name;
    uint128 tried;
    uint128 done;
  }

  /// A move that must be refused has succeeded. Thrown, because what the handler remembers inside a call that fails for
  /// another reason is lost.
  error MovePassed(bytes32 name);

  string public broken;
  /// Calls of the handler in this sequence.
  uint256 public calls;
  Count[] private _counts;
  /// The place in `_counts`, plus one.
  mapping(bytes32 name => uint256) private _places;
  uint256 private transient _dice;

  /// The fuzzer repeats seeds and prefers zero and round numbers. Hashed with a counter, they make rare actions as rare
  /// as their handler means them to be.
  modifier rolls(uint256 seed) {
    _dice = uint256(keccak256(abi.encode(seed, ++calls)));
    _;
  }

  function counts() external view returns (Count[] memory) {
    return _counts;
  }

  function _rule(string memory name, bool holds) internal {
    if (!holds && bytes(broken).length == 0) broken = name;
  }

  /// @param reason Why a call failed that had moves of the attacker inside.
  function _requireRefused(bytes memory reason) internal {
    if (reason.length != 36 || bytes4(reason) != MovePassed.selector) return;
    bytes32 name;
    assembly ("memory-safe") {
      name := mload(add(reason, 36))
    }
    _rule(string.concat("IN-33: must be refused: ", text(name)), false);
  }

  /// An action that a campaign must have tried.
  function _expect(bytes32 name) internal {
    _counts.push(Count(name, 0, 0));
    _places[name] = _counts.length;
  }

  function _count(bytes32 name, bool isDone) internal {
    if (_places[name] == 0) _expect(name);
    Count storage count = _counts[_places[name] - 1];
    ++count.tried;
    if (isDone) ++count.done;
  }

  /// The next throw of the dice, below `n`.
  function _roll(uint256 n) internal returns (uint256) {
    uint256 dice = _dice;
    assembly ("memory-safe") {
      mstore(0, dice)
      dice := keccak256(0, 32)
    }
    _dice = dice;
    return dice % n;
  }

  /// Inclusive.
  function _between(uint256 least, uint256 most) internal returns (uint256) {
    return least + _roll(most - least + 1);
  }

  function _oneIn(uint256 n) internal returns (bool) {
    return _roll(n) == 0;
  }

  function text(bytes32 name) public pure returns (string memory) {
    uint256 length;
    while (length < 32 && name[length] != 0) ++length;
    bytes memory letters = abi.encodePacked(name);
    assembly ("memory-safe") {
      mstore(letters, length)
    }
    return string(letters);
  }
}
