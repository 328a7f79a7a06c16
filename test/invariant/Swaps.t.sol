// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SwapBase} from "../base/SwapBase.sol";
import {SwapHandler} from "./SwapHandler.sol";

/// SwapExecutor's invariants whatever an attacker with the operator's key does.
contract SwapInvariants is SwapBase {
  SwapHandler private handler;

  function setUp() public override {
    super.setUp();
    coin.mint(address(router), 1e30);
    // Then only the registry enforces the floor.
    router.ignoreMinimum();
    vm.prank(owner);
    registry.cancel(planId);
    handler = new SwapHandler(registry, swapper, router, source, usd, coin);
    targetContract(address(handler));
    bytes4[] memory selectors = new bytes4[](8);
    selectors[0] = SwapHandler.executeBatch.selector;
    selectors[1] = SwapHandler.execute.selector;
    selectors[2] = SwapHandler.pass.selector;
    selectors[3] = SwapHandler.intrude.selector;
    selectors[4] = SwapHandler.give.selector;
    selectors[5] = SwapHandler.rotate.selector;
    selectors[6] = SwapHandler.pause.selector;
    selectors[7] = SwapHandler.pass.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
  }

  /// After every tenth call. The handler, which knows the state before, checks IN-23, IN-24 and IN-26.
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    _theExecutorKeepsNothing();
    _theOperatorIsWhoWasProposedAndAccepted();
  }

  /// IN-22: except donations; and it has no open allowances.
  function _theExecutorKeepsNothing() private view {
    assertEq(usd.balanceOf(address(swapper)), handler.usdGifts());
    assertEq(coin.balanceOf(address(swapper)), handler.coinGifts());
    assertEq(usd.allowance(address(swapper), address(router)), 0);
    assertEq(coin.allowance(address(swapper), address(registry)), 0);
    assertEq(usd.balanceOf(address(registry)) + coin.balanceOf(address(registry)), 0);
  }

  /// IN-25
  function _theOperatorIsWhoWasProposedAndAccepted() private view {
    assertEq(swapper.operator(), handler.operator());
    assertEq(swapper.proposedOperator(), handler.proposed());
    assertEq(swapper.rotator(), rotator);
    assertTrue(swapper.operator() != rotator);
  }

  /// A campaign without runs would prove nothing.
  function test_TheHandlerReachesWhatItIsAbout() public {
    for (uint256 i; i < 100; ++i) {
      uint256 seed = uint256(keccak256(abi.encode(i)));
      handler.executeBatch(seed, seed / 7, seed);
      handler.execute(seed / 3, seed / 5);
      handler.pass(seed);
      handler.rotate(seed);
    }
    assertEq(handler.broken(), "");
    assertGt(handler.runsDone(), 50);
    assertGt(handler.failedInBatch(), 50);
    assertGt(handler.batchesReverted(), 5);
  }
}
