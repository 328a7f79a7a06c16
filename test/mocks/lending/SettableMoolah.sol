// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MoolahStandIn} from "../moolah/MoolahStandIn.sol";

/// Accounts and totals as a test sets them, in Morpho's storage.
contract SettableMoolah is MoolahStandIn {
  /// Morpho's `position` and `market`.
  uint256 private constant POSITION = 2;
  uint256 private constant MARKET = 3;

  constructor(address morphoCode, address owner) MoolahStandIn(morphoCode, owner) {}

  function setPosition(bytes32 id, address account, uint128 borrowShares, uint128 collateral) external {
    bytes32 place = keccak256(abi.encode(account, keccak256(abi.encode(id, POSITION))));
    assembly ("memory-safe") {
      sstore(add(place, 1), or(shl(128, collateral), borrowShares))
    }
  }

  function setBorrowed(bytes32 id, uint128 assets, uint128 shares) external {
    bytes32 place = keccak256(abi.encode(id, MARKET));
    assembly ("memory-safe") {
      sstore(add(place, 1), or(shl(128, shares), assets))
    }
  }
}
