// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SwapExecutor} from "../../../contracts/SwapExecutor.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {SwapBase} from "../../base/SwapBase.sol";

contract SwapExecutorConstructorTest is SwapBase {
  /// SE-6
  function test_KnowsWhoMayDoWhat() public {
    vm.expectEmit();
    emit ISwapExecutor.OperatorChanged(address(0), operator);
    SwapExecutor fresh = new SwapExecutor(registry, router, operator, rotator);
    assertEq(address(fresh.registry()), address(registry));
    assertEq(address(fresh.router()), address(router));
    assertEq(fresh.operator(), operator);
    assertEq(fresh.rotator(), rotator);
    assertEq(fresh.proposedOperator(), address(0));
  }
}
