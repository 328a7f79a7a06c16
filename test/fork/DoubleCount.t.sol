// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Bsc} from "../../script/Bsc.sol";
import {PlanForkBase} from "../base/PlanForkBase.sol";
import {MockOrderBook} from "../mocks/MockOrderBook.sol";
import {OrderFiller} from "../mocks/OrderFiller.sol";

/// @notice The owner also sells 100 USDT through a resting order on some exchange. A thieving executor pulls the plan's
/// 100 USDT, fills that order with its own BTCB, and claims the BTCB that the owner received there as the plan's
/// delivery. The owner would have paid 200 USDT for BTCB worth 100.
contract DoubleCountForkTest is PlanForkBase {
  MockOrderBook internal book;
  OrderFiller internal filler;
  uint256 internal planId;
  uint256 internal orderId;
  uint256 internal fairAmount;

  function setUp() public override {
    super.setUp();
    book = new MockOrderBook();
    filler = new OrderFiller(bowline.planRegistry, book);
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = address(filler);
    planId = _create(terms);

    (uint256 priceIn, uint256 priceOut) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    fairAmount = terms.amountPerRun * priceIn / priceOut;
    vm.startPrank(owner);
    USDT.approve(address(book), terms.amountPerRun);
    orderId = book.place(USDT, terms.amountPerRun, BTCB, fairAmount);
    vm.stopPrank();
    deal(Bsc.BTCB, address(filler), fairAmount);
  }

  /// PR-12: during the callback the owner's balance rises by a fair delivery, but the registry's own transfer brings
  /// none.
  function test_filledOrder_isNoDelivery() public {
    vm.expectPartialRevert(IPlanRegistry.FloorNotMet.selector);
    filler.attack(planId, orderId);

    _requireUntouched(planId);
  }
}
