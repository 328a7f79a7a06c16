// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Puppet} from "../../mocks/Puppet.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

contract PlanRegistryRecordRunTest is PlanBase {
  ScriptedExecutor private scripted;
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    scripted = _scripted();
    planId = _planFor(scripted);
  }

  /// PR-12: the whole delivery counts, even above the floor.
  function testFuzz_RecordsWhatTheRecipientReceived(uint256 amountOut) public {
    amountOut = bound(amountOut, FLOOR, type(uint104).max);
    coin.mint(address(scripted), amountOut);
    scripted.setAmountOut(amountOut);
    assertEq(scripted.run(planId, _go(), ""), amountOut);
    assertEq(coin.balanceOf(recipient), amountOut);
    assertEq(_history(planId)[0].amountOut, amountOut);
    assertEq(_history(planId)[0].floor, FLOOR);
  }

  /// PR-10, PR-13: the floor, computed here with 512-bit products, is the exact boundary between refused and accepted.
  function testFuzz_TheFloorIsTheLine(
    uint104 amount,
    uint128 priceInWad,
    uint128 priceOutWad,
    uint256 slippageBps,
    uint128 limitPriceWad
  ) public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = address(scripted);
    terms.amountPerRun = amount = uint104(bound(amount, 1, type(uint104).max));
    terms.maxSlippageBps = uint16(slippageBps = bound(slippageBps, 0, 1_000));
    terms.limitPriceWad = limitPriceWad;
    (priceInWad, priceOutWad) =
    (uint128(bound(priceInWad, 1, type(uint128).max)), uint128(bound(priceOutWad, 1, type(uint128).max)));
    source.setPrice(address(usd), priceInWad);
    source.setPrice(address(coin), priceOutWad);
    usd.mint(owner, amount);
    uint256 id = _create(terms);

    uint256 floor = Math.mulDiv(
      uint256(amount) * priceInWad, 10_000 - slippageBps, uint256(priceOutWad) * 10_000, Math.Rounding.Ceil
    );
    if (limitPriceWad != 0) floor = Math.max(floor, Math.mulDiv(amount, 1e18, limitPriceWad, Math.Rounding.Ceil));
    if (floor > type(uint104).max) {
      _assertRefused(scripted, id, abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, floor));
      return;
    }

    coin.mint(address(scripted), floor);
    scripted.setAmountOut(floor - 1);
    _assertRefused(scripted, id, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, floor - 1, floor));
    scripted.setAmountOut(floor);
    scripted.run(id, _go(), "");
    assertEq(coin.balanceOf(recipient), floor);
    assertEq(_history(id)[0].floor, floor);
  }

  /// PR-13
  function test_RevertWhen_NothingIsDelivered() public {
    scripted.setAmountOut(0);
    _assertRefused(scripted, planId, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, 0, FLOOR));
  }

  /// PR-13
  function test_RevertWhen_TheExecutorHasTooLittle() public {
    uint256 stock = coin.balanceOf(address(scripted));
    scripted.setAmountOut(stock + 1);
    _assertRefused(
      scripted,
      planId,
      abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, scripted, stock, stock + 1)
    );
  }

  /// PR-17: a delivery that does not fit its record is refused, not truncated.
  function test_RevertWhen_TheDeliveryDoesNotFit() public {
    uint256 tooMuch = uint256(type(uint104).max) + 1;
    coin.mint(address(scripted), tooMuch);
    scripted.setAmountOut(tooMuch);
    _assertRefused(
      scripted, planId, abi.encodeWithSelector(SafeCast.SafeCastOverflowedUintDowncast.selector, 104, tooMuch)
    );
  }

  /// PR-14
  function test_RevertWhen_NoRunIsOpen() public {
    vm.startPrank(address(scripted));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NoRunOpen.selector, planId));
    registry.recordRun(planId);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NoRunOpen.selector, 0));
    registry.recordRun(0);
  }

  /// PR-14: not even right after the run, in the same transaction.
  function test_RevertWhen_TheRunIsOver() public {
    scripted.run(planId, _go(), "");
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.NoRunOpen.selector, planId));
    vm.prank(address(scripted));
    registry.recordRun(planId);
  }

  /// PR-14: a run of one plan cannot be passed off as a run of another.
  function test_RevertWhen_AnotherPlansRunIsOpen() public {
    uint256 other = _planFor(scripted);
    scripted.beforeDelivery(address(registry), abi.encodeCall(registry.recordRun, (other)));
    scripted.run(planId, _go(), "");
    _assertReply(0, abi.encodeWithSelector(IPlanRegistry.NoRunOpen.selector, other));
    assertEq(_history(planId).length, 1);
    assertEq(_history(other).length, 0);
  }

  /// PR-14: an executor that ignores the revert gains nothing by a second call: one delivery, one record.
  function test_RevertWhen_RecordedTwice() public {
    scripted.afterDelivery(
      address(scripted),
      abi.encodeCall(scripted.act, (address(coin), abi.encodeCall(coin.transfer, (address(registry), FLOOR))))
    );
    scripted.afterDelivery(address(registry), abi.encodeCall(registry.recordRun, (planId)));
    scripted.run(planId, _go(), "");
    assertTrue(scripted.reply(0).succeeded);
    _assertReply(1, abi.encodeWithSelector(IPlanRegistry.RunAlreadyRecorded.selector, planId));
    assertEq(coin.balanceOf(recipient), FLOOR);
    assertEq(_history(planId).length, 1);
    assertEq(_state(planId).records, 1);
  }

  /// PR-14: an accomplice cannot close the run, even by a delivery of its own. What it has sent is the recipient's.
  function test_RevertWhen_CallerIsNotTheExecutor() public {
    Puppet accomplice = new Puppet();
    coin.mint(address(accomplice), FLOOR);
    bytes memory pay = abi.encodeCall(coin.transfer, (address(registry), FLOOR));
    scripted.beforeDelivery(address(accomplice), abi.encodeCall(accomplice.act, (address(coin), pay)));
    bytes memory call = abi.encodeCall(registry.recordRun, (planId));
    scripted.beforeDelivery(address(accomplice), abi.encodeCall(accomplice.act, (address(registry), call)));
    assertEq(scripted.run(planId, _go(), ""), 2 * FLOOR);
    assertTrue(scripted.reply(0).succeeded);
    _assertReply(1, abi.encodeWithSelector(IPlanRegistry.NotExecutor.selector, accomplice, scripted));
    assertEq(coin.balanceOf(recipient), 2 * FLOOR);

    vm.warp(START + PERIOD);
    scripted.keepEverything();
    _assertRefused(scripted, planId, abi.encodeWithSelector(IPlanRegistry.RunNotRecorded.selector, planId));
  }

  /// PR-14: a run that nobody has paid for is no run, however much is delivered.
  function test_RevertWhen_TheRunIsNotPaid() public {
    scripted.leavePayment();
    _assertRefused(scripted, planId, abi.encodeWithSelector(IPlanRegistry.RunNotPaid.selector, planId));
  }

  /// PR-12: what was here before the run is nobody's delivery, and stays.
  function testFuzz_WhatTheRegistryHeldBeforeDoesNotCount(uint256 held, uint256 amountOut) public {
    held = bound(held, 1, type(uint104).max);
    amountOut = bound(amountOut, 0, FLOOR - 1);
    coin.mint(address(registry), held);
    scripted.setAmountOut(amountOut);
    _assertRefused(scripted, planId, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, amountOut, FLOOR));
    scripted.setAmountOut(FLOOR);
    assertEq(scripted.run(planId, _go(), ""), FLOOR);
    assertEq(coin.balanceOf(recipient), FLOOR);
    assertEq(coin.balanceOf(address(registry)), held);
  }

  /// PR-12: all that has been sent here since the run opened is delivered, whoever has sent it.
  function testFuzz_DeliversAllThatArrived(uint64 gift, bool beforePayment) public {
    if (beforePayment) {
      scripted.leavePayment();
      scripted.beforeDelivery(address(coin), abi.encodeCall(coin.mint, (address(registry), gift)));
      scripted.beforeDelivery(address(registry), abi.encodeCall(registry.payTo, (address(scripted))));
    } else {
      scripted.beforeDelivery(address(coin), abi.encodeCall(coin.mint, (address(registry), gift)));
    }
    assertEq(scripted.run(planId, _go(), ""), FLOOR + gift);
    assertEq(coin.balanceOf(recipient), FLOOR + gift);
    assertEq(coin.balanceOf(address(registry)), 0);
  }

  function _assertReply(uint256 step, bytes memory reason) private view {
    assertFalse(scripted.reply(step).succeeded);
    assertEq(scripted.reply(step).returned, reason);
  }
}
