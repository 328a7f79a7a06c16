// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Bsc} from "../../script/Bsc.sol";
import {PlanForkBase} from "../base/PlanForkBase.sol";
import {MiddleToken} from "../mocks/MiddleToken.sol";
import {IPancakeV3, IPool} from "./RunPlan.t.sol";

interface IPoolLiquidity {
  function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
    external
    returns (uint256 amount0, uint256 amount1);
}

/// @notice A thief holds the operator's key, and routes a plan over three of PancakeSwap's real pools: two of the thief's
/// own token, which anyone may create, and an honest one.
contract HostileRouteForkTest is PlanForkBase {
  uint24 private constant FEE = 500;
  uint128 private constant LIQUIDITY = 1e24;
  MiddleToken private token = new MiddleToken();
  bytes private route;

  function setUp() public override {
    super.setUp();
    (, uint256 bnbWad) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.WBNB);
    _openPool(Bsc.USDT, 1e18);
    _openPool(Bsc.WBNB, bnbWad);
    route = abi.encodePacked(Bsc.USDT, FEE, address(token), FEE, Bsc.WBNB, uint24(2500), Bsc.BTCB);
  }

  /// SE-5, SE-10, PR-13: however the token between the pools behaves, the plan's owner gets the floor or the run is
  /// refused, and nothing of anybody's else stays with the executor.
  function test_attack_aHostileTokenBetweenThePools() public {
    uint256 planId = _create(_terms());
    address executor = address(bowline.swapExecutor);
    token.add(executor, abi.encodeCall(bowline.swapExecutor.pancakeV3SwapCallback, (1, 1, "")));
    token.add(executor, abi.encodeCall(bowline.swapExecutor.pancakeV3SwapCallback, (1, 1, abi.encode(Bsc.WBNB))));
    token.add(executor, abi.encodeCall(bowline.swapExecutor.execute, (planId, 1, _go(), "", route)));
    token.add(address(bowline.planRegistry), abi.encodeCall(IPlanRegistry.payTo, (address(token))));
    token.add(address(bowline.planRegistry), abi.encodeCall(IPlanRegistry.recordRun, (planId)));
    token.add(address(bowline.planRegistry), abi.encodeCall(IPlanRegistry.create, (_terms())));

    bool[6] memory runs = [true, true, true, false, false, false];
    for (uint256 i; i < runs.length; ++i) {
      uint256 snapshot = vm.snapshotState();
      token.behave(MiddleToken.Manner(i), executor);
      assertEq(_run(planId), runs[i], vm.toString(i));
      if (MiddleToken.Manner(i) == MiddleToken.Manner.Call) {
        assertEq(token.attempts(), 12, "once when it arrives, once when it leaves");
        assertEq(token.successes(), 0);
      }
      assertTrue(vm.revertToState(snapshot));
    }
  }

  /// SE-5: the exception. A gift of the token between the pools, in the middle of the swaps, is swapped with the rest: the
  /// owner gets more. What lay here before does not.
  function test_attack_aGiftInTheMiddleOfTheSwapsIsTheOwners() public {
    uint256 planId = _create(_terms());
    token.mint(address(bowline.swapExecutor), 1_000e18);
    uint256 snapshot = vm.snapshotState();
    _run(planId);
    uint256 plain = BTCB.balanceOf(owner);
    assertTrue(vm.revertToState(snapshot));
    token.behave(MiddleToken.Manner.Gift, address(bowline.swapExecutor));
    _run(planId);
    assertApproxEqRel(BTCB.balanceOf(owner), 2 * plain, 1e16);
    assertEq(token.balanceOf(address(bowline.swapExecutor)), 1_000e18);
  }

  /// Runs the plan, and checks what no route may change.
  function _run(uint256 planId) private returns (bool isDone) {
    uint256 before = token.balanceOf(address(bowline.swapExecutor));
    vm.prank(operator);
    (isDone,) =
      address(bowline.swapExecutor).call(abi.encodeCall(bowline.swapExecutor.execute, (planId, 1, _go(), "", route)));
    if (isDone) {
      assertEq(USDT.balanceOf(owner), BUDGET - 100e18);
      assertGe(BTCB.balanceOf(owner), bowline.planRegistry.runs(planId, 0, 1)[0].floor);
    } else {
      _requireUntouched(planId);
    }
    assertEq(token.balanceOf(address(bowline.swapExecutor)), before);
    address[3] memory tokens = [Bsc.USDT, Bsc.WBNB, Bsc.BTCB];
    for (uint256 i; i < 3; ++i) {
      assertEq(IERC20(tokens[i]).balanceOf(address(bowline.swapExecutor)), 0);
      assertEq(IERC20(tokens[i]).balanceOf(address(bowline.planRegistry)), 0);
    }
  }

  /// @param priceWad What one of the other token costs in the thief's, which is worth a dollar.
  function _openPool(address other, uint256 priceWad) private {
    address pool = IPancakeV3(Bsc.PANCAKE_FACTORY).createPool(other, address(token), FEE);
    (uint256 over, uint256 under) = (priceWad, 1e18);
    if (other > address(token)) (over, under) = (under, over);
    IPool(pool).initialize(uint160(Math.sqrt(Math.mulDiv(over, 1 << 192, under))));
    IPoolLiquidity(pool).mint(address(this), -887_270, 887_270, LIQUIDITY, abi.encode(other));
  }

  function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
    address other = abi.decode(data, (address));
    (uint256 ofOther, uint256 ofToken) = other < address(token) ? (amount0, amount1) : (amount1, amount0);
    deal(other, address(this), ofOther);
    IERC20(other).transfer(msg.sender, ofOther);
    token.mint(msg.sender, ofToken);
  }
}
