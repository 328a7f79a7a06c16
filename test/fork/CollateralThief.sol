// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

import {CollateralGuard} from "../../contracts/CollateralGuard.sol";
import {ICollateralGuard} from "../../contracts/interfaces/ICollateralGuard.sol";
import {IPancakeV3Pool, IPancakeV3SwapCallback} from "../../contracts/interfaces/IPancakeV3Pool.sol";
import {IResilientOracle, IVToken, IVTokenDeposit, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {Bsc} from "../../script/Bsc.sol";
import {Contracts} from "../../script/Contracts.sol";
import {Product} from "../base/Product.sol";
import {IVenusUser} from "./RescueVenus.t.sol";

interface IPancakeFactory {
  function createPool(address tokenA, address tokenB, uint24 fee) external returns (address);
}

interface IPancakeLiquidity {
  function initialize(uint160 sqrtPriceX96) external;
  function mint(address to, int24 low, int24 high, uint128 liquidity, bytes calldata data)
    external
    returns (uint256, uint256);
  function burn(int24 low, int24 high, uint128 liquidity) external returns (uint256, uint256);
  function collect(address to, int24 low, int24 high, uint128 most0, uint128 most1) external returns (uint128, uint128);
}

/// Holds the keeper's key of a borrower's guard that sells ETH for USDT and leaves the route to the keeper. It trades before
/// the rescue and back after it, opens a pool of its own at any price, gives tokens away, and chooses the time.
contract CollateralThief is Test, IPancakeV3SwapCallback {
  IVenusComptroller private constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle private constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  uint256 private constant WAD = 1e18;
  uint256 private constant CAPITAL = 1e27;
  uint160 private constant MIN_SQRT_PRICE = 4295128740;
  uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;
  uint128 private constant LIQUIDITY = 5_000_000e18;
  int24 private constant LOW = -887_272;
  int24 private constant HIGH = 887_272;

  CollateralGuard public immutable guard;
  address private immutable borrower = makeAddr("victim with collateral");
  uint256 private immutable priceWad;
  uint16[3] private costs = [uint16(100), 200, 500];
  uint256[3] private guards;

  uint256 public tries;
  uint256 public rescues;
  /// Of what was repaid, by the prices of Venus, in hundredths of a basis point; by the signed cost.
  uint256[3] public maxLoss;
  int256[3] public maxGain;

  constructor(Contracts memory bowline) {
    (address[] memory adapters, address[] memory sources) = (new address[](1), new address[](1));
    adapters[0] = Product.create("VenusCollateral", abi.encode(Bsc.COMPTROLLER, Bsc.V_BNB, Bsc.WBNB));
    sources[0] = address(bowline.chainlinkPriceSource);
    address rules = Product.create("CollateralTerms", abi.encode(Bsc.PANCAKE_POOL_DEPLOYER, adapters, sources));
    guard = CollateralGuard(Product.create("CollateralGuard", abi.encode(bowline.revocations, rules)));
    priceWad = ORACLE.getUnderlyingPrice(Bsc.V_ETH) * WAD / ORACLE.getUnderlyingPrice(Bsc.V_USDT);
    deal(Bsc.ETH, address(this), CAPITAL);
    deal(Bsc.USDT, address(this), CAPITAL);
    deal(Bsc.ETH, borrower, 1_000e18);
    vm.startPrank(borrower);
    IERC20(Bsc.ETH).approve(Bsc.V_ETH, 1_000e18);
    assertEq(IVenusUser(Bsc.V_ETH).mint(1_000e18), 0);
    address[] memory entered = new address[](1);
    entered[0] = Bsc.V_ETH;
    IVenusUser(Bsc.COMPTROLLER).enterMarkets(entered);
    IERC20(Bsc.V_ETH).approve(address(guard), type(uint256).max);
    for (uint256 i; i < 3; ++i) {
      guards[i] = guard.register(_terms(adapters[0], sources[0], costs[i]));
    }
    vm.stopPrank();
  }

  /// One rescue, and everything undone after it: each attack begins in a fair market.
  function attack(uint256 seed) external {
    uint256 snapshot = vm.snapshotState();
    uint256 which = _roll(seed, 0) % 3;
    _borrowTo(1.02e18 + _roll(seed, 1) % 0.079e18, _roll(seed, 2));
    _gift(seed);
    uint256 worth = _worth(borrower);
    uint256 stolen = _worth(address(this));
    uint256 repaid = _attackOnce(seed, which);
    uint256 loss = repaid == 0 ? 0 : Math.saturatingSub(worth, _worth(borrower)) * 1e6 / _usd(repaid);
    int256 gain = int256(_worth(address(this))) - int256(stolen);
    int256 best = repaid == 0 ? int256(0) : gain * 1e6 / int256(_usd(repaid));
    require(vm.revertToStateAndDelete(snapshot));
    ++tries;
    if (repaid == 0) return;
    ++rescues;
    maxLoss[which] = Math.max(maxLoss[which], loss);
    if (best > maxGain[which]) maxGain[which] = best;
  }

  function _attackOnce(uint256 seed, uint256 which) private returns (uint256 repaid) {
    ICollateralGuard.Route memory route;
    bool isOwnPool = _roll(seed, 3) % 2 == 0;
    route.firstFee = isOwnPool ? 100 : 500;
    uint256 held = IERC20(Bsc.USDT).balanceOf(address(this));
    if (isOwnPool) {
      // Just inside of the bound, or just outside.
      _open(costs[which] + 2 - _roll(seed, 4) % (costs[which] / 4));
    } else {
      uint256 stake = 1e16 << (_roll(seed, 5) % 16);
      _trade(Bsc.ETH, stake + _roll(seed, 6) % stake);
    }
    uint256 bought = Math.saturatingSub(IERC20(Bsc.USDT).balanceOf(address(this)), held);
    try guard.rescue(guards[which], route) returns (uint256 repaid_) {
      repaid = repaid_;
    } catch {}
    if (isOwnPool) _close();
    else _trade(Bsc.USDT, bought);
  }

  function _open(uint256 bps) private {
    address pool = IPancakeFactory(Bsc.PANCAKE_FACTORY).createPool(Bsc.ETH, Bsc.USDT, 100);
    uint256 price = priceWad * (10_000 - bps) / 10_000;
    uint256 ratio = Bsc.ETH < Bsc.USDT ? Math.mulDiv(price, 1 << 192, WAD) : Math.mulDiv(WAD, 1 << 192, price);
    IPancakeLiquidity(pool).initialize(uint160(Math.sqrt(ratio)));
    IPancakeLiquidity(pool).mint(address(this), LOW, HIGH, LIQUIDITY, "");
  }

  function _close() private {
    IPancakeLiquidity pool = IPancakeLiquidity(PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, Bsc.ETH, Bsc.USDT, 100));
    pool.burn(LOW, HIGH, LIQUIDITY);
    pool.collect(address(this), LOW, HIGH, type(uint128).max, type(uint128).max);
  }

  function _trade(address tokenIn, uint256 amountIn) private {
    bool zeroForOne = tokenIn == (Bsc.ETH < Bsc.USDT ? Bsc.ETH : Bsc.USDT);
    address pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, Bsc.ETH, Bsc.USDT, 500);
    uint160 limit = zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE;
    IPancakeV3Pool(pool).swap(address(this), zeroForOne, int256(amountIn), limit, abi.encode(tokenIn));
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
    IERC20(abi.decode(data, (address))).transfer(msg.sender, uint256(amount0Delta > 0 ? amount0Delta : amount1Delta));
  }

  function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata) external {
    (address token0, address token1) = Bsc.ETH < Bsc.USDT ? (Bsc.ETH, Bsc.USDT) : (Bsc.USDT, Bsc.ETH);
    IERC20(token0).transfer(msg.sender, amount0);
    IERC20(token1).transfer(msg.sender, amount1);
  }

  function _gift(uint256 seed) private {
    uint256 what = _roll(seed, 20) % 4;
    uint256 amount = 1e15 << (_roll(seed, 21) % 14);
    if (what == 0) IERC20(Bsc.ETH).transfer(Bsc.V_ETH, amount);
    if (what == 1) IERC20(Bsc.USDT).transfer(address(guard), amount);
    if (what == 2) IERC20(Bsc.USDT).transfer(guard.guard(1).terms.adapter, amount);
  }

  function _borrowTo(uint256 healthWad, uint256 seed) private {
    // A loan of part of the collateral: the rest is lent on, and only the ratio counts.
    uint256 part = 1 + seed % 20;
    uint256 all = IVTokenDeposit(Bsc.V_ETH).balanceOf(borrower);
    vm.startPrank(borrower);
    IERC20(Bsc.V_ETH).transfer(makeAddr("elsewhere"), all - all * part / 20);
    (, uint256 liquidity,) = COMPTROLLER.getAccountLiquidity(borrower);
    uint256 amount = liquidity * WAD / healthWad * WAD / ORACLE.getUnderlyingPrice(Bsc.V_USDT);
    assertEq(IVenusUser(Bsc.V_USDT).borrow(amount), 0);
    IERC20(Bsc.USDT).transfer(makeAddr("spent"), amount);
    vm.stopPrank();
  }

  function _worth(address account) private returns (uint256 usd) {
    IVTokenDeposit(Bsc.V_ETH).accrueInterest();
    uint256 deposit =
      IVTokenDeposit(Bsc.V_ETH).balanceOf(account) * IVTokenDeposit(Bsc.V_ETH).exchangeRateStored() / WAD;
    usd = (deposit + IERC20(Bsc.ETH).balanceOf(account)) * ORACLE.getUnderlyingPrice(Bsc.V_ETH) / WAD;
    usd += _usd(IERC20(Bsc.USDT).balanceOf(account));
    usd -= _usd(IVToken(Bsc.V_USDT).borrowBalanceCurrent(account));
  }

  function _usd(uint256 usdt) private view returns (uint256) {
    return usdt * ORACLE.getUnderlyingPrice(Bsc.V_USDT) / WAD;
  }

  function _terms(address adapter, address source, uint16 cost)
    private
    view
    returns (ICollateralGuard.Terms memory terms)
  {
    (terms.borrower, terms.funder, terms.keeper) = (borrower, borrower, address(this));
    (terms.adapter, terms.priceSource, terms.maxCostBps) = (adapter, source, cost);
    (terms.debtMarket, terms.collateralMarket) = (MarketAddress.toMarket(Bsc.V_USDT), MarketAddress.toMarket(Bsc.V_ETH));
    (terms.triggerHealthWad, terms.targetHealthWad) = (1.1e18, 1.15e18);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (1e26, 1e26, 1e18);
    terms.expiresAt = type(uint40).max;
  }

  function _roll(uint256 seed, uint256 what) private pure returns (uint256) {
    return uint256(keccak256(abi.encode(seed, what)));
  }
}
