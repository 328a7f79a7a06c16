// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {SwapBase} from "../../base/SwapBase.sol";

contract SwapExecutorAcceptOperatorTest is SwapBase {
  address private next = makeAddr("next");

  function setUp() public override {
    super.setUp();
    vm.prank(rotator);
    swapper.proposeOperator(next);
  }

  /// SE-6, SE-1
  function test_HandsOver() public {
    vm.expectEmit(address(swapper));
    emit ISwapExecutor.OperatorChanged(operator, next);
    vm.prank(next);
    swapper.acceptOperator();
    assertEq(swapper.operator(), next);
    assertEq(swapper.proposedOperator(), address(0));
    assertEq(swapper.rotator(), rotator);

    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotOperator.selector, operator));
    _execute(planId, _path());
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    vm.prank(next);
    assertEq(swapper.execute(planId, 1, ticket, "", _path()), FLOOR);
  }

  /// SE-6: one proposal, one handover.
  function test_RevertWhen_AcceptedAlready() public {
    vm.startPrank(next);
    swapper.acceptOperator();
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotProposed.selector, next));
    swapper.acceptOperator();
  }

  /// SE-6
  function testFuzz_RevertWhen_CallerIsNotProposed(address caller) public {
    vm.assume(caller != next);
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotProposed.selector, caller));
    vm.prank(caller);
    swapper.acceptOperator();
    assertEq(swapper.operator(), operator);
  }
}
