// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {CollateralGuard} from "../../contracts/CollateralGuard.sol";
import {CollateralTerms} from "../../contracts/CollateralTerms.sol";
import {ICollateralGuard} from "../../contracts/interfaces/ICollateralGuard.sol";
import {IPancakeV3Pool, IPancakeV3Slot0, IPancakeV3SwapCallback} from "../../contracts/interfaces/IPancakeV3Pool.sol";
import {IResilientOracle, IVToken, IVTokenDeposit, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {VenusCollateral} from "../../contracts/lending/VenusCollateral.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {PancakePools} from "../../contracts/libraries/PancakePools.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "./ForkBase.sol";
import {Product} from "./Product.sol";

/// The Venus calls of a borrower and of governance that these tests need.
interface IVenusAll {
  function mint(uint256 amount) external returns (uint256);
  function mint() external payable;
  function borrow(uint256 amount) external returns (uint256);
  function enterMarkets(address[] calldata vTokens) external returns (uint256[] memory);
  function _setTreasuryData(address guardian, address treasury, uint256 percent) external returns (uint256);
  function setCollateralFactor(address vToken, uint256 factor, uint256 threshold) external returns (uint256);
  function setActionsPaused(address[] calldata markets, uint8[] calldata actions, bool paused) external;
  function deviationBoundedOracle() external view returns (address);
  function getBoundedPricesView(address vToken) external view returns (uint256, uint256);
  function giveCallPermission(address target, string calldata signature, address account) external;
}

/// @notice A loan of USDT against 10 ETH in the real Venus core pool, without any USDT to repay it with, and a guard that
/// sells ETH at PancakeSwap's real pools.
abstract contract CollateralForkBase is ForkBase, IPancakeV3SwapCallback {
  IVenusComptroller internal constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle internal constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  IERC20 internal constant USDT = IERC20(Bsc.USDT);
  uint256 internal constant WAD = 1e18;
  uint64 internal constant TRIGGER = 1.1e18;
  uint64 internal constant TARGET = 1.25e18;
  uint64 internal constant UNWIND = type(uint64).max;
  uint16 internal constant COST_BPS = 100;
  uint160 internal constant MIN_SQRT_PRICE = 4295128740;
  uint160 internal constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  address internal immutable stranger = makeAddr("stranger");

  CollateralGuard internal guard;
  CollateralTerms internal rules;
  address internal adapter;
  uint256 internal guardId;
  /// The caller's route: none, since the terms name one.
  ICollateralGuard.Route internal none;

  function setUp() public virtual override {
    super.setUp();
    adapter = Product.create("VenusCollateral", abi.encode(Bsc.COMPTROLLER, Bsc.V_BNB, Bsc.WBNB));
    (guard, rules) = _deploy(adapter, address(bowline.chainlinkPriceSource));
    _supply(Bsc.V_ETH, 10e18);
    guardId = _register(_terms(Bsc.V_ETH));
  }

  function _deploy(address adapter_, address source) internal returns (CollateralGuard guard_, CollateralTerms rules_) {
    address[] memory adapters = new address[](1);
    adapters[0] = adapter_;
    address[] memory sources = new address[](1);
    sources[0] = source;
    rules_ =
      CollateralTerms(Product.create("CollateralTerms", abi.encode(Bsc.PANCAKE_POOL_DEPLOYER, adapters, sources)));
    guard_ = CollateralGuard(Product.create("CollateralGuard", abi.encode(bowline.revocations, rules_)));
  }

  /// By anyone, over the pool of five basis points, at a cost of 100, without a cooldown.
  function _terms(address vToken) internal view returns (ICollateralGuard.Terms memory terms) {
    (terms.borrower, terms.funder, terms.adapter) = (owner, owner, adapter);
    (terms.debtMarket, terms.collateralMarket) = (MarketAddress.toMarket(Bsc.V_USDT), MarketAddress.toMarket(vToken));
    if (vToken != Bsc.V_USDT) terms.route.firstFee = 500;
    terms.priceSource = address(bowline.chainlinkPriceSource);
    (terms.triggerHealthWad, terms.targetHealthWad, terms.maxCostBps) = (TRIGGER, TARGET, COST_BPS);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (50_000e18, 100_000e18, 1e18);
    terms.expiresAt = uint40(block.timestamp + 30 days);
  }

  function _register(ICollateralGuard.Terms memory terms) internal returns (uint256 id) {
    vm.startPrank(terms.borrower);
    IERC20(MarketAddress.toAddress(terms.collateralMarket)).approve(address(guard), type(uint256).max);
    id = guard.register(terms);
    vm.stopPrank();
  }

  /// Rescues, and checks everything that the terms promise.
  function _rescueAndCheck(address vToken) internal returns (uint256 repaid, uint256 costBps100) {
    uint256 debt = IVToken(Bsc.V_USDT).borrowBalanceCurrent(owner);
    uint256 worth = _worth();
    uint256 receipts = IVTokenDeposit(vToken).balanceOf(owner);
    uint256 healthBefore = _health();
    address token = guard.guard(guardId).collateralToken;
    uint256 held = IERC20(token).balanceOf(owner);
    assertEq(USDT.balanceOf(owner), 0, "no idle money");

    repaid = guard.rescue(guardId, none);

    assertGe(_health(), TARGET, "health at its target");
    assertLe(_health(), uint256(TARGET) * 103 / 100, "and not far above");
    assertEq(debt - IVToken(Bsc.V_USDT).borrowBalanceStored(owner), repaid);
    costBps100 = _assertWithinTheCost(worth, repaid);
    assertLe(IERC20(token).balanceOf(owner) - held, 1e12, "less than a receipt comes back");
    _assertNothingStays(vToken, token);
    uint256 count = guard.guard(guardId).state.rescues;
    ICollateralGuard.Rescue memory done = guard.rescues(guardId, count - 1, count)[0];
    assertEq(done.repayment.repaid, repaid);
    assertEq(done.repayment.time, block.timestamp);
    assertApproxEqAbs(done.repayment.healthBeforeWad, healthBefore, 1e9);
    assertApproxEqAbs(done.repayment.healthAfterWad, _health(), 1e9);
    assertEq(done.receipts, receipts - IVTokenDeposit(vToken).balanceOf(owner));
    uint256 taken = done.receipts * IVTokenDeposit(vToken).exchangeRateStored() / WAD;
    assertLe(done.sold, taken);
    assertApproxEqRel(done.sold, taken, 0.01e18);
  }

  function _assertWithinTheCost(uint256 worthBefore, uint256 repaid) internal returns (uint256 costBps100) {
    uint256 lost = worthBefore - _worth();
    assertLe(lost, _usd(repaid, Bsc.V_USDT) * COST_BPS / 10_000, "the borrower lost more than the terms allow");
    return lost * 1_000_000 / _usd(repaid, Bsc.V_USDT);
  }

  function _assertNothingStays(address vToken, address token) internal view {
    address[2] memory places = [address(guard), adapter];
    for (uint256 i; i < 2; ++i) {
      assertEq(USDT.balanceOf(places[i]), 0);
      assertEq(IERC20(token).balanceOf(places[i]), 0);
      assertEq(IERC20(Bsc.WBNB).balanceOf(places[i]), 0);
      assertEq(IVTokenDeposit(vToken).balanceOf(places[i]), 0);
      assertEq(places[i].balance, 0);
    }
    assertEq(USDT.allowance(adapter, Bsc.V_USDT), 0);
  }

  function _supply(address vToken, uint256 amount) internal {
    vm.startPrank(owner);
    if (vToken == Bsc.V_BNB) {
      vm.deal(owner, amount);
      IVenusAll(vToken).mint{value: amount}();
    } else {
      address token = IVToken(vToken).underlying();
      deal(token, owner, amount);
      IERC20(token).approve(vToken, amount);
      assertEq(IVenusAll(vToken).mint(amount), 0);
    }
    _enter(vToken);
    vm.stopPrank();
  }

  function _enter(address vToken) internal {
    address[] memory entered = new address[](1);
    entered[0] = vToken;
    IVenusAll(Bsc.COMPTROLLER).enterMarkets(entered);
  }

  /// Exchanges the 10 ETH for another collateral.
  function _supplyInstead(address vToken, uint256 amount) internal {
    uint256 all = IVTokenDeposit(Bsc.V_ETH).balanceOf(owner);
    vm.prank(owner);
    IERC20(Bsc.V_ETH).transfer(stranger, all);
    _supply(vToken, amount);
    guardId = _register(_terms(vToken));
  }

  /// Borrows USDT until health is this, at Venus's own prices, and spends it.
  function _borrowTo(uint256 healthWad) internal {
    (, uint256 liquidity,) = COMPTROLLER.getAccountLiquidity(owner);
    uint256 debt = _usd(IVToken(Bsc.V_USDT).borrowBalanceCurrent(owner), Bsc.V_USDT);
    uint256 amount = ((liquidity + debt) * WAD / healthWad - debt) * WAD / ORACLE.getUnderlyingPrice(Bsc.V_USDT);
    vm.startPrank(owner);
    assertEq(IVenusAll(Bsc.V_USDT).borrow(amount), 0);
    USDT.transfer(stranger, amount);
    vm.stopPrank();
    assertApproxEqRel(_health(), healthWad, 1e6);
  }

  function _health() internal view returns (uint256) {
    (uint256 code, uint256 liquidity, uint256 shortfall) = COMPTROLLER.getAccountLiquidity(owner);
    assertEq(code, 0);
    uint256 debtUsd = _usd(IVToken(Bsc.V_USDT).borrowBalanceStored(owner), Bsc.V_USDT);
    return debtUsd == 0 ? type(uint256).max : (debtUsd + liquidity - shortfall) * WAD / debtUsd;
  }

  /// Everything the owner has less what they owe, at Venus's prices.
  function _worth() internal returns (uint256 usd) {
    address[4] memory vTokens = [Bsc.V_ETH, Bsc.V_BTC, Bsc.V_BNB, Bsc.V_USDC];
    for (uint256 i; i < 4; ++i) {
      IVTokenDeposit(vTokens[i]).accrueInterest();
      uint256 deposit =
        IVTokenDeposit(vTokens[i]).balanceOf(owner) * IVTokenDeposit(vTokens[i]).exchangeRateStored() / WAD;
      address token = _tokenOf(vTokens[i]);
      usd += _usd(deposit + IERC20(token).balanceOf(owner), vTokens[i]);
    }
    usd += _usd(USDT.balanceOf(owner), Bsc.V_USDT);
    usd -= _usd(IVToken(Bsc.V_USDT).borrowBalanceCurrent(owner), Bsc.V_USDT);
  }

  function _tokenOf(address vToken) internal view returns (address) {
    return vToken == Bsc.V_BNB ? Bsc.WBNB : IVToken(vToken).underlying();
  }

  function _usd(uint256 amount, address vToken) internal view returns (uint256) {
    return amount * ORACLE.getUnderlyingPrice(vToken) / WAD;
  }

  function _mockPrice(address vToken, uint256 percent) internal {
    bytes memory question = abi.encodeCall(IResilientOracle.getUnderlyingPrice, (vToken));
    vm.mockCall(Bsc.RESILIENT_ORACLE, question, abi.encode(ORACLE.getUnderlyingPrice(vToken) * percent / 100));
  }

  /// Fresh at any time, and of Venus's opinion.
  function _keepSourceFresh() internal {
    bytes memory prices = abi.encode(ORACLE.getUnderlyingPrice(Bsc.V_ETH), ORACLE.getUnderlyingPrice(Bsc.V_USDT));
    vm.mockCall(address(bowline.chainlinkPriceSource), bytes(""), prices);
  }

  /// The price of ETH falls in Venus, at the source and in the pool.
  function _fall(uint256 percent) internal {
    _mockPrice(Bsc.V_ETH, percent);
    _keepSourceFresh();
    _push((100 - percent) * 100);
  }

  /// A stranger sells a token at its pool against another until that pool's price has fallen by `bps`.
  function _push(address token, address against, uint24 fee, uint256 bps) internal {
    address pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, token, against, fee);
    uint256 root = IPancakeV3Slot0(pool).slot0();
    deal(token, address(this), 1_000_000e18);
    bool zeroForOne = token < against;
    // √ of the ratio in millionths of a millionth.
    uint256 part = Math.sqrt((10_000 - bps) * 1e20);
    uint256 limit = zeroForOne ? root * part / 1e12 : root * 1e12 / part;
    IPancakeV3Pool(pool).swap(address(this), zeroForOne, 900_000e18, uint160(limit), abi.encode(token));
  }

  function _push(uint256 bps) internal {
    _push(Bsc.ETH, Bsc.USDT, 500, bps);
  }

  /// Opens a pool of one market's token for another's, which pays `bps` less for it than Venus's prices say, with liquidity
  /// over all prices, of `depth` of the token.
  function _openPool(address vToken, address against, uint24 fee, uint256 bps, uint256 depth) internal {
    (address token, address other) = (_tokenOf(vToken), _tokenOf(against));
    bytes memory call = abi.encodeWithSignature("createPool(address,address,uint24)", token, other, fee);
    address pool = abi.decode(_called(Bsc.PANCAKE_FACTORY, call), (address));
    uint256 price = _usd(1e18, vToken) * WAD / _usd(1e18, against) * (10_000 - bps) / 10_000;
    uint256 ratio = token < other ? Math.mulDiv(price, 1 << 192, WAD) : Math.mulDiv(WAD, 1 << 192, price);
    _called(pool, abi.encodeWithSignature("initialize(uint160)", uint160(Math.sqrt(ratio))));
    deal(token, address(this), 1_000_000e18);
    deal(other, address(this), 4_000_000_000e18);
    _mint(pool, uint128(depth * Math.sqrt(price) / 1e9), abi.encode(token, other));
  }

  function _mint(address pool, uint128 liquidity, bytes memory tokens) private {
    (int24 from, int24 to) = (-887_200, 887_200);
    string memory mint = "mint(address,int24,int24,uint128,bytes)";
    _called(pool, abi.encodeWithSignature(mint, stranger, from, to, liquidity, tokens));
  }

  function _called(address place, bytes memory call) private returns (bytes memory answer) {
    bool done;
    (done, answer) = place.call(call);
    assertTrue(done);
  }

  function pancakeV3MintCallback(uint256 amount0, uint256 amount1, bytes calldata data) external {
    (address token, address other) = abi.decode(data, (address, address));
    (address token0, address token1) = token < other ? (token, other) : (other, token);
    IERC20(token0).transfer(msg.sender, amount0);
    IERC20(token1).transfer(msg.sender, amount1);
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external virtual {
    IERC20(abi.decode(data, (address))).transfer(msg.sender, uint256(amount0Delta > 0 ? amount0Delta : amount1Delta));
  }

  function _permit(string memory signature) internal {
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusAll(Bsc.VENUS_ACCESS_CONTROL).giveCallPermission(Bsc.COMPTROLLER, signature, Bsc.VENUS_TIMELOCK);
  }

  function _pause(address market, uint8 action) internal {
    _permit("_setActionsPaused(address[],uint8[],bool)");
    address[] memory markets = new address[](1);
    uint8[] memory actions = new uint8[](1);
    (markets[0], actions[0]) = (market, action);
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusAll(Bsc.COMPTROLLER).setActionsPaused(markets, actions, true);
  }

  function _setFactor(address vToken, uint256 factor, uint256 threshold) internal {
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusAll(Bsc.COMPTROLLER).setCollateralFactor(vToken, factor, threshold);
  }

  function _setRedeemFee(uint256 feeWad) internal {
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusAll(Bsc.COMPTROLLER)._setTreasuryData(Bsc.VENUS_TIMELOCK, Bsc.VENUS_TIMELOCK, feeWad);
  }
}
