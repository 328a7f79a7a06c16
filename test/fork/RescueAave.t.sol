// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {AaveBase, IAaveSources, IAaveUser} from "../base/AaveBase.sol";
import {ForkBase, IFeed} from "../base/ForkBase.sol";
import {Product} from "../base/Product.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {RescueSuite} from "./RescueSuite.sol";

/// @notice Loans rescued in the real Aave v3.0, by a second LoanGuard beside the first (decision 0020).
abstract contract RescueAaveBase is RescueSuite, AaveBase {
  uint256 internal constant WAD = 1e18;
  uint256 internal constant STABLE = 1;
  uint256 internal constant VARIABLE = 2;

  address internal lender = address(uint160(uint256(keccak256("bowline.fork.lender"))));

  function setUp() public override(ForkBase, AaveBase) {
    super.setUp();
    _deployGuard();
    _supply(Bsc.USDT, lender, 10_000_000e18);
    _supply(Bsc.USDC, lender, 10_000_000e18);
    _supply(Bsc.ETH, lender, 10_000e18);
    _supply(Bsc.BTCB, owner, 1e18);
    guardId = _register(_terms());
  }

  function _adapter() internal view override returns (ILendingMarket) {
    return adapter;
  }

  function _market() internal pure override returns (bytes32) {
    return MarketAddress.toMarket(Bsc.USDT);
  }

  function _spender() internal view override returns (address) {
    return address(pool);
  }

  function _lend(uint256 percent) internal override {
    _lend(Bsc.USDT, percent);
  }

  function _age() internal override {
    skip(20 days);
  }

  function _fallTo(address account, uint256 healthWad) internal override {
    uint256 price = _price(Bsc.BTCB) * healthWad / _health(account);
    vm.mockCall(Bsc.BTC_FEED, abi.encodeCall(IFeed.latestAnswer, ()), abi.encode(price));
  }

  function _health(address account) internal view override returns (uint256 health) {
    (,,,,, health) = pool.getUserAccountData(account);
  }

  function _supply(address asset, address account, uint256 amount) internal {
    deal(asset, account, amount);
    vm.startPrank(account);
    IERC20(asset).approve(address(pool), amount);
    pool.supply(asset, amount, account, 0);
    vm.stopPrank();
  }

  /// Borrows `percent` of the value of the owner's one BTCB that counts.
  function _lend(address asset, uint256 percent) internal {
    uint256 amount = _price(Bsc.BTCB) * THRESHOLD / 10_000 * percent * WAD / 100 / _price(asset);
    vm.prank(owner);
    pool.borrow(asset, amount, VARIABLE, 0, owner);
  }

  function _price(address asset) internal view returns (uint256) {
    return addresses.getPriceOracle().getAssetPrice(asset);
  }

  function _debt(address asset, address account) internal view returns (uint256) {
    return adapter.storedDebt(account, MarketAddress.toMarket(asset));
  }
}

