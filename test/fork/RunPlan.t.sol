// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {BoundedPrices} from "../../contracts/libraries/BoundedPrices.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {Bsc} from "../../script/Bsc.sol";
import {PlanForkBase} from "../base/PlanForkBase.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

interface IPancakeV3 {
  function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address);
  function createPool(address tokenA, address tokenB, uint24 fee) external returns (address);
  function quoteExactInput(bytes memory path, uint256 amountIn)
    external
    returns (uint256 amountOut, uint160[] memory, uint32[] memory, uint256 gasEstimate);
}

interface IPool {
  function initialize(uint160 sqrtPriceX96) external;
}

interface IRouter {
  struct ExactInputParams {
    bytes path;
    address recipient;
    uint256 deadline;
    uint256 amountIn;
    uint256 amountOutMinimum;
  }

  function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut);
}

/// @notice Plans run on the real PancakeSwap v3, priced by the real Venus oracle and Chainlink feeds.
contract RunPlanForkTest is PlanForkBase {
  IPancakeV3 internal constant FACTORY = IPancakeV3(Bsc.PANCAKE_FACTORY);
  IPancakeV3 internal constant QUOTER = IPancakeV3(Bsc.PANCAKE_QUOTER);

  bytes internal direct = abi.encodePacked(Bsc.USDT, uint24(500), Bsc.BTCB);
  bytes internal overWbnb = abi.encodePacked(Bsc.USDT, uint24(500), Bsc.WBNB, uint24(2500), Bsc.BTCB);

  /// PR-10, PR-11, PR-12, PR-17, SE-4, SE-5
  function test_run_movesBalancesToTheUnit() public {
    _runAndCheck(_create(_terms()), direct);
  }

  /// SE-4
  function test_run_overTwoPools() public {
    _runAndCheck(_create(_terms()), overWbnb);
  }

  /// PR-10, PS-1
  function test_run_pricedByChainlink() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.priceSource = address(bowline.chainlinkPriceSource);

    _runAndCheck(_create(terms), direct);
  }

  /// PS-5, PR-16: the feed repeats the end of its band with a fresh time.
  function test_run_pricedByAPinnedFeed_movesNothing() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.priceSource = address(bowline.chainlinkPriceSource);
    uint256 planId = _create(terms);
    (IAggregatorV3 feed,,, uint8 bandExponent, uint24 bandMin, uint24 bandMax) =
      bowline.chainlinkPriceSource.feedOf(Bsc.BTCB);
    uint256 unit = 10 ** bandExponent;
    _answer(feed, bandMin * unit);

    _refuse(
      planId,
      abi.encodeWithSelector(
        BoundedPrices.PriceSourceFailed.selector,
        address(bowline.chainlinkPriceSource),
        abi.encodeWithSelector(
          ChainlinkPriceSource.AnswerOutOfBand.selector, feed, bandMin * unit, bandMin * unit, bandMax * unit
        )
      )
    );
  }

  /// PS-2, PS-5: each real feed answers inside its band and within its age, and is stale a second after the age.
  function test_prices_ofEveryFeed() public {
    uint256 start = block.timestamp;
    address[5] memory tokens = [Bsc.USDT, Bsc.USDC, Bsc.BTCB, Bsc.ETH, Bsc.WBNB];
    for (uint256 i; i < tokens.length; ++i) {
      bowline.chainlinkPriceSource.prices(tokens[i], tokens[i]);
      (IAggregatorV3 feed, uint32 maxAgeSeconds,,,,) = bowline.chainlinkPriceSource.feedOf(tokens[i]);
      (,,, uint256 updatedAt,) = feed.latestRoundData();
      vm.warp(updatedAt + maxAgeSeconds + 1);
      vm.expectRevert(
        abi.encodeWithSelector(
          ChainlinkPriceSource.AnswerStale.selector, feed, updatedAt, maxAgeSeconds, updatedAt + maxAgeSeconds + 1
        )
      );
      bowline.chainlinkPriceSource.prices(tokens[i], tokens[i]);
      vm.warp(updatedAt + maxAgeSeconds);
      bowline.chainlinkPriceSource.prices(tokens[i], tokens[i]);
      vm.warp(start);
    }
  }

  /// SE-4: in the other direction of the pool.
  function test_run_sellingWbnb() public {
    IPlanRegistry.Terms memory terms = _terms();
    (terms.tokenIn, terms.tokenOut, terms.amountPerRun) = (Bsc.WBNB, Bsc.USDT, 1e18);
    uint256 planId = _create(terms);
    deal(Bsc.WBNB, owner, 1e18);
    vm.prank(owner);
    IERC20(Bsc.WBNB).approve(address(bowline.planRegistry), 1e18);

    vm.prank(operator);
    uint256 amountOut =
      bowline.swapExecutor.execute(planId, 1, _go(), "", abi.encodePacked(Bsc.WBNB, uint24(500), Bsc.USDT));

    assertEq(USDT.balanceOf(owner), BUDGET + amountOut);
    assertEq(IERC20(Bsc.WBNB).balanceOf(owner), 0);
    IPlanRegistry.Run memory run = bowline.planRegistry.runs(planId, 0, 1)[0];
    assertGe(amountOut, run.floor);
    assertEq(run.amountIn, 1e18);
  }

  /// SE-4: the pools that the executor finds are the factory's.
  function test_poolOf_isTheFactorys() public view {
    uint24[4] memory fees = [uint24(100), 500, 2_500, 10_000];
    address[5] memory tokens = [Bsc.USDT, Bsc.USDC, Bsc.BTCB, Bsc.ETH, Bsc.WBNB];
    uint256 found;
    for (uint256 i; i < 5; ++i) {
      for (uint256 j; j < 5; ++j) {
        for (uint256 k; k < 4; ++k) {
          address pool = FACTORY.getPool(tokens[i], tokens[j], fees[k]);
          if (pool == address(0)) continue;
          ++found;
          assertEq(pool, PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, tokens[i], tokens[j], fees[k]));
        }
      }
    }
    assertGe(found, 10);
  }

  /// SE-4: a pool without liquidity takes nothing, and the run reverts.
  function test_run_overADryPool_movesNothing() public {
    uint256 planId = _create(_terms());
    address pool = FACTORY.createPool(Bsc.USDT, Bsc.BTCB, 10_000);
    IPool(pool).initialize(2 ** 96);

    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.PoolTookLess.selector, pool, 0, 100e18));
    vm.prank(operator);
    bowline.swapExecutor.execute(planId, 1, _go(), "", abi.encodePacked(Bsc.USDT, uint24(10_000), Bsc.BTCB));
    _requireUntouched(planId);
  }

  /// PR-5, PR-6
  function test_run_oncePerSlot_andALateRunMovesNoGrid() public {
    IPlanRegistry.Terms memory terms = _terms();
    uint256 planId = _create(terms);
    _keepPricesFresh();
    vm.warp(terms.startAt + terms.windowSeconds - 1);
    _runAndCheck(planId, direct);
    uint256 nextSlot = terms.startAt + terms.periodSeconds;

    vm.warp(nextSlot - 1);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, terms.startAt, nextSlot));
    vm.prank(operator);
    bowline.swapExecutor.execute(planId, 1, _go(), "", direct);

    vm.warp(nextSlot);
    _runAndCheck(planId, direct);
  }

  /// PR-13: somebody has moved the pool.
  function test_run_onMovedPool_movesNothing() public {
    uint256 planId = _create(_terms());
    _buyBtcb(BTCB.balanceOf(FACTORY.getPool(Bsc.USDT, Bsc.BTCB, 500)) / 20);

    _refuse(planId, IPlanRegistry.FloorNotMet.selector);
  }

  /// PR-13: the pool does not move, but the market has moved.
  function test_run_onLaggingPool_movesNothing() public {
    uint256 planId = _create(_terms());
    (, uint256 priceOutWad) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    bytes memory question = abi.encodeWithSignature("getPrice(address)", Bsc.BTCB);
    vm.mockCall(Bsc.RESILIENT_ORACLE, question, abi.encode(priceOutWad * 97 / 100));

    _refuse(planId, IPlanRegistry.FloorNotMet.selector);
  }

  /// PR-16: the oracle refuses one of the two tokens, and its reason is passed on.
  function test_run_withoutPrice_movesNothing() public {
    uint256 planId = _create(_terms());
    bytes memory question = abi.encodeWithSignature("getPrice(address)", Bsc.BTCB);
    vm.mockCallRevert(Bsc.RESILIENT_ORACLE, question, "no price");

    _refuse(
      planId,
      abi.encodeWithSelector(
        BoundedPrices.PriceSourceFailed.selector, address(bowline.venusPriceSource), bytes("no price")
      )
    );
  }

  function _runAndCheck(uint256 planId, bytes memory path) private {
    IPlanRegistry.Plan memory plan = bowline.planRegistry.plan(planId);
    uint256 state = vm.snapshotState();
    (uint256 quoted,,,) = QUOTER.quoteExactInput(path, plan.terms.amountPerRun);
    vm.revertToState(state);
    uint256 usdtBefore = USDT.balanceOf(owner);
    uint256 btcbBefore = BTCB.balanceOf(owner);

    vm.prank(operator);
    uint256 amountOut = bowline.swapExecutor.execute(planId, 1, _go(), "", path);

    assertEq(amountOut, quoted, "delivered what the quoter said");
    assertEq(usdtBefore - USDT.balanceOf(owner), plan.terms.amountPerRun, "owner paid");
    assertEq(BTCB.balanceOf(owner) - btcbBefore, amountOut, "owner received");
    _requireExecutorEmpty();

    uint256 record = plan.state.records;
    IPlanRegistry.Run memory run = bowline.planRegistry.runs(planId, record, record + 1)[0];
    assertEq(run.amountIn, plan.terms.amountPerRun);
    assertEq(run.amountOut, amountOut);
    assertEq(run.time, block.timestamp);
    assertEq(uint256(run.outcome), uint256(IPlanRegistry.Outcome.Executed));
    assertEq(run.slotStart, block.timestamp - (block.timestamp - plan.terms.startAt) % plan.terms.periodSeconds);
    assertEq(run.evidencePrefix, bytes19(_go().evidenceHash));
    (uint256 priceIn, uint256 priceOut) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    assertEq(
      run.floor, Math.mulDiv(run.amountIn * 99, priceIn, priceOut * 100, Math.Rounding.Ceil), "floor: fair less 1 %"
    );
  }

  /// The feed's answer, with the time of this block.
  function _answer(IAggregatorV3 feed, uint256 answer) private {
    vm.mockCall(
      address(feed),
      abi.encodeCall(IAggregatorV3.latestRoundData, ()),
      abi.encode(uint80(1), answer, block.timestamp, block.timestamp, uint80(1))
    );
  }

  function _refuse(uint256 planId, bytes4 reason) private {
    vm.expectPartialRevert(reason);
    _execute(planId);
  }

  function _refuse(uint256 planId, bytes memory reason) private {
    vm.expectRevert(reason);
    _execute(planId);
  }

  function _execute(uint256 planId) private {
    vm.prank(operator);
    bowline.swapExecutor.execute(planId, 1, _go(), "", direct);

    _requireUntouched(planId);
    _requireExecutorEmpty();
  }

  function _requireExecutorEmpty() private view {
    address executor = address(bowline.swapExecutor);
    assertEq(USDT.balanceOf(executor), 0);
    assertEq(BTCB.balanceOf(executor), 0);
    assertEq(IERC20(Bsc.WBNB).balanceOf(executor), 0);
    assertEq(USDT.balanceOf(address(bowline.planRegistry)) + BTCB.balanceOf(address(bowline.planRegistry)), 0);
  }

  /// Time passes in this test, but no feed updates: on the real chain the oracle would refuse its prices as too old.
  function _keepPricesFresh() private {
    (uint256 priceInWad, uint256 priceOutWad) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    vm.mockCall(Bsc.RESILIENT_ORACLE, abi.encodeWithSignature("getPrice(address)", Bsc.USDT), abi.encode(priceInWad));
    vm.mockCall(Bsc.RESILIENT_ORACLE, abi.encodeWithSignature("getPrice(address)", Bsc.BTCB), abi.encode(priceOutWad));
  }

  function _buyBtcb(uint256 roughly) private {
    address whale = makeAddr("whale");
    (, uint256 priceOutWad) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    uint256 amountIn = roughly * priceOutWad / 1e18;
    deal(Bsc.USDT, whale, amountIn);
    vm.startPrank(whale);
    USDT.approve(Bsc.PANCAKE_ROUTER, amountIn);
    IRouter(Bsc.PANCAKE_ROUTER).exactInput(IRouter.ExactInputParams(direct, whale, block.timestamp, amountIn, 0));
    vm.stopPrank();
  }
}
