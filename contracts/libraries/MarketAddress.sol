// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";

/// @title Markets identified by an address
/// @notice The address occupies the low 20 of the 32 bytes.
library MarketAddress {
  function toMarket(address account) internal pure returns (bytes32) {
    return bytes32(uint256(uint160(account)));
  }

  /// @notice Reverts with MarketNotListed if any of the other 12 bytes is set.
  function toAddress(bytes32 market) internal pure returns (address account) {
    account = address(uint160(uint256(market)));
    if (toMarket(account) != market) revert ILendingMarket.MarketNotListed(market);
  }
}
