// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {LoanGuard} from "../../contracts/LoanGuard.sol";
import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IResilientOracle, IVToken, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "../base/ForkBase.sol";
import {GuardTerms} from "../base/GuardTerms.sol";
import {Product} from "../base/Product.sol";
import {IVenusPools, IVenusUser} from "./RescueVenus.t.sol";

/// What the exchange rate of a Venus market is made of.
interface IVenusRate {
  function totalBorrows() external view returns (uint256);
  function totalReserves() external view returns (uint256);
  function totalSupply() external view returns (uint256);
  function exchangeRateStored() external view returns (uint256);
  function balanceOf(address account) external view returns (uint256);
}

/// The only account that Venus lets liquidate.
interface IVenusLiquidator {
  error LiquidationFailed(uint256 code);

  function liquidateBorrow(address vToken, address borrower, uint256 amount, address collateral) external payable;
}

/// The mistake: an adapter that values collateral by the vToken's balance of its underlying, as the exchange rate of
/// Compound v2 and of Venus before 2026 does. Venus counts what came in through its own functions.
contract BalanceRateMarket is ILendingMarket {
  using MarketAddress for bytes32;

  IVenusComptroller private constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  uint256 private constant WAD = 1e18;
  ILendingMarket private immutable ours;

  constructor(ILendingMarket ours_) {
    ours = ours_;
  }

  function accrueAndRead(address borrower, bytes32 market) external returns (Position memory position) {
    position = ours.accrueAndRead(borrower, market);
    position.weightedCollateralValue = 0;
    address[] memory entered = COMPTROLLER.getAssetsIn(borrower);
    for (uint256 i; i < entered.length; ++i) {
      uint256 balance = IVenusRate(entered[i]).balanceOf(borrower);
      if (balance == 0) continue;
      uint256 valueWad = balance * _rateNow(entered[i]) / WAD
        * IResilientOracle(Bsc.RESILIENT_ORACLE).getUnderlyingPrice(entered[i]) / WAD;
      position.weightedCollateralValue += valueWad * COMPTROLLER.getEffectiveLtvFactor(borrower, entered[i], 1) / WAD;
    }
  }

  function repay(address borrower, bytes32 market, uint256 amount, address) external {
    IERC20(ours.repayToken(market)).approve(market.toAddress(), amount);
    require(IVToken(market.toAddress()).repayBorrowBehalf(borrower, amount) == 0, "repay");
  }

  function repayToken(bytes32 market) external view returns (address) {
    return ours.repayToken(market);
  }

  function numeraire(bytes32) external pure returns (address) {}

  function storedDebt(address borrower, bytes32 market) external view returns (uint256) {
    return ours.storedDebt(borrower, market);
  }

  function forcedMarkets(address) external pure returns (bytes32[] memory) {}

  function weightedCollateralBy(address, address, bytes32) external pure returns (uint256) {}

  function _rateNow(address vToken) private view returns (uint256) {
    IVenusRate rate = IVenusRate(vToken);
    uint256 cash = IERC20(IVToken(vToken).underlying()).balanceOf(vToken);
    return (cash + rate.totalBorrows() - rate.totalReserves()) * WAD / rate.totalSupply();
  }
}

