// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IPriceSource} from "../../contracts/interfaces/IPriceSource.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {Bsc} from "../../script/Bsc.sol";
import {PlanForkBase} from "../base/PlanForkBase.sol";
import {Product} from "../base/Product.sol";
import {MiddleToken} from "../mocks/MiddleToken.sol";
import {IPoolLiquidity} from "./HostileRoute.t.sol";
import {IPancakeV3, IPool} from "./RunPlan.t.sol";

interface IPoolFlash {
  function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// The mistake: the price is what the pool holds of one token for what it holds of the other. During a flash loan, and
/// between a swap's output and its input, that is no price.
contract PoolBalanceSource is IPriceSource {
  address private immutable pool;

  constructor(address pool_) {
    pool = pool_;
  }

  function prices(address tokenIn, address tokenOut) external view returns (uint256, uint256) {
    return (1e18, Math.mulDiv(IERC20(tokenIn).balanceOf(pool), 1e18, IERC20(tokenOut).balanceOf(pool)));
  }
}

/// @notice Read-only reentrancy at PancakeSwap's real pools. A thief holds the operator's key and is the only one with
/// liquidity in a second pool of USDT and BTCB, at nine and a half times the price. Inside a flash loan of nine tenths of
/// the first pool's BTCB, the thief runs a plan of 100,000 USDT through the second.
contract PoolReentrancyForkTest is PlanForkBase {
  uint24 private constant THIEFS_FEE = 10_000;
  uint104 private constant AMOUNT = 100_000e18;
  address private immutable pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, Bsc.USDT, Bsc.BTCB, 500);

  PlanRegistry private registry;
  SwapExecutor private executor;
  address private thiefsPool;
  uint256 private planId;
  uint256 private priceWad;
  uint256 private flashFee;
  uint24 private fee = THIEFS_FEE;
  bool private isLooking;
  bytes private before;
  /// In the middle of the thief's own route.
  address private token;

  function setUp() public override {
    super.setUp();
    deal(Bsc.USDT, owner, AMOUNT);
    (, priceWad) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    thiefsPool = _openPool(Bsc.USDT, Bsc.BTCB, THIEFS_FEE, priceWad * 95 / 10);
    _moveTo(bowline.planRegistry, bowline.swapExecutor, address(bowline.venusPriceSource));
  }

  function attack() external {
    uint256 amount = BTCB.balanceOf(pool) * 9 / 10;
    (uint256 amount0, uint256 amount1) = Bsc.USDT < Bsc.BTCB ? (uint256(0), amount) : (amount, uint256(0));
    IPoolFlash(pool).flash(address(this), amount0, amount1, abi.encode(amount));
  }

  function pancakeV3FlashCallback(uint256 fee0, uint256 fee1, bytes calldata data) external {
    if (isLooking) _look();
    else _run();
    flashFee = fee0 + fee1;
    uint256 owed = abi.decode(data, (uint256)) + flashFee;
    deal(Bsc.BTCB, address(this), owed);
    BTCB.transfer(msg.sender, owed);
  }

  /// IT-1: the owner pays 100,000 USDT for less than 11,000's worth, and the thief keeps the rest less the flash loan's
  /// fee.
  function test_TheTwinsOwnerIsRobbed() public {
    address[] memory sources = new address[](1);
    sources[0] = address(new PoolBalanceSource(pool));
    PlanRegistry twin = Product.planRegistry(bowline.revocations, address(bowline.loanGuard), sources);
    SwapExecutor twins = Product.swapExecutor(twin, Bsc.PANCAKE_POOL_DEPLOYER, operator, makeAddr("rotator"));
    _moveTo(twin, twins, sources[0]);
    (uint256 usdtBefore, uint256 btcbBefore) = (USDT.balanceOf(thiefsPool), BTCB.balanceOf(thiefsPool));
    this.attack();
    uint256 received = BTCB.balanceOf(owner);
    assertEq(USDT.balanceOf(owner), 0);
    assertEq(USDT.balanceOf(thiefsPool) - usdtBefore, AMOUNT);
    assertEq(btcbBefore - BTCB.balanceOf(thiefsPool), received);
    assertGt(received, 0);
    uint256 worth = received * priceWad / 1e18;
    assertLt(worth, AMOUNT * 11 / 100);
    uint256 cost = flashFee * priceWad / 1e18;
    assertGt(AMOUNT - worth, cost, "the attack pays");
    emit log_named_decimal_uint("the owner loses, USD", AMOUNT - worth, 18);
    emit log_named_decimal_uint("the thief gains, USD", AMOUNT - worth - cost, 18);
  }

