// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IQuoteDesk} from "../../../contracts/interfaces/IQuoteDesk.sol";
import {DeskBase} from "../../base/DeskBase.sol";
import {Product} from "../../base/Product.sol";

contract QuoteDeskMakerTest is DeskBase {
  /// QD-1
  function test_cancelMakesAQuoteUseless() public {
    IQuoteDesk.Quote memory terms = quote();
    bytes memory signature = sign(terms);
    vm.prank(stranger);
    vm.expectRevert(abi.encodeWithSelector(IQuoteDesk.NotMaker.selector, stranger));
    desk.cancel(7);
    vm.startPrank(maker);
    vm.expectEmit(address(desk));
    emit IQuoteDesk.QuoteCancelled(7);
    desk.cancel(7);
    desk.cancel(7);
    vm.stopPrank();
    vm.prank(buyer);
    vm.expectRevert(abi.encodeWithSelector(IQuoteDesk.QuoteUsedUp.selector, 7));
    desk.redeem(terms, signature);
    assertUntouched();
  }

  /// QD-5
  function test_onlyTheMakerTakesTokensOut() public {
    vm.expectRevert(abi.encodeWithSelector(IQuoteDesk.NotMaker.selector, address(this)));
    desk.withdraw(address(sold), stranger, 1);
    vm.prank(maker);
    vm.expectEmit(address(desk));
    emit IQuoteDesk.InventoryWithdrawn(address(sold), stranger, 10e18);
    desk.withdraw(address(sold), stranger, 10e18);
    assertEq(sold.balanceOf(stranger), 10e18);
  }

  /// QD-5
  function test_nobodyIsNoMaker() public {
    vm.expectRevert(abi.encodeWithSelector(IQuoteDesk.NotMaker.selector, address(0)));
    Product.quoteDesk(address(0));
  }
}
