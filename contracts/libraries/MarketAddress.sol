// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";

/// @title Markets that their protocol identifies by an address
/// @notice The address stands in the low 20 bytes of the 32.
library MarketAddress {
  function toMarket(address account) internal pure returns (bytes32) {
    return bytes32(uint256(uint160(account)));
  }

  /// @notice Reverts with MarketNotListed if one of the other 12 bytes is set.
  function toAddress(bytes32 market) internal pure returns (address account) {
    account = address(uint160(uint256(market)));
    if (toMarket(account) != market) revert ILendingMarket.MarketNotListed(market);
  }
}
