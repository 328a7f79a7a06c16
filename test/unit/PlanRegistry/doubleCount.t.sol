// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {MockOrderBook} from "../../mocks/MockOrderBook.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

/// PR-12: during a run, only the registry's own transfer to the recipient counts as payment.
contract PlanRegistryDoubleCountTest is PlanBase {
  ScriptedExecutor private attacker;
  MockOrderBook private book;
  uint256 private planId;
  uint256 private order;

  /// The owner delivers to themselves, and offers another 100 USD elsewhere for a run's minimum delivery.
  function setUp() public override {
    super.setUp();
    attacker = _scripted();
    recipient = owner;
    planId = _planFor(attacker);
    book = new MockOrderBook();
    vm.startPrank(owner);
    usd.approve(address(book), AMOUNT);
    order = book.place(usd, AMOUNT, coin, FLOOR);
    vm.stopPrank();
  }

  /// The attack: the owner's balance rises by the floor during the callback, for which the owner pays the order's 100
  /// USD. Counted as the run's delivery, it would be paid for twice.
  function test_RevertWhen_TheOwnersOwnOrderIsFilledInstead() public {
    _fillTheOrderFirst();
    attacker.setAmountOut(0);
    _assertRefused(attacker, planId, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 0, FLOOR));
    attacker.setAmountOut(FLOOR - 1);
    _assertRefused(attacker, planId, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(owner), 0);
  }

  /// The same steps with an honest delivery harm nobody, so the missing delivery is what makes the attack fail.
  function test_TheOrderMayBeFilledBesideADelivery() public {
    _fillTheOrderFirst();
    attacker.setAmountOut(FLOOR);
    assertEq(attacker.run(planId, _go(), ""), FLOOR);
    assertTrue(attacker.reply(0).succeeded && attacker.reply(1).succeeded);
    assertEq(usd.balanceOf(owner), FUNDS - 2 * AMOUNT);
    assertEq(coin.balanceOf(owner), 2 * FLOOR);
    assertEq(_history(planId)[0].amountOut, FLOOR);
  }

  function testFuzz_ADonationDoesNotCount(uint256 donation, uint256 amountOut, bool afterwards) public {
    donation = bound(donation, 1, 100e8);
    amountOut = bound(amountOut, 0, FLOOR - 1);
    bytes memory give =
      abi.encodeCall(attacker.act, (address(coin), abi.encodeCall(coin.transfer, (recipient, donation))));
    if (afterwards) attacker.afterDelivery(address(attacker), give);
    else attacker.beforeDelivery(address(attacker), give);

    attacker.setAmountOut(amountOut);
    _assertRefused(attacker, planId, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, amountOut, FLOOR));
    attacker.setAmountOut(FLOOR);
    assertEq(attacker.run(planId, _go(), ""), FLOOR);
    assertEq(coin.balanceOf(recipient), FLOOR + donation);
    assertEq(_history(planId)[0].amountOut, FLOOR);
  }

  /// A token that calls back during the delivery, so that more arrives within the measured transfer: only the amount
  /// sent counts.
  function test_WhatArrivesWithinTheDeliveryCountsOnlyUpToWhatWasSent() public {
    HookERC20 hooked = new HookERC20("HOOK", 8);
    uint256 id = _planOf(address(usd), address(hooked));
    hooked.mint(address(executor), FLOOR);
    bytes memory extra = abi.encodeCall(hooked.mint, (recipient, 5));

    executor.setAmountOut(FLOOR - 1);
    hooked.hookTransferTo(recipient, address(hooked), extra, false);
    _assertRefused(executor, id, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));

    executor.setAmountOut(FLOOR);
    hooked.hookTransferTo(recipient, address(hooked), extra, false);
    assertEq(_run(id), FLOOR);
    assertEq(hooked.balanceOf(recipient), FLOOR + 5);
    assertEq(_history(id)[0].amountOut, FLOOR);
  }

  /// A recipient that loses more than it gets during the delivery has received nothing.
  function test_RevertWhen_TheRecipientIsRobbedWithinTheDelivery() public {
    HookERC20 hooked = new HookERC20("HOOK", 8);
    uint256 id = _planOf(address(usd), address(hooked));
    hooked.mint(address(executor), FLOOR);
    hooked.mint(recipient, FLOOR);
    vm.prank(recipient);
    hooked.approve(address(executor), type(uint256).max);
    bytes memory rob = abi.encodeCall(hooked.transferFrom, (recipient, stranger, 2 * FLOOR));
    hooked.hookTransferTo(recipient, address(executor), abi.encodeCall(executor.act, (address(hooked), rob)), false);
    _assertRefused(executor, id, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 0, FLOOR));
  }

  /// A tokenOut with a fee, which is due twice: the amount received counts, not the amount sent.
  function test_AFeeOnTheDeliveryIsTheExecutors() public {
    FeeERC20 taxed = new FeeERC20("TAX", 8, 100);
    uint256 id = _planOf(address(usd), address(taxed));
    taxed.mint(address(executor), 10 * FLOOR);
    _assertRefused(
      executor, id, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, _afterFee(_afterFee(FLOOR)), FLOOR)
    );

    executor.setAmountOut(FLOOR * 2);
    uint256 received = _afterFee(_afterFee(FLOOR * 2));
    assertEq(_run(id), received);
    assertEq(taxed.balanceOf(recipient), received);
    assertEq(_history(id)[0].amountOut, received);
  }

  function _afterFee(uint256 amount) private pure returns (uint256) {
    return amount - amount / 100;
  }

  function _fillTheOrderFirst() private {
    bytes memory pay = abi.encodeCall(coin.approve, (address(book), FLOOR));
    bytes memory fill = abi.encodeCall(book.fill, (order));
    attacker.beforeDelivery(address(attacker), abi.encodeCall(attacker.act, (address(coin), pay)));
    attacker.beforeDelivery(address(attacker), abi.encodeCall(attacker.act, (address(book), fill)));
  }
}
