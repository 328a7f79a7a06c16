// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SwapBase} from "../base/SwapBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {Tally} from "./Tally.sol";
import {HostilePool} from "./swaps/HostilePool.sol";
import {SwapHandler} from "./swaps/SwapHandler.sol";

/// SwapExecutor's invariants whatever an attacker with the operator's key does.
contract SwapInvariants is SwapBase, Tally {
  SwapHandler private handler;

  function setUp() public override {
    super.setUp();
    vm.prank(owner);
    registry.cancel(planId);
    MockERC20 between = new MockERC20("BETWEEN", 18);
    HostilePool[3] memory pools = [
      _hostilePool(address(usd), address(coin)),
      _hostilePool(address(usd), address(between)),
      _hostilePool(address(between), address(coin))
    ];
    between.mint(address(pools[1]), 1e36);
    coin.mint(address(pools[0]), 1e30);
    coin.mint(address(pools[2]), 1e30);
    handler = new SwapHandler(registry, swapper, pools, source, usd, coin, between);
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

  /// After every tenth call. The handler, which knows the state before, checks PR-11, SE-9, SE-1, IN-33.
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    _theExecutorKeepsNothing();
    _theOperatorIsWhoWasProposedAndAccepted();
  }

  /// SE-5: except donations, which the registry keeps too; and the executor has no open allowances.
  function _theExecutorKeepsNothing() private view {
    assertEq(usd.balanceOf(address(swapper)), handler.usdGifts());
    assertEq(coin.balanceOf(address(swapper)), handler.coinGifts());
    assertEq(handler.between().balanceOf(address(swapper)), 0);
    assertEq(usd.allowance(address(swapper), address(pool)), 0);
    assertEq(coin.allowance(address(swapper), address(registry)), 0);
    assertEq(usd.balanceOf(address(registry)), 0);
    assertEq(coin.balanceOf(address(registry)), handler.registryGifts());
  }

  /// SE-1
  function _theOperatorIsWhoWasProposedAndAccepted() private view {
    assertEq(swapper.operator(), handler.operator());
    assertEq(swapper.proposedOperator(), handler.proposed());
    assertEq(swapper.rotator(), rotator);
    assertTrue(swapper.operator() != rotator);
  }

  function afterInvariant() public {
    invariant_All();
    _tally("swaps", handler);
    _requireDone(handler, "run", 20, 10);
  }

  function _hostilePool(address tokenA, address tokenB) private returns (HostilePool) {
    return HostilePool(address(_placePool(new HostilePool(), tokenA, tokenB, FEE)));
  }
}