  /// IT-1, PR-10: neither of the deployment's sources reads a pool.
  function test_RevertWhen_TriedOnOurs() public {
    vm.expectPartialRevert(IPlanRegistry.FloorNotMet.selector);
    this.attack();
    _moveTo(bowline.planRegistry, bowline.swapExecutor, address(bowline.chainlinkPriceSource));
    vm.expectPartialRevert(IPlanRegistry.FloorNotMet.selector);
    this.attack();
    assertEq(USDT.balanceOf(owner), AMOUNT);
    assertEq(BTCB.balanceOf(owner), 0);
  }

  /// IT-1: a run at the honest pool in the middle of its flash loan is refused by the pool's own lock.
  function test_RevertWhen_TheLentPoolIsAsked() public {
    fee = 500;
    vm.expectRevert(bytes("LOK"));
    this.attack();
    assertEq(USDT.balanceOf(owner), AMOUNT);
  }

  /// IT-1: in the middle of the flash loan, what Bowline reads and what it tells is as before.
  function test_OursReadsTheSameInTheMiddle() public {
    isLooking = true;
    before = _reading();
    this.attack();
    assertGt(flashFee, 0);
  }

  /// IT-1, PR-5, PR-15, PR-17: in the middle of a run a thief's token reads the registry. The slot is taken already. The
  /// run's record has no time and no amounts yet, and nobody is told it; nothing else may run.
  function test_OursTellsNoRecordBeforeItsDelivery() public {
    MiddleToken middle = new MiddleToken();
    token = address(middle);
    _openThiefsPool(Bsc.USDT, 1e18);
    _openThiefsPool(Bsc.BTCB, priceWad);
    middle.behave(MiddleToken.Manner.Call, address(executor));
    middle.add(address(this), abi.encodeCall(this.lookIntoTheRun, ()));
    vm.prank(operator);
    executor.execute(planId, 1, _go(), "", abi.encodePacked(Bsc.USDT, uint24(500), token, uint24(500), Bsc.BTCB));
    assertEq(middle.successes(), 2, "when it arrives, and when it leaves");
    assertEq(registry.plan(planId).state.runs, 1);
    assertGt(BTCB.balanceOf(owner), 0);
  }

  function lookIntoTheRun() external {
    IPlanRegistry.State memory state = registry.plan(planId).state;
    assertGt(state.cursor, block.timestamp);
    assertEq(BTCB.balanceOf(owner), 0);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RunOpen.selector, planId));
    registry.runs(planId, 0, 1);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RunOpen.selector, planId));
    registry.pullFunds(planId, 1, _go(), "", "");
  }

  function _look() private view {
    assertLt(BTCB.balanceOf(pool) * 9, BTCB.balanceOf(address(this)) + 10, "the pool is nearly empty");
    assertEq(_reading(), before);
  }

  /// Both sources' prices, and the plan.
  function _reading() private view returns (bytes memory) {
    (uint256 venusIn, uint256 venusOut) = bowline.venusPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    (uint256 chainlinkIn, uint256 chainlinkOut) = bowline.chainlinkPriceSource.prices(Bsc.USDT, Bsc.BTCB);
    return abi.encode(venusIn, venusOut, chainlinkIn, chainlinkOut, registry.plan(planId));
  }

  function _run() private {
    bytes memory path = abi.encodePacked(Bsc.USDT, fee, Bsc.BTCB);
    vm.prank(operator);
    executor.execute(planId, 1, _go(), "", path);
  }

  function _moveTo(PlanRegistry registry_, SwapExecutor executor_, address source) private {
    (registry, executor) = (registry_, executor_);
    IPlanRegistry.Terms memory terms = _terms();
    (terms.executor, terms.priceSource, terms.amountPerRun) = (address(executor), source, AMOUNT);
    vm.startPrank(owner);
    USDT.approve(address(registry), AMOUNT);
    planId = registry.create(terms);
    vm.stopPrank();
  }

  function _openThiefsPool(address other, uint256 otherWad) private {
    _openPool(token, other, 500, otherWad);
  }

  /// With all liquidity the thief's.
  /// @param bWad What one of `b` costs in `a`.
  function _openPool(address a, address b, uint24 tier, uint256 bWad) private returns (address opened) {
    opened = IPancakeV3(Bsc.PANCAKE_FACTORY).createPool(a, b, tier);
    (uint256 over, uint256 under) = a < b ? (uint256(1e18), bWad) : (bWad, uint256(1e18));
    IPool(opened).initialize(uint160(Math.sqrt(Math.mulDiv(over, 1 << 192, under))));
    IPoolLiquidity(opened).mint(address(this), -887_200, 887_200, 1e27, a < b ? abi.encode(a, b) : abi.encode(b, a));
  }

  function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
    (address token0, address token1) = abi.decode(data, (address, address));
    deal(token0, address(this), amount0);
    deal(token1, address(this), amount1);
    IERC20(token0).transfer(msg.sender, amount0);
    IERC20(token1).transfer(msg.sender, amount1);
  }
}
