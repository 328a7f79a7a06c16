// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DeskBase} from "../base/DeskBase.sol";
import {DeskHandler} from "./DeskHandler.sol";
import {Tally} from "./Tally.sol";

/// QuoteDesk's invariants under any sequence of actions by maker, buyers and a thief.
contract DeskInvariants is DeskBase, Tally {
  DeskHandler private handler;

  function setUp() public override {
    super.setUp();
    sold.mint(address(desk), 1_000e18);
    handler = new DeskHandler(desk, paid, sold, makerKey);
    targetContract(address(handler));
    bytes4[] memory selectors = new bytes4[](8);
    selectors[0] = selectors[1] = DeskHandler.redeem.selector;
    selectors[2] = DeskHandler.quote.selector;
    selectors[3] = DeskHandler.cancel.selector;
    selectors[4] = DeskHandler.withdraw.selector;
    selectors[5] = DeskHandler.forge.selector;
    selectors[6] = DeskHandler.steal.selector;
    selectors[7] = DeskHandler.pass.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
  }

  /// After every tenth call. The handler itself checks who redeems, cancels and withdraws.
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    _theInventoryFallsByQuotesAndWithdrawalsAlone();
    _everyBuyerHasWhatWasQuoted();
  }

  /// QD-5
  function _theInventoryFallsByQuotesAndWithdrawalsAlone() private view {
    assertEq(sold.balanceOf(address(desk)), handler.deskSold());
    assertEq(paid.balanceOf(address(desk)), handler.deskPaid());
  }

  /// QD-1: both sides, exactly.
  function _everyBuyerHasWhatWasQuoted() private view {
    for (uint256 i; i < 3; ++i) {
      address each = handler.buyers(i);
      assertEq(paid.balanceOf(each), handler.paidOf(each));
      assertEq(sold.balanceOf(each), handler.soldOf(each));
    }
  }

  function afterInvariant() public {
    invariant_All();
    _tally("desk", handler);
    _requireDone(handler, "redeem", 10, 10);
  }
}
