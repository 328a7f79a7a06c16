// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {VenusMarketBase} from "../../base/VenusMarketBase.sol";

contract VenusMarketForcedMarketsTest is VenusMarketBase {
  /// LG-25
  function test_forcedMarkets_areNoneAsARule() public {
    assertEq(adapter.forcedMarkets(borrower).length, 0);
    comptroller.setVaiController(address(0));
    assertEq(adapter.forcedMarkets(borrower).length, 0);
  }

  /// LG-25: for everybody in a market, or for one borrower in it; VAI too. Each is named once.
  function test_forcedMarkets_areThoseOfTheBorrowersDebts() public {
    comptroller.forceLiquidation(address(vUsdc), true);
    _assertForced(_one(address(vUsdc)));
    comptroller.forceLiquidationOf(borrower, address(vUsdc), true);
    comptroller.forceLiquidationOf(makeAddr("another"), address(vUsdt), true);
    _assertForced(_one(address(vUsdc)));
    comptroller.forceLiquidationOf(borrower, address(vaiController), true);
    bytes32[] memory both = new bytes32[](2);
    (both[0], both[1]) = (_market(address(vUsdc)), _market(address(vaiController)));
    _assertForced(both);
    comptroller.forceLiquidation(address(vUsdc), false);
    comptroller.forceLiquidationOf(borrower, address(vUsdc), false);
    _assertForced(_one(address(vaiController)));
  }

  /// LG-25: nothing can be liquidated where nothing is owed.
  function test_forcedMarkets_leavesOutMarketsWithoutDebt() public {
    comptroller.forceLiquidation(address(vUsdt), true);
    comptroller.forceLiquidation(address(vaiController), true);
    vUsdt.setDebt(borrower, 0);
    vaiController.set(borrower, 0);
    assertEq(adapter.forcedMarkets(borrower).length, 0);
  }

  function _one(address place) private pure returns (bytes32[] memory list) {
    list = new bytes32[](1);
    list[0] = _market(place);
  }

  function _assertForced(bytes32[] memory expected) private view {
    assertEq(abi.encode(adapter.forcedMarkets(borrower)), abi.encode(expected));
  }
}
