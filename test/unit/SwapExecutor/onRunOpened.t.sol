// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../../contracts/PlanRegistry.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {Product} from "../../base/Product.sol";
import {SwapBase} from "../../base/SwapBase.sol";

contract SwapExecutorOnRunOpenedTest is SwapBase {
  /// SE-1: any other caller could have it swap, and pay out, tokens that somebody left here.
  function testFuzz_RevertWhen_CallerIsNotTheRegistry(address caller) public {
    vm.assume(caller != address(registry));
    usd.mint(address(swapper), AMOUNT);
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotRegistry.selector, caller));
    vm.prank(caller);
    swapper.onRunOpened(IPlanRegistry.OpenRun(planId, address(usd), address(coin), AMOUNT, 0), _path());
    assertEq(usd.balanceOf(address(swapper)), AMOUNT);
  }

  /// SE-1: the operator cannot call it either.
  function test_RevertWhen_CallerIsTheOperator() public {
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotRegistry.selector, operator));
    vm.prank(operator);
    swapper.onRunOpened(IPlanRegistry.OpenRun(planId, address(usd), address(coin), AMOUNT, 0), _path());
  }

  /// SE-1: nor can another registry, even one whose plans name this executor.
  function test_RevertWhen_CallerIsAnotherRegistry() public {
    address[] memory sources = new address[](1);
    sources[0] = address(source);
    PlanRegistry other = Product.planRegistry(revocations, loanGuard, sources);
    vm.startPrank(owner);
    uint256 id = other.create(_swapTerms());
    usd.approve(address(other), AMOUNT);
    vm.stopPrank();
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotRegistry.selector, other));
    vm.prank(address(swapper));
    other.pullFunds(id, 1, _unsigned(_go()), "", _path());
    assertEq(usd.balanceOf(owner), FUNDS);
  }
}
