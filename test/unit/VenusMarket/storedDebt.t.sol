// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenusMarketBase} from "../../base/VenusMarketBase.sol";

contract VenusMarketStoredDebtTest is VenusMarketBase {
  /// LG-8: in base units of the repay token, whatever its decimals.
  function test_storedDebt_isWhatTheMarketHasStored() public {
    assertEq(adapter.storedDebt(borrower, _market(address(vUsdt))), 400e18);
    assertEq(adapter.storedDebt(borrower, _market(address(vUsdc))), 250e6);
    assertEq(adapter.storedDebt(makeAddr("nobody"), _market(address(vUsdt))), 0);
  }

  /// LG-8: interest that was not accrued is not included.
  function test_storedDebt_growsOnlyWhenTheMarketAccrues() public {
    vUsdt.setNextIndex(1.1e18);
    assertEq(adapter.storedDebt(borrower, _market(address(vUsdt))), 400e18);
    vUsdt.borrowBalanceCurrent(borrower);
    assertEq(adapter.storedDebt(borrower, _market(address(vUsdt))), 440e18);
  }
}
