// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SwapExecutor} from "../../../contracts/SwapExecutor.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {Product} from "../../base/Product.sol";
import {SwapBase} from "../../base/SwapBase.sol";

contract SwapExecutorConstructorTest is SwapBase {
  /// SE-6
  function test_KnowsWhoMayDoWhat() public {
    vm.expectEmit();
    emit ISwapExecutor.OperatorChanged(address(0), operator);
    SwapExecutor fresh = Product.swapExecutor(registry, POOL_DEPLOYER, operator, rotator);
    assertEq(address(fresh.registry()), address(registry));
    assertEq(fresh.poolDeployer(), POOL_DEPLOYER);
    assertEq(fresh.operator(), operator);
    assertEq(fresh.rotator(), rotator);
    assertEq(fresh.proposedOperator(), address(0));
  }

  /// SE-6
  function test_RevertWhen_AKeyIsNobodysOrBothAreOne() public {
    address[2][3] memory pairs = [[address(0), rotator], [operator, address(0)], [operator, operator]];
    for (uint256 i; i < pairs.length; ++i) {
      vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.OperatorRefused.selector, pairs[i][0], pairs[i][1]));
      Product.swapExecutor(registry, POOL_DEPLOYER, pairs[i][0], pairs[i][1]);
    }
  }

  /// SE-6
  function test_RevertWhen_TheRotatorProposesItself() public {
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.OperatorRefused.selector, rotator, rotator));
    vm.prank(rotator);
    swapper.proposeOperator(rotator);
  }
}