/// @notice Donations to the real Venus markets. The borrower supplies as much USDC as everybody else together, owes USDT,
/// and permits rescues below a health of 1.01. USDC falls until the loan can be liquidated. Before the rescue, a
/// liquidator gives vUSDC enough USDC to lift the loan above the trigger.
contract VenusDonationForkTest is ForkBase {
  IVenusComptroller private constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle private constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  IERC20 private constant USDT = IERC20(Bsc.USDT);
  IERC20 private constant USDC = IERC20(Bsc.USDC);
  uint256 private constant WAD = 1e18;
  uint256 private constant SAVINGS = 1_000_000e18;
  uint64 private constant TRIGGER = 1.01e18;
  uint64 private constant TARGET = 1.05e18;
  address private immutable stranger = makeAddr("stranger");

  LoanGuard private guard;
  ILendingMarket private adapter;
  uint256 private guardId;
  /// Base units of USDC that the borrower has supplied.
  uint256 private supplied;
  uint256 private gift;
  bytes private refusal;

  function setUp() public override {
    super.setUp();
    IVenusUser(Bsc.V_USDC).accrueInterest();
    supplied = IVenusRate(Bsc.V_USDC).totalSupply() * IVenusRate(Bsc.V_USDC).exchangeRateStored() / WAD;
    deal(Bsc.USDC, owner, supplied);
    vm.startPrank(owner);
    USDC.approve(Bsc.V_USDC, supplied);
    assertEq(IVenusUser(Bsc.V_USDC).mint(supplied), 0);
    _enter(Bsc.V_USDC);
    _borrowTo(1.1e18);
    vm.stopPrank();
    deal(Bsc.USDT, owner, SAVINGS);
    // 1.15 % of all the market, above the 1.1 % between a health of 0.999 and the trigger.
    gift = 2 * supplied * 115 / 10_000;
    deal(Bsc.USDC, stranger, gift);
    _moveTo(bowline.loanGuard, bowline.venusMarket);
  }

  /// The donation, the keeper's rescue, and the liquidation.
  function attack() external {
    _fallTo(0.999e18);
    vm.prank(stranger);
    USDC.transfer(Bsc.V_USDC, gift);
    try guard.rescue(guardId) {}
    catch (bytes memory reason) {
      refusal = reason;
    }
    uint256 half = IVToken(Bsc.V_USDT).borrowBalanceStored(owner) / 2;
    deal(Bsc.USDT, stranger, half);
    address liquidator = IVenusPools(Bsc.COMPTROLLER).liquidatorContract();
    vm.startPrank(stranger);
    USDT.approve(liquidator, half);
    IVenusLiquidator(liquidator).liquidateBorrow(Bsc.V_USDT, owner, half, Bsc.V_USDC);
    vm.stopPrank();
  }

  /// IT-1: a tenth of what the liquidator repays, which is half the debt, to the units of a vToken's eight digits. The
  /// liquidator keeps more than was given.
  function test_TheTwinsBorrowerIsLiquidated() public {
    _twin();
    uint256 debt = IVToken(Bsc.V_USDT).borrowBalanceStored(owner);
    uint256 vTokens = IVenusRate(Bsc.V_USDC).balanceOf(owner);
    this.attack();
    assertEq(bytes4(refusal), ILoanGuard.HealthNotBelowTrigger.selector, "the twin sees a healthy loan");
    assertEq(USDT.balanceOf(owner), SAVINGS, "and rescues nothing");

    uint256 paid = _usd(debt / 2, Bsc.V_USDT);
    uint256 rate = IVenusRate(Bsc.V_USDC).exchangeRateStored();
    uint256 seized = _usd((vTokens - IVenusRate(Bsc.V_USDC).balanceOf(owner)) * rate / WAD, Bsc.V_USDC);
    assertApproxEqRel(seized - paid, paid / 10, 1e12, "the borrower's loss");
    uint256 loot = _usd(IVenusRate(Bsc.V_USDC).balanceOf(stranger) * rate / WAD, Bsc.V_USDC);
    // Venus's treasury keeps a twentieth of the tenth.
    assertApproxEqRel(loot - paid, paid / 10 * 95 / 100, 1e12, "the liquidator's part of it");
    assertGt(loot - paid, _usd(gift, Bsc.V_USDC), "is more than the donation");
    emit log_named_decimal_uint("the borrower loses, USD", seized - paid, 18);
    emit log_named_decimal_uint("the donation, USD", _usd(gift, Bsc.V_USDC), 18);
    emit log_named_decimal_uint("the liquidator gains, USD", loot - paid - _usd(gift, Bsc.V_USDC), 18);
  }

  /// IT-1, LG-4, LG-8: the rescue comes, repays what it repays without a donation, to the unit, and nothing is left to
  /// liquidate.
  function test_OursRescuesAsWithoutADonation() public {
    uint256 snapshot = vm.snapshotState();
    _fallTo(0.999e18);
    uint256 plain = guard.rescue(guardId);
    assertTrue(vm.revertToState(snapshot));

    uint256 rate = IVenusRate(Bsc.V_USDC).exchangeRateStored();
    vm.expectPartialRevert(IVenusLiquidator.LiquidationFailed.selector);
    this.attack();

    _fallTo(0.999e18);
    vm.prank(stranger);
    USDC.transfer(Bsc.V_USDC, gift);
    IVenusUser(Bsc.V_USDC).accrueInterest();
    assertEq(IVenusRate(Bsc.V_USDC).exchangeRateStored(), rate, "the donation moves no exchange rate");
    assertEq(guard.rescue(guardId), plain);
    assertEq(USDT.balanceOf(owner), SAVINGS - plain);
    assertApproxEqAbs(_health(), TARGET, 1e10);
    assertGt(_liquidateAllowed(), 0);
  }

  /// IT-1, LG-4: donations to the markets of collateral and debt trigger no rescue of a healthy loan.
  function test_OursIsTriggeredByNoDonation() public {
    uint256 health = _health();
    vm.startPrank(stranger);
    USDC.transfer(Bsc.V_USDC, gift);
    deal(Bsc.USDT, stranger, gift);
    USDT.transfer(Bsc.V_USDT, gift);
    vm.stopPrank();
    IVenusUser(Bsc.V_USDC).accrueInterest();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, health, TRIGGER));
    guard.rescue(guardId);
  }

  /// IT-1, LG-4, LG-5: the one rate that a donation does move. vBNB counts coins that a self-destructing contract forces on
  /// it, and they are its suppliers' from then on: Venus's own liquidation test moves by as much as ours. A rescue that is
  /// due takes less; one that is refused is of a loan that nobody can liquidate.
  function test_OursFollowsVenussOwnRateOfForcedCoins() public {
    _supplyBnb(100 ether);
    _fallTo(0.999e18);
    assertEq(_liquidateAllowed(), 0);
    uint256 snapshot = vm.snapshotState();
    uint256 plain = guard.rescue(guardId);
    uint256 refusals;
    uint256 rescues;
    uint256 bnb = Bsc.V_BNB.balance;
    for (uint256 i; i <= 9; ++i) {
      assertTrue(vm.revertToState(snapshot));
      uint256 rate = IVenusRate(Bsc.V_BNB).exchangeRateStored();
      vm.deal(Bsc.V_BNB, bnb + bnb * i * i * i / 100);
      if (i != 0) assertGt(IVenusRate(Bsc.V_BNB).exchangeRateStored(), rate);
      try guard.rescue(guardId) returns (uint256 repaid) {
        ++rescues;
        assertLe(repaid, plain, "no donation makes it dearer");
        assertEq(USDT.balanceOf(owner), SAVINGS - repaid);
        assertApproxEqAbs(_health(), TARGET, 1e10, "and it repays no more than the target needs");
      } catch (bytes memory reason) {
        ++refusals;
        assertEq(bytes4(reason), ILoanGuard.HealthNotBelowTrigger.selector);
        assertGe(_health(), TRIGGER, "Venus itself counts the loan as healthy");
        assertGt(_liquidateAllowed(), 0, "and nobody can liquidate it");
        assertEq(USDT.balanceOf(owner), SAVINGS);
      }
    }
    assertGt(rescues, 2);
    assertGt(refusals, 0);
  }

  function _twin() private {
    adapter = new BalanceRateMarket(bowline.venusMarket);
    address[] memory adapters = new address[](1);
    adapters[0] = address(adapter);
    _moveTo(Product.loanGuard(bowline.revocations, adapters, new address[](0)), adapter);
  }

  function _moveTo(LoanGuard guard_, ILendingMarket adapter_) private {
    (guard, adapter) = (guard_, adapter_);
    ILoanGuard.Terms memory terms =
      GuardTerms.plain(owner, address(adapter), MarketAddress.toMarket(Bsc.V_USDT), SAVINGS);
    (terms.triggerHealthWad, terms.targetHealthWad) = (TRIGGER, TARGET);
    terms.expiresAt = uint40(block.timestamp + 1 days);
    vm.startPrank(owner);
    USDT.approve(address(guard), type(uint256).max);
    guardId = guard.register(terms);
    vm.stopPrank();
  }

  function _supplyBnb(uint256 amount) private {
    vm.deal(owner, amount);
    vm.startPrank(owner);
    (bool supplies,) = Bsc.V_BNB.call{value: amount}(abi.encodeWithSignature("mint()"));
    assertTrue(supplies);
    _enter(Bsc.V_BNB);
    vm.stopPrank();
  }

  /// As the borrower.
  function _enter(address vToken) private {
    address[] memory entered = new address[](1);
    entered[0] = vToken;
    IVenusUser(Bsc.COMPTROLLER).enterMarkets(entered);
  }

  /// As the borrower, who owes nothing yet.
  function _borrowTo(uint256 healthWad) private {
    (, uint256 weighted,) = COMPTROLLER.getAccountLiquidity(owner);
    uint256 amount = weighted * WAD / healthWad * WAD / ORACLE.getUnderlyingPrice(Bsc.V_USDT);
    assertEq(IVenusUser(Bsc.V_USDT).borrow(amount), 0);
  }

  /// Lowers USDC's price.
  function _fallTo(uint256 healthWad) private {
    uint256 debtUsd = _usd(IVToken(Bsc.V_USDT).borrowBalanceStored(owner), Bsc.V_USDT);
    uint256 price = ORACLE.getUnderlyingPrice(Bsc.V_USDC);
    uint256 ofUsdc = supplied * price / WAD * COMPTROLLER.getEffectiveLtvFactor(owner, Bsc.V_USDC, 1) / WAD;
    uint256 too = (_health() - healthWad) * debtUsd / WAD;
    vm.mockCall(
      Bsc.RESILIENT_ORACLE,
      abi.encodeCall(IResilientOracle.getUnderlyingPrice, (Bsc.V_USDC)),
      abi.encode(price - price * too / ofUsdc)
    );
  }

  function _usd(uint256 amount, address vToken) private view returns (uint256) {
    return amount * ORACLE.getUnderlyingPrice(vToken) / WAD;
  }

  /// By the comptroller, without the adapter.
  function _health() private view returns (uint256) {
    (, uint256 liquidity, uint256 shortfall) = COMPTROLLER.getAccountLiquidity(owner);
    uint256 debtUsd = _usd(IVToken(Bsc.V_USDT).borrowBalanceStored(owner), Bsc.V_USDT);
    return (debtUsd + liquidity - shortfall) * WAD / debtUsd;
  }

  /// Zero allows it.
  function _liquidateAllowed() private returns (uint256) {
    address liquidator = IVenusPools(Bsc.COMPTROLLER).liquidatorContract();
    return IVenusPools(Bsc.COMPTROLLER).liquidateBorrowAllowed(Bsc.V_USDT, Bsc.V_USDC, liquidator, owner, 1e18);
  }
}
