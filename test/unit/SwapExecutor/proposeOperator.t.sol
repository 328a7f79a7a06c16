// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {SwapBase} from "../../base/SwapBase.sol";

contract SwapExecutorProposeOperatorTest is SwapBase {
  /// SE-6: a proposal alone changes no rights.
  function test_NamesTheNextOperatorAndNoMore() public {
    vm.expectEmit(address(swapper));
    emit ISwapExecutor.OperatorProposed(stranger);
    vm.prank(rotator);
    swapper.proposeOperator(stranger);
    assertEq(swapper.proposedOperator(), stranger);
    assertEq(swapper.operator(), operator);

    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotOperator.selector, stranger));
    vm.prank(stranger);
    swapper.execute(planId, 1, ticket, "", _path());
    _execute(planId, _path());
  }

  /// SE-6: the latest proposal counts, and zero withdraws it.
  function test_ReplacesTheProposalBefore() public {
    vm.startPrank(rotator);
    swapper.proposeOperator(stranger);
    swapper.proposeOperator(address(0));
    vm.stopPrank();
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotProposed.selector, stranger));
    vm.prank(stranger);
    swapper.acceptOperator();
  }

  /// SE-6
  function testFuzz_RevertWhen_CallerIsNotTheRotator(address caller) public {
    vm.assume(caller != rotator);
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotRotator.selector, caller));
    vm.prank(caller);
    swapper.proposeOperator(caller);
  }

  /// SE-6
  function test_RevertWhen_CallerIsTheOperator() public {
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotRotator.selector, operator));
    vm.prank(operator);
    swapper.proposeOperator(operator);
  }

  /// SE-6
  function test_TheRotatorCanDoNothingElse() public {
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    vm.startPrank(rotator);
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotOperator.selector, rotator));
    swapper.execute(planId, 1, ticket, "", _path());
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotOperator.selector, rotator));
    swapper.defer(planId, 1, 1, _unsigned(_go()), "");
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotProposed.selector, rotator));
    swapper.acceptOperator();
  }

  /// SE-6: these are all the entry points.
  function test_HasTheseEntriesAndNoOther() public view {
    string[14] memory expected = [
      "GAS_PER_RUN()",
      "acceptOperator()",
      "defer(uint256,uint256,uint16,(address,address,uint8,uint256,uint256,uint64,uint64,bytes32),bytes)",
      "execute(uint256,uint256,(address,address,uint8,uint256,uint256,uint64,uint64,bytes32),bytes,bytes)",
      "executeBatch((uint256,uint256,(address,address,uint8,uint256,uint256,uint64,uint64,bytes32),bytes,bytes)[],uint256)",
      "gasLimitOf(uint256,uint256)",
      "onRunOpened((uint256,address,address,uint256,uint256),bytes)",
      "operator()",
      "pancakeV3SwapCallback(int256,int256,bytes)",
      "poolDeployer()",
      "proposeOperator(address)",
      "proposedOperator()",
      "registry()",
      "rotator()"
    ];
    string[] memory entries =
      vm.parseJsonKeys(vm.readFile("out/SwapExecutor.sol/SwapExecutor.json"), ".methodIdentifiers");
    assertEq(entries.length, expected.length);
    for (uint256 i; i < expected.length; ++i) {
      assertEq(entries[i], expected[i]);
    }
  }
}
