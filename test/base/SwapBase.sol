// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {MockV3Router} from "../mocks/MockV3Router.sol";
import {PlanBase} from "./PlanBase.sol";
import {Product} from "./Product.sol";

/// The base plan with a SwapExecutor, over a router that pays the floor. Fork tests cover the real router.
abstract contract SwapBase is PlanBase {
  MockV3Router internal router;
  SwapExecutor internal swapper;
  address internal operator = makeAddr("operator");
  address internal rotator = makeAddr("rotator");
  uint256 internal planId;

  function setUp() public virtual override {
    super.setUp();
    router = new MockV3Router();
    router.setAmountOut(FLOOR);
    coin.mint(address(router), 1_000e8);
    swapper = Product.swapExecutor(registry, router, operator, rotator);
    planId = _create(_swapTerms());
  }

  function _swapTerms() internal view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    terms.executor = address(swapper);
  }

  function _path(address tokenIn, address tokenOut) internal pure returns (bytes memory) {
    return abi.encodePacked(tokenIn, uint24(500), tokenOut);
  }

  function _path() internal view returns (bytes memory) {
    return _path(address(usd), address(coin));
  }

  function _execute(uint256 planId_, bytes memory path) internal returns (uint256 amountOut) {
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    vm.prank(operator);
    return swapper.execute(planId_, 1, ticket, "", path);
  }

  /// Executes and requires a revert with exactly this reason that changes nothing.
  function _assertNotExecuted(uint256 planId_, bytes memory path, bytes memory reason) internal {
    bytes memory before = _picture(planId_);
    vm.expectRevert(reason);
    _execute(planId_, path);
    assertEq(_picture(planId_), before, "a refused run has changed something");
  }
}