contract RescueAaveForkTest is RescueAaveBase {
  /// LG-26: a source's price of the collateral, and Aave's where the source gives none.
  function test_weightedCollateralBy_countsTheSourcesPrice() public {
    _borrow(75);
    bytes32 market = MarketAddress.toMarket(Bsc.USDT);
    uint256 byAave = adapter.accrueAndRead(owner, market).weightedCollateralValue;
    assertApproxEqRel(adapter.weightedCollateralBy(makeAddr("no source"), owner, market), byAave, 1e9);

    (, int256 answer,,,) = IAggregatorV3(Bsc.BTC_FEED).latestRoundData();
    vm.mockCall(
      Bsc.BTC_FEED,
      abi.encodeCall(IAggregatorV3.latestRoundData, ()),
      abi.encode(uint80(1), answer * 4 / 5, block.timestamp, block.timestamp, uint80(1))
    );
    address source = address(bowline.chainlinkPriceSource);
    assertApproxEqRel(adapter.weightedCollateralBy(source, owner, market), byAave * 4 / 5, 1e9);
  }

  /// AM-1: more debt than Aave would lend (LTV), less than it liquidates (threshold). By the LTV the health would be
  /// below 1.
  function test_rescue_betweenLtvAndThreshold() public {
    _borrow(75);
    _fallTo(owner, 1.02e18);
    (uint256 collateral, uint256 debt, uint256 available, uint256 threshold, uint256 ltv,) =
      pool.getUserAccountData(owner);
    assertEq(available, 0);
    assertEq(threshold, THRESHOLD);
    assertGt(debt, collateral * ltv / 10_000);
    assertLt(debt, collateral * threshold / 10_000);
    ILendingMarket.Position memory position = adapter.accrueAndRead(owner, _terms().market);
    assertEq(position.weightedCollateralValue, (collateral * threshold + 5_000) / 10_000 * 1e10);
    _rescueAndCheck();
  }

  /// AM-2: with other debts, and with interest on all of them that nothing has accrued since.
  function test_rescue_withTwoDebtsAndInterest() public {
    _borrow(45);
    _lend(Bsc.ETH, 28);
    skip(20 days);
    _fallTo(owner, 1.03e18);
    uint256 ethDebt = _debt(Bsc.ETH, owner);
    _rescueAndCheck();
    assertEq(_debt(Bsc.ETH, owner), ethDebt);
  }

  /// AM-2: debt in the same token at a stable rate counts, and is not repaid.
  function test_rescue_besideAStableRateDebt() public {
    _borrow(45);
    uint256 stable = 7_000e18 + 123_456_789;
    vm.prank(owner);
    pool.borrow(Bsc.USDT, stable, STABLE, 0, owner);
    deal(Bsc.USDT, owner, SAVINGS);
    skip(20 days);
    _fallTo(owner, 1.03e18);
    address token = pool.getReserveData(Bsc.USDT).stableDebtTokenAddress;
    uint256 owed = IERC20(token).balanceOf(owner);
    assertGt(owed, stable);
    _rescueAndCheck();
    assertEq(IERC20(token).balanceOf(owner), owed);
  }

  /// AM-4: less debt in the market than the target needs is repaid whole, to the last unit and with its interest.
  function test_rescue_thatRepaysTheWholeDebt() public {
    _lend(Bsc.ETH, 70);
    _borrow(3);
    skip(20 days + 1);
    _fallTo(owner, 1.03e18);
    uint256 debt = _debt(owner);

    uint256 repaid = guard.rescue(guardId);

    assertEq(repaid, debt);
    assertEq(_debt(owner), 0);
    assertEq(USDT.balanceOf(owner), SAVINGS - debt);
    ILoanGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0];
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Partial));
    assertApproxEqRel(done.healthAfterWad, _health(owner), 1e12);
    _assertNothingStays();
  }

  /// AM-4: Aave takes at most the debt. What it leaves goes to whom the caller names.
  function test_repay_returnsWhatAaveDoesNotTake() public {
    _borrow(50);
    skip(100 days);
    uint256 debt = _debt(owner);
    deal(Bsc.USDT, address(adapter), debt + 7e18);
    adapter.repay(owner, _terms().market, debt + 7e18, address(0xbeef));
    assertEq(_debt(owner), 0);
    assertEq(USDT.balanceOf(address(0xbeef)), 7e18);
    _assertNothingStays();
  }

  /// AM-5: Aave refuses a repayment in a paused reserve, and in no other of these states.
  function test_rescue_inAPausedReserveIsRefused() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    configurator.setReservePause(Bsc.USDT, true);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayPaused.selector, _terms().market));
    guard.rescue(guardId);
    configurator.setReservePause(Bsc.USDT, false);
    _rescueAndCheck();
  }

  /// AM-5: a pause of the collateral's reserve keeps no repayment out.
  function test_rescue_besideAPausedCollateral() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    configurator.setReservePause(Bsc.BTCB, true);
    _rescueAndCheck();
  }

  /// AM-5
  function test_rescue_inAFrozenReserve() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    configurator.setReserveFreeze(Bsc.USDT, true);
    configurator.setReserveFreeze(Bsc.BTCB, true);
    _rescueAndCheck();
  }

  /// AM-5
  function test_rescue_inACappedReserve() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    configurator.setBorrowCap(Bsc.USDT, 1);
    configurator.setSupplyCap(Bsc.USDT, 1);
    configurator.setSupplyCap(Bsc.BTCB, 1);
    configurator.setReserveStableRateBorrowing(Bsc.USDT, false);
    configurator.setReserveBorrowing(Bsc.USDT, false);
    _rescueAndCheck();
  }

  /// AM-5: Aave lets no reserve with suppliers be made inactive. Its pool refuses all the same, with code 27.
  function test_rescue_inAnInactiveReserveIsRefused() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    uint256 configuration = pool.getReserveData(Bsc.USDT).configuration;
    vm.prank(address(configurator));
    pool.setConfiguration(Bsc.USDT, IAaveUser.Configuration(configuration & ~(uint256(1) << 56)));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayRejected.selector, _terms().market, 27));
    guard.rescue(guardId);
  }

  /// AM-5: with Aave's own code for a repayment without a debt.
  function test_repay_ofNoDebtIsRefused() public {
    deal(Bsc.USDT, address(adapter), 1e18);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayRejected.selector, _terms().market, 39));
    adapter.repay(owner, _terms().market, 1e18, owner);
  }

  /// AM-5: an error of the token is passed on as it is.
  function test_repay_passesOnErrorsThatAreNoCodes() public {
    _borrow(50);
    deal(Bsc.USDT, address(adapter), 1e18);
    vm.mockCallRevert(
      Bsc.USDT, abi.encodeWithSelector(IERC20.transferFrom.selector), abi.encodeWithSignature("Error(string)", "halted")
    );
    vm.expectRevert("halted");
    adapter.repay(owner, _terms().market, 1e18, owner);
  }

  /// AM-5: with collateral in isolation mode, where a repayment counts towards a debt ceiling, too.
  function test_rescue_inIsolationMode() public {
    _list(Bsc.WBNB, 18, Bsc.BNB_FEED, THRESHOLD);
    configurator.setDebtCeiling(Bsc.WBNB, 1_000_000_00);
    configurator.setBorrowableInIsolation(Bsc.USDT, true);
    ILoanGuard.Terms memory terms = _terms();
    (terms.borrower, terms.funder) = (makeAddr("isolated"), makeAddr("isolated"));
    // Above the health of this loan, so that no price has to move.
    (terms.triggerHealthWad, terms.targetHealthWad) = (1.5e18, 1.6e18);
    _supply(Bsc.WBNB, terms.borrower, 100e18);
    uint256 loan = _price(Bsc.WBNB) * 100e10 * 55 / 100;
    vm.startPrank(terms.borrower);
    pool.setUserUseReserveAsCollateral(Bsc.WBNB, true);
    pool.borrow(Bsc.USDT, loan, VARIABLE, 0, terms.borrower);
    vm.stopPrank();
    guard.rescue(_register(terms));
    assertApproxEqRel(_health(terms.borrower), 1.6e18, 1e6);
  }

  /// LG-26, LG-27: the standard feed falls before Aave's price does. The account is in e-mode, has a second collateral
  /// that is not in the category, and strangers have given it a little of what the source does not price.
  function test_rescue_byTheSourceInEMode() public {
    _borrow(75);
    _supply(Bsc.ETH, owner, 1e18);
    _enterEMode();
    _list(Bsc.WBNB, 18, Bsc.BNB_FEED, THRESHOLD);
    MockERC20 gift = new MockERC20("GIFT", 18);
    _list(address(gift), 18, Bsc.BNB_FEED, THRESHOLD);
    gift.mint(address(this), 1e18);
    gift.approve(address(pool), 1e18);
    pool.supply(address(gift), 1e18, owner, 0);

    ILoanGuard.Terms memory terms = _terms();
    terms.priceSource = address(bowline.chainlinkPriceSource);
    (terms.triggerHealthWad, terms.targetHealthWad) = (uint64(_health(owner) * 99 / 100), uint64(_health(owner) * 2));
    uint256 watching = _register(terms);
    uint256 health = adapter.accrueAndRead(owner, terms.market).weightedCollateralValue * WAD
      / adapter.accrueAndRead(owner, terms.market).debtValue;
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, health, terms.triggerHealthWad));
    guard.rescue(watching);

    _standardFeedFallsTo(90);
    assertGt(guard.rescue(watching), 0);
    assertTrue(guard.guard(watching).state.isBySource);
    assertApproxEqRel(_health(owner), terms.targetHealthWad, 1e12, "at the target by Aave's own prices");
  }

  /// AM-9: the source's sum counts each collateral as Aave does: by its own threshold outside the category, by the
  /// category's inside it, and not at all if its own is zero, even in e-mode.
  function test_weightedCollateralBy_inEMode() public {
    _borrow(30);
    _supply(Bsc.ETH, owner, 5e18);
    _assertSameSum();
    _enterEMode();
    _assertSameSum();
    IAaveUser.Configuration memory configuration = IAaveUser.Configuration(pool.getReserveData(Bsc.BTCB).configuration);
    configuration.data &= ~(uint256(type(uint16).max) << 16);
    vm.prank(address(configurator));
    pool.setConfiguration(Bsc.BTCB, configuration);
    _assertSameSum();
    assertLt(adapter.weightedCollateralBy(address(1), owner, _terms().market), 50_000e18);
  }

  function _assertSameSum() private view {
    bytes32 market = _terms().market;
    // Aave cuts the average threshold to 1/10,000.
    assertApproxEqRel(
      adapter.weightedCollateralBy(address(1), owner, market),
      adapter.accrueAndRead(owner, market).weightedCollateralValue,
      2e14
    );
  }

  function _enterEMode() private {
    configurator.setEModeCategory(1, 9_000, 9_300, 10_200, address(0), "bowline");
    configurator.setAssetEModeCategory(Bsc.BTCB, 1);
    configurator.setAssetEModeCategory(Bsc.USDT, 1);
    vm.prank(owner);
    pool.setUserEMode(1);
  }

  /// AM-1: in e-mode, Aave's thresholds of the category apply.
  function test_rescue_inEMode() public {
    _borrow(75);
    uint256 healthOutside = _health(owner);
    _enterEMode();
    assertGt(_health(owner), healthOutside);
    _fallTo(owner, 1.03e18);
    _rescueAndCheck();
  }

  /// AM-2: a category may have a price of its own, which counts for its members' debts and collateral.
  function test_rescue_inEModeWithThePriceOfTheCategory() public {
    (address[] memory assets, address[] memory feeds) = (new address[](1), new address[](1));
    (assets[0], feeds[0]) = (makeAddr("category"), makeAddr("feed"));
    IAaveSources(address(addresses.getPriceOracle())).setAssetSources(assets, feeds);
    vm.mockCall(feeds[0], abi.encodeCall(IFeed.latestAnswer, ()), abi.encode(1.1e8 + 7));
    configurator.setEModeCategory(1, 9_000, 9_300, 10_200, assets[0], "bowline");
    configurator.setAssetEModeCategory(Bsc.USDT, 1);
    configurator.setAssetEModeCategory(Bsc.USDC, 1);
    _borrow(75);
    vm.prank(owner);
    pool.setUserEMode(1);
    ILendingMarket.Position memory position = adapter.accrueAndRead(owner, _terms().market);
    assertEq(position.repayTokenPriceWad, 1.1e18 + 7e10);
    _fallTo(owner, 1.03e18);
    _rescueAndCheck();

    // A category that lost its price makes its accounts unreadable. For others the asset's own price counts.
    vm.mockCall(feeds[0], abi.encodeCall(IFeed.latestAnswer, ()), abi.encode(0));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.AccountUnreadable.selector, owner, type(uint256).max));
    adapter.accrueAndRead(owner, _terms().market);
    assertEq(adapter.accrueAndRead(lender, _terms().market).repayTokenPriceWad, _price(Bsc.USDT) * 1e10);
  }

  /// AM-3, LG-8: how far a repayment is off, at an index below 2 with amounts from one unit, and above 2 from 1e9. Prints
  /// the most.
  function test_repay_isOffByOneUnitAtMost() public {
    _borrow(60);
    vm.prank(lender);
    pool.borrow(Bsc.USDT, 9_900_000e18, VARIABLE, 0, lender);
    uint256 most;
    for (uint256 year; year < 4; ++year) {
      skip(139 days + 17);
      uint256 index = pool.getReserveNormalizedVariableDebt(Bsc.USDT);
      uint256 off = _mostOff(index < 2e27 ? 1 : 1e9);
      emit log_named_decimal_uint("index", index, 27);
      emit log_named_uint("off by base units at most", off);
      if (off > most) most = off;
    }
    assertGt(pool.getReserveNormalizedVariableDebt(Bsc.USDT), 3e27);
    assertGt(most, 0, "so it is inexact");

    // What rounds to none of the units that Aave counts in is refused.
    deal(Bsc.USDT, address(adapter), 1);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayRejected.selector, _terms().market, 25));
    adapter.repay(owner, _terms().market, 1, owner);
  }

  /// AM-2, AM-3, LG-23: sums of 8 decimals at awkward digits, from a few cents to a fortune.
  /// forge-config: default.fuzz.runs = 64
  function testFuzz_rescue_atAwkwardDigits(uint256 debt, uint256 other, uint256 age, uint256 healthWad) public {
    debt = bound(debt, 0.05e18, 1_000_000e18);
    other = other % 3 == 0 ? 0 : debt * (other % 100) / 333;
    healthWad = bound(healthWad, 0.8e18, 1.0499e18);
    address account = makeAddr("awkward");
    _supply(Bsc.BTCB, account, (debt + other) * 2e8 / _price(Bsc.BTCB));
    vm.startPrank(account);
    pool.borrow(Bsc.USDT, debt, VARIABLE, 0, account);
    if (other != 0) pool.borrow(Bsc.ETH, other * 1e8 / _price(Bsc.ETH), VARIABLE, 0, account);
    vm.stopPrank();
    skip(bound(age, 0, 25 days));
    _fallTo(account, healthWad);
    ILoanGuard.Terms memory terms = _terms();
    (terms.borrower, terms.funder) = (account, account);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (type(uint128).max, type(uint128).max, 1);
    uint256 id = _register(terms);
    deal(Bsc.USDT, account, 2_000_000e18);
    ILendingMarket.Position memory position = adapter.accrueAndRead(account, terms.market);
    (, uint256 debtBase,,,,) = pool.getUserAccountData(account);
    assertGe(position.debtValue, position.marketDebt * position.repayTokenPriceWad / WAD);
    assertApproxEqAbs(position.debtValue, debtBase * 1e10, 1e10);

    guard.rescue(id);

    ILoanGuard.Rescue memory done = guard.rescues(id, 0, 1)[0];
    assertApproxEqRel(_health(account), TARGET, 1e12);
    assertApproxEqRel(done.healthAfterWad, _health(account), 1e12);
    assertApproxEqRel(done.healthBeforeWad, healthWad, 1e12);
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Full));
  }

  /// AM-2: a token with 6 decimals, which has fewer digits than Aave's sums.
  function test_rescue_ofADebtInATokenWithSixDecimals() public {
    MockERC20 token = new MockERC20("USD6", 6);
    _list(address(token), 6, Bsc.USDC_FEED, 8_000);
    _supply(address(token), lender, 1_000_000e6);
    uint256 loan = _price(Bsc.BTCB) * 55 / 1e4;
    vm.prank(owner);
    pool.borrow(address(token), loan, VARIABLE, 0, owner);
    deal(address(token), owner, 1_000_000e6);
    skip(9 days + 1);
    _fallTo(owner, 1.03e18);
    ILoanGuard.Terms memory terms = _terms();
    (terms.market, terms.minRepay) = (MarketAddress.toMarket(address(token)), 1e6);
    guardId = _register(terms);

    uint256 debt = _debt(address(token), owner);
    uint256 repaid = guard.rescue(guardId);
    assertApproxEqAbs(debt - _debt(address(token), owner), repaid, 1);
    assertEq(token.balanceOf(owner), 1_000_000e6 - repaid);
    assertApproxEqRel(_health(owner), TARGET, 1e12);
  }

  /// AM-6, LG-9: gifts to Aave's reserves neither block nor enlarge a rescue.
  function test_attack_giftsToReservesChangeNothing() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    uint256 snapshot = vm.snapshotState();
    uint256 repaid = guard.rescue(guardId);
    vm.revertToState(snapshot);
    deal(Bsc.USDT, pool.getReserveData(Bsc.USDT).aTokenAddress, 20_000_000e18);
    deal(Bsc.BTCB, pool.getReserveData(Bsc.BTCB).aTokenAddress, 1_000e18);
    assertEq(guard.rescue(guardId), repaid);
    assertApproxEqRel(_health(owner), TARGET, 1e6);
  }

  /// AM-7: an asset without a price is named, whether it is the debt or a collateral.
  function test_brokenFeed_isNamed() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    vm.mockCall(Bsc.BTC_FEED, abi.encodeCall(IFeed.latestAnswer, ()), abi.encode(0));
    _expectPriceUnavailable(Bsc.BTCB);
    vm.mockCallRevert(Bsc.USDT_FEED, abi.encodeCall(IFeed.latestAnswer, ()), "halted");
    _expectPriceUnavailable(Bsc.USDT);
  }

  /// AM-8, LG-2: what Aave does not list, and a second name of what it lists.
  function test_register_refusesMarkets() public {
    ILoanGuard.Terms memory terms = _terms();
    bytes32[2] memory markets = [MarketAddress.toMarket(Bsc.WBNB), terms.market | bytes32(uint256(1) << 160)];
    for (uint256 i; i < 2; ++i) {
      bytes memory refusal = abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, markets[i]);
      terms.market = markets[i];
      vm.prank(owner);
      vm.expectRevert(refusal);
      guard.register(terms);
      vm.expectRevert(refusal);
      adapter.accrueAndRead(owner, markets[i]);
      vm.expectRevert(refusal);
      adapter.storedDebt(owner, markets[i]);
      vm.expectRevert(refusal);
      adapter.repay(owner, markets[i], 1, owner);
    }
  }

  /// AM-8
  function test_views() public {
    _borrow(75);
    _fallTo(owner, 0.9e18);
    assertEq(adapter.repayToken(_terms().market), Bsc.USDT);
    assertEq(adapter.numeraire(_terms().market), address(0));
    assertEq(adapter.forcedMarkets(owner).length, 0);
    ILendingMarket.Position memory position = adapter.accrueAndRead(owner, _terms().market);
    assertEq(position.repayToken, Bsc.USDT);
    assertEq(position.minDebt, 0);
    assertTrue(position.isInexact);
  }

  /// AM-8: an Aave market in another currency than US dollars, or in other digits.
  function test_constructor_refusesAnotherBaseCurrency() public {
    address oracle = address(addresses.getPriceOracle());
    vm.mockCall(oracle, abi.encodeWithSignature("BASE_CURRENCY_UNIT()"), abi.encode(1e18));
    vm.expectRevert(abi.encodeWithSignature("BaseCurrencyRefused(address,uint256)", address(0), 1e18));
    this.deployAdapter();
    vm.mockCall(oracle, abi.encodeWithSignature("BASE_CURRENCY_UNIT()"), abi.encode(1e8));
    vm.mockCall(oracle, abi.encodeWithSignature("BASE_CURRENCY()"), abi.encode(Bsc.WBNB));
    vm.expectRevert(abi.encodeWithSignature("BaseCurrencyRefused(address,uint256)", Bsc.WBNB, 1e8));
    this.deployAdapter();
  }

  /// AM-8: a pool of another line, whose e-mode the adapter would misread.
  function test_constructor_refusesAnotherRevision() public {
    assertEq(pool.POOL_REVISION(), 1);
    for (uint256 revision; revision < 3; revision += 2) {
      vm.mockCall(address(pool), abi.encodeWithSignature("POOL_REVISION()"), abi.encode(revision));
      vm.expectRevert(abi.encodeWithSignature("RevisionRefused(uint256)", revision));
      this.deployAdapter();
    }
  }

  /// AM-8: a pool that becomes one of another line is not misread either.
  function test_rescue_afterAnUpgradeOfThePoolIsRefused() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    vm.mockCall(address(pool), abi.encodeWithSignature("POOL_REVISION()"), abi.encode(2));
    vm.expectRevert(abi.encodeWithSignature("RevisionRefused(uint256)", 2));
    guard.rescue(guardId);
  }

  function deployAdapter() external {
    Product.aaveMarket(pool);
  }

  function _expectPriceUnavailable(address asset) private {
    bytes32 market = MarketAddress.toMarket(asset);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, market));
    guard.rescue(guardId);
  }

  /// Repays amounts of every size from `least` on, and returns by how much the worst of them was off.
  function _mostOff(uint256 least) private returns (uint256 most) {
    for (uint256 amount = least; amount < 1e21; amount = amount * 7 + 3) {
      uint256 before = _debt(owner);
      deal(Bsc.USDT, address(adapter), amount);
      adapter.repay(owner, _terms().market, amount, owner);
      uint256 fell = before - _debt(owner);
      uint256 off = fell < amount ? amount - fell : fell - amount;
      assertLe(off, 1 + amount / 1e9);
      if (off > most) most = off;
    }
  }
}

