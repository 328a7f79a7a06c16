// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockV3Pool} from "../mocks/MockV3Pool.sol";
import {PlanBase} from "./PlanBase.sol";
import {Product} from "./Product.sol";

/// The base plan with a SwapExecutor, over a pool that pays the floor. Fork tests cover the real pools.
abstract contract SwapBase is PlanBase {
  uint24 internal constant FEE = 500;
  address internal immutable POOL_DEPLOYER = makeAddr("pool deployer");

  MockV3Pool internal pool;
  SwapExecutor internal swapper;
  address internal operator = makeAddr("operator");
  address internal rotator = makeAddr("rotator");
  uint256 internal planId;

  function setUp() public virtual override {
    super.setUp();
    pool = _newPool(address(usd), address(coin));
    coin.mint(address(pool), 1_000e8);
    swapper = Product.swapExecutor(registry, POOL_DEPLOYER, operator, rotator);
    planId = _create(_swapTerms());
  }

  /// A pool where the executor looks for one, which pays the floor.
  function _newPool(address tokenA, address tokenB) internal returns (MockV3Pool) {
    return _placePool(new MockV3Pool(), tokenA, tokenB, FEE);
  }

  function _placePool(MockV3Pool made, address tokenA, address tokenB, uint24 fee)
    internal
    returns (MockV3Pool placed)
  {
    placed = MockV3Pool(PancakePools.poolOf(POOL_DEPLOYER, tokenA, tokenB, fee));
    vm.etch(address(placed), address(made).code);
    placed.initialize(tokenA, tokenB);
    placed.setAmountOut(FLOOR);
  }

  /// A pool of any token with the dollar, with a stock of the token.
  function _stockedPool(MockERC20 token) internal returns (MockV3Pool made) {
    made = _newPool(address(usd), address(token));
    token.mint(address(made), 1_000e8);
  }

  function _swapTerms() internal view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    terms.executor = address(swapper);
  }

  function _path(address tokenIn, address tokenOut) internal pure returns (bytes memory) {
    return abi.encodePacked(tokenIn, FEE, tokenOut);
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
