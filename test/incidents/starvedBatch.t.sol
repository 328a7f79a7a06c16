// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {BatchCall} from "../../contracts/libraries/BatchCall.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: each run gets whatever gas is left, and a run out of gas counts as refused.
contract StarvedBatchTwin is SmallExecutor {
  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_)
    SmallExecutor(registry_, poolDeployer_, operator_, rotator_)
  {}

  function executeBatch(ISwapExecutor.Order[] calldata orders, uint256)
    external
    returns (ISwapExecutor.Result[] memory results)
  {
    require(msg.sender == operator, "operator");
    results = new ISwapExecutor.Result[](orders.length);
    for (uint256 i; i < orders.length; ++i) {
      ISwapExecutor.Order calldata o = orders[i];
      try registry.pullFunds(o.planId, o.expectedVersion, o.ticket, o.signature, o.path) returns (uint256 amountOut) {
        (results[i].isExecuted, results[i].amountOut) = (true, amountOut);
      } catch {}
    }
  }
}

/// Whoever submits the operator's batch chooses its gas: enough for two runs and the end of the batch, which runs on
/// the 1/64 that every call keeps back, but not for the third run.
contract StarvedBatchTest is SwapIncidentBase {
  bool private isStarved;

  /// The order within a batch depends on the block; in this block it is as given.
  function setUp() public override {
    super.setUp();
    vm.roll(3);
    _create(_swapTerms());
    _create(_swapTerms());
  }

  function attack() external override {
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](3);
    for (uint256 i; i < 3; ++i) {
      orders[i] = ISwapExecutor.Order(planId + i, 1, _unsigned(_go()), "", _path());
    }
    uint256 start = vm.snapshotState();
    for (uint256 gasLimit = 300_000; gasLimit < 3_000_000 && !isStarved; gasLimit += 20_000) {
      vm.revertToState(start);
      vm.prank(operator);
      try swapper.executeBatch{gas: gasLimit}(orders, 0) returns (ISwapExecutor.Result[] memory results) {
        isStarved = results[0].isExecuted && results[1].isExecuted && !results[2].isExecuted;
      } catch {}
    }
    vm.warp(START + WINDOW);
  }

  /// IT-1: the third plan misses the day's purchase, in a batch that succeeded.
  function test_TheTwinsLastPlanMissesItsSlot() public {
    _moveTo(address(new StarvedBatchTwin(registry, POOL_DEPLOYER, operator, rotator)));
    _create(_swapTerms());
    _create(_swapTerms());
    this.attack();
    assertTrue(isStarved);
    assertEq(usd.balanceOf(owner), FUNDS - 2 * AMOUNT);
    assertEq(coin.balanceOf(recipient), 2 * FLOOR);
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SlotClosed.selector, START + WINDOW, START + WINDOW));
    vm.prank(operator);
    swapper.execute(planId + 2, 1, ticket, "", _path());
  }

  /// IT-1, SE-9: no gas limit causes this. At the maximum, all three have run.
  function test_OursRunsAllOrNone() public {
    this.attack();
    assertFalse(isStarved);
    assertEq(usd.balanceOf(owner), FUNDS - 3 * AMOUNT);
    assertEq(coin.balanceOf(recipient), 3 * FLOOR);
  }

  /// IT-1, SE-9
  function test_RevertWhen_TheGasIsBelowOneBudget() public {
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](1);
    orders[0] = ISwapExecutor.Order(planId, 1, _unsigned(_go()), "", _path());
    vm.expectPartialRevert(BatchCall.GasTooLow.selector);
    vm.prank(operator);
    swapper.executeBatch{gas: 700_000}(orders, 0);
  }
}