/// @notice What a rescue in Aave costs, as a transaction of its own: cold storage, and the gas that a receipt would show.
/// forge-config: default.isolate = true
contract RescueAaveGasForkTest is RescueAaveBase {
  /// LG-20: a rescue has gas enough in a list, with one debt and with one in every reserve.
  function test_rescue_fitsInItsGas() public {
    ILoanGuard.Terms memory terms = _terms();
    // Above the health of this loan, so that no price has to move: a mocked price would cost no gas.
    (terms.triggerHealthWad, terms.targetHealthWad) = (1.5e18, 1.6e18);
    uint256[] memory ids = new uint256[](1);
    ids[0] = _register(terms);
    _borrow(70);
    skip(1 hours);
    uint256 snapshot = vm.snapshotState();
    guard.rescue(ids[0]);
    emit log_named_uint("a rescue alone, one debt", vm.lastCallGas().gasTotalUsed);
    vm.revertToState(snapshot);
    _lend(Bsc.USDC, 5);
    _lend(Bsc.ETH, 5);
    _supply(Bsc.USDT, owner, 100e18);
    _supply(Bsc.ETH, owner, 1e18);
    deal(Bsc.USDT, owner, SAVINGS);
    skip(1 hours);
    ILoanGuard.Result[] memory results = guard.rescueMany(ids);
    emit log_named_uint("a list of one, in four reserves", vm.lastCallGas().gasTotalUsed);
    assertTrue(results[0].isRescued);
  }
}
