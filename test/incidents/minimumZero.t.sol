// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IPancakeV3Router} from "../../contracts/interfaces/IPancakeV3Router.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// A pool of constant product without a fee, behind the router's entry.
contract ProductPool is IPancakeV3Router {
  using SafeERC20 for IERC20;

  function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut) {
    IERC20 tokenIn = IERC20(address(bytes20(params.path[:20])));
    IERC20 tokenOut = IERC20(address(bytes20(params.path[23:43])));
    uint256 reserveIn = tokenIn.balanceOf(address(this));
    amountOut = tokenOut.balanceOf(address(this)) * params.amountIn / (reserveIn + params.amountIn);
    require(amountOut >= params.amountOutMinimum, "Too little received");
    tokenIn.safeTransferFrom(msg.sender, address(this), params.amountIn);
    tokenOut.safeTransfer(params.recipient, amountOut);
  }
}

/// The mistake: a run may bring as little as it likes.
contract MinimumZeroTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _floorOf(IPlanRegistry.Terms memory) internal pure override returns (uint256) {
    return 0;
  }
}

/// The stranger buys half of the pool ahead of a run of 100 USD and sells it again right after.
contract MinimumZeroTest is IncidentBase {
  uint256 private constant STAKE = 600_000e18;
  ProductPool private pool;
  SwapExecutor private swapper;
  address private operator = makeAddr("operator");
  bytes private refusal;

  /// 10 coins at 60,000 USD each.
  function setUp() public override {
    super.setUp();
    pool = new ProductPool();
    usd.mint(address(pool), 600_000e18);
    coin.mint(address(pool), 10e8);
    usd.mint(stranger, STAKE);
    vm.startPrank(stranger);
    usd.approve(address(pool), type(uint256).max);
    coin.approve(address(pool), type(uint256).max);
    vm.stopPrank();
  }

  /// A run that is refused leaves the stranger's own trades as they are.
  function attack() external override {
    swapper = new SwapExecutor(registry, pool, operator, makeAddr("rotator"));
    IPlanRegistry.Terms memory terms = _terms();
    terms.executor = address(swapper);
    uint256 planId = _create(terms);

    _trade(address(usd), address(coin), STAKE);
    vm.prank(operator);
    try swapper.execute(planId, 1, _unsigned(_go()), "", _path(address(usd), address(coin))) {}
    catch (bytes memory reason) {
      refusal = reason;
    }
    _trade(address(coin), address(usd), coin.balanceOf(stranger));
  }

  /// IT-4: three quarters of what the owner pays; 166,638 units would have been had without the stranger.
  function test_TheTwinsOwnerLosesThreeQuarters() public {
    _moveTo(address(new MinimumZeroTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(coin.balanceOf(recipient), 41_663);
    assertEq(usd.balanceOf(stranger) - STAKE, 75_000_924_763_528_422_884);
    assertEq(coin.balanceOf(stranger), 0);
  }

  /// IT-4, PR-10, SE-4: the run is refused, and the stranger has traded for nothing.
  function test_OnOursTheStrangerTakesNothing() public {
    this.attack();
    assertEq(refusal, abi.encodeWithSignature("Error(string)", "Too little received"));
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(recipient), 0);
    assertEq(usd.balanceOf(stranger), STAKE);
    assertEq(coin.balanceOf(stranger), 0);
  }

  function _trade(address tokenIn, address tokenOut, uint256 amountIn) private {
    vm.prank(stranger);
    pool.exactInput(
      IPancakeV3Router.ExactInputParams({
        path: _path(tokenIn, tokenOut),
        recipient: stranger,
        deadline: block.timestamp,
        amountIn: amountIn,
        amountOutMinimum: 0
      })
    );
  }

  function _path(address tokenIn, address tokenOut) private pure returns (bytes memory) {
    return abi.encodePacked(tokenIn, uint24(500), tokenOut);
  }
}
