// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IResilientOracle, IVToken, IVaiController, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {RescueSuite} from "./RescueSuite.sol";

/// The Venus calls of a borrower.
interface IVenusUser {
  function enterMarkets(address[] calldata vTokens) external returns (uint256[] memory);
  function mint(uint256 amount) external returns (uint256);
  function borrow(uint256 amount) external returns (uint256);
  function accrueInterest() external returns (uint256);
  function mintVAI(uint256 amount) external returns (uint256);
}

/// The Venus calls with which governance manages e-mode pools.
interface IVenusPools {
  function createPool(string calldata label) external returns (uint96 pool);
  function addPoolMarkets(uint96[] calldata pools, address[] calldata vTokens) external;
  function setCollateralFactor(uint96 pool, address vToken, uint256 factor, uint256 threshold)
    external
    returns (uint256);
  function setIsBorrowAllowed(uint96 pool, address vToken, bool allowed) external;
  function enterPool(uint96 pool) external;
  function setActionsPaused(address[] calldata markets, uint8[] calldata actions, bool paused) external;
  function _setProtocolPaused(bool paused) external returns (bool);
  function setBaseRate(uint256 rate) external;
  function liquidatorContract() external view returns (address);
  function liquidateBorrowAllowed(
    address borrowed,
    address collateral,
    address liquidator,
    address borrower,
    uint256 amount
  ) external returns (uint256 code);
  function _setForcedLiquidation(address vToken, bool enable) external;
  function _setForcedLiquidationForUser(address borrower, address vToken, bool enable) external;
}

/// The Venus contract that grants permissions.
interface IVenusPermits {
  function giveCallPermission(address target, string calldata signature, address account) external;
}

/// @notice Loans rescued in the real Venus core pool.
contract RescueVenusForkTest is RescueSuite {
  IVenusComptroller internal constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle internal constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);

  function setUp() public override {
    super.setUp();
    guard = bowline.loanGuard;
    deal(Bsc.BTCB, owner, 1e18);
    vm.startPrank(owner);
    IERC20(Bsc.BTCB).approve(Bsc.V_BTC, 1e18);
    assertEq(IVenusUser(Bsc.V_BTC).mint(1e18), 0);
    address[] memory entered = new address[](1);
    entered[0] = Bsc.V_BTC;
    IVenusUser(Bsc.COMPTROLLER).enterMarkets(entered);
    vm.stopPrank();
    guardId = _register(_terms());
  }

  /// VM-1, LG-6: with debts in vBNB, VAI, ETH and USDC besides the guarded one, none of them accrued since.
  function test_rescue_withOtherDebtsPresent() public {
    _borrow(35);
    _lend(Bsc.V_ETH, 10);
    _lend(Bsc.V_USDC, 10);
    _lend(Bsc.V_BNB, 10);
    vm.prank(owner);
    assertEq(IVenusUser(Bsc.VAI_CONTROLLER).mintVAI(5_000e18), 0);
    vm.roll(block.number + 1_000);
    assertEq(COMPTROLLER.getAssetsIn(owner).length, 5);
    assertGe(IVaiController(Bsc.VAI_CONTROLLER).getVAIRepayAmount(owner), 5_000e18);
    _fallTo(owner, 1.03e18);
    uint256 ethDebt = IVToken(Bsc.V_ETH).borrowBalanceStored(owner);

    _rescueAndCheck();

    assertEq(IVToken(Bsc.V_ETH).borrowBalanceStored(owner), ethDebt, "other markets are not accrued");
    IVenusUser(Bsc.V_ETH).accrueInterest();
    IVenusUser(Bsc.V_USDC).accrueInterest();
    IVenusUser(Bsc.V_BNB).accrueInterest();
    assertLt(_health(owner), TARGET, "interest not yet counted was there");
    assertApproxEqRel(_health(owner), TARGET, 1e12, "and was a millionth at most");
  }

  /// VM-1, LG-6: in an e-mode pool that pool's liquidation thresholds apply.
  function test_rescue_inAnEModePool() public {
    _borrow(70);
    uint256 healthOutside = _health(owner);
    vm.startPrank(Bsc.VENUS_TIMELOCK);
    uint96 pool = IVenusPools(Bsc.COMPTROLLER).createPool("bowline");
    (uint96[] memory pools, address[] memory markets) = (new uint96[](2), new address[](2));
    (pools[0], markets[0]) = (pool, Bsc.V_BTC);
    (pools[1], markets[1]) = (pool, Bsc.V_USDT);
    IVenusPools(Bsc.COMPTROLLER).addPoolMarkets(pools, markets);
    IVenusPools(Bsc.COMPTROLLER).setCollateralFactor(pool, Bsc.V_BTC, 0.9e18, 0.93e18);
    IVenusPools(Bsc.COMPTROLLER).setIsBorrowAllowed(pool, Bsc.V_USDT, true);
    vm.stopPrank();
    vm.prank(owner);
    IVenusPools(Bsc.COMPTROLLER).enterPool(pool);
    assertGt(_health(owner), healthOutside);
    _fallTo(owner, 1.03e18);

    _rescueAndCheck();
  }

  /// LG-4: Venus cannot liquidate what it cannot value, and LoanGuard does not touch it.
  function test_brokenFeed_isRefused() public {
    _borrow(70);
    _fallTo(owner, 1.03e18);
    vm.mockCallRevert(Bsc.RESILIENT_ORACLE, _priceOf(Bsc.V_BTC), "invalid resilient oracle price");

    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, Bsc.V_BTC));
    guard.rescue(guardId);
  }

  /// VM-3: Venus itself would refuse too, with another error.
  function test_pausedMarket_isRefused() public {
    _borrow(70);
    _fallTo(owner, 1.03e18);
    address[] memory markets = new address[](1);
    uint8[] memory actions = new uint8[](1);
    (markets[0], actions[0]) = (Bsc.V_USDT, 3);
    _permit("_setActionsPaused(address[],uint8[],bool)");
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusPools(Bsc.COMPTROLLER).setActionsPaused(markets, actions, true);

    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayPaused.selector, Bsc.V_USDT));
    guard.rescue(guardId);
  }

  /// VM-3
  function test_pausedProtocol_isRefused() public {
    _borrow(70);
    _fallTo(owner, 1.03e18);
    _permit("_setProtocolPaused(bool)");
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusPools(Bsc.COMPTROLLER)._setProtocolPaused(true);

    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayPaused.selector, Bsc.V_USDT));
    guard.rescue(guardId);
  }

  /// VM-4: a loan in BNB, repaid from the borrower's WBNB.
  function test_rescue_ofABnbLoan() public {
    _lend(Bsc.V_BNB, 70);
    deal(Bsc.WBNB, owner, 1_000e18);
    _rescueAndCheckIn(Bsc.V_BNB, Bsc.WBNB, 0);
    assertEq(address(bowline.venusMarket).balance, 0);
  }

  /// VM-4: a loan in VAI, with interest of thousands of blocks. Venus computes principal and interest in fractions.
  function test_rescue_ofAVaiLoan() public {
    _borrowVaiAtInterest();
    vm.roll(block.number + 1_000_000);
    address vai = IVaiController(Bsc.VAI_CONTROLLER).getVAIAddress();
    _rescueAndCheckIn(Bsc.VAI_CONTROLLER, vai, 1e9);
    assertGt(IVaiController(Bsc.VAI_CONTROLLER).getVAIRepayAmount(owner), 0);
  }

  /// VM-4: down to the last unit, where the repayment equals the whole debt.
  function test_rescue_ofAVaiLoanThatIsRepaidInFull() public {
    _borrow(65);
    vm.prank(owner);
    assertEq(IVenusUser(Bsc.VAI_CONTROLLER).mintVAI(2_000e18), 0);
    vm.roll(block.number + 100_000);
    address vai = IVaiController(Bsc.VAI_CONTROLLER).getVAIAddress();
    deal(vai, owner, 3_000e18);
    _registerIn(Bsc.VAI_CONTROLLER);
    _fallTo(owner, 1.03e18);

    uint256 repaid = guard.rescue(guardId);

    assertEq(IVaiController(Bsc.VAI_CONTROLLER).getVAIRepayAmount(owner), 0);
    assertEq(IERC20(vai).balanceOf(owner), 3_000e18 - repaid);
    assertEq(uint256(guard.rescues(guardId, 0, 1)[0].outcome), uint256(ILoanGuard.Outcome.Partial));
  }

  /// LG-8: an attacker uses VAI's fractions as often as possible, with amounts of every size. In total they gain at
  /// most one unit and one billionth of each repayment. If Venus takes nothing, the rescue is refused and costs
  /// nothing.
  function test_attack_vaiInManySmallRescuesLosesFractions() public {
    _borrowVaiAtInterest();
    vm.roll(block.number + 1_234_567);
    IVaiController(Bsc.VAI_CONTROLLER).accrueVAIInterest();
    IERC20 vai = IERC20(IVaiController(Bsc.VAI_CONTROLLER).getVAIAddress());
    deal(address(vai), owner, 100e18);
    _fallTo(owner, 0.99e18);

    ILoanGuard.Terms memory terms = _terms();
    (terms.market, terms.minRepay) = (_market(Bsc.VAI_CONTROLLER), 1);
    uint128[6] memory sizes = [uint128(1), 1e5, 1e9, 1e9 + 7, 1e15, 1e18 + 1];
    vm.prank(owner);
    vai.approve(address(guard), type(uint256).max);
    uint256 debtBefore = bowline.venusMarket.storedDebt(owner, _market(Bsc.VAI_CONTROLLER));
    uint256 rescues;
    uint256 paid;
    for (uint256 i; i < sizes.length; ++i) {
      terms.capPerRescue = sizes[i];
      vm.prank(owner);
      guardId = guard.register(terms);
      for (uint256 j; j < 20; ++j) {
        try guard.rescue(guardId) returns (uint256 repaid) {
          paid += repaid;
          ++rescues;
        } catch {}
      }
    }
    uint256 fell = debtBefore - bowline.venusMarket.storedDebt(owner, _market(Bsc.VAI_CONTROLLER));
    assertEq(100e18 - vai.balanceOf(owner), paid);
    assertGt(rescues, 60);
    assertApproxEqAbs(fell, paid, rescues + paid / 1e9);
    emit log_named_uint("rescues", rescues);
    emit log_named_int("paid less fell, base units", int256(paid) - int256(fell));
  }

  /// LG-5, LG-6: a stranger's donation to a market, in the collateral's token or the debt's, makes no rescue more
  /// expensive.
  function test_attack_giftsToMarketsMakeNoRescueDearer() public {
    _borrow(70);
    _fallTo(owner, 1.03e18);
    uint256 snapshot = vm.snapshotState();
    uint256 repaid = guard.rescue(guardId);
    uint256[3] memory gifts = [uint256(1e9), 1e16, 1e19];
    for (uint256 i; i < gifts.length; ++i) {
      assertTrue(vm.revertToState(snapshot));
      deal(Bsc.BTCB, address(this), gifts[i]);
      IERC20(Bsc.BTCB).transfer(Bsc.V_BTC, gifts[i]);
      deal(Bsc.USDT, address(this), gifts[i] * 1e5);
      USDT.transfer(Bsc.V_USDT, gifts[i] * 1e5);
      IVenusUser(Bsc.V_BTC).accrueInterest();
      try guard.rescue(guardId) returns (uint256 dearer) {
        assertLe(dearer, repaid);
        assertGe(_health(owner), TARGET);
      } catch (bytes memory why) {
        assertEq(bytes4(why), ILoanGuard.HealthNotBelowTrigger.selector);
        assertGe(_health(owner), TRIGGER);
      }
      assertLe(SAVINGS - USDT.balanceOf(owner), repaid);
    }
  }

  /// LG-25: Venus lets anyone liquidate the loan at a health far above the trigger. The adapter says so, and the
  /// guard still acts only below the trigger that its owner signed.
  function test_forcedLiquidation_isTold() public {
    _borrow(60);
    assertEq(bowline.venusMarket.forcedMarkets(owner).length, 0);
    _permit("_setForcedLiquidation(address,bool)");
    _permit("_setForcedLiquidationForUser(address,address,bool)");
    vm.startPrank(Bsc.VENUS_TIMELOCK);
    IVenusPools(Bsc.COMPTROLLER)._setForcedLiquidation(Bsc.V_ETH, true);
    assertEq(bowline.venusMarket.forcedMarkets(owner).length, 0);
    IVenusPools(Bsc.COMPTROLLER)._setForcedLiquidationForUser(owner, Bsc.V_USDT, true);
    vm.stopPrank();
    bytes32[] memory forced = new bytes32[](1);
    forced[0] = _market(Bsc.V_USDT);
    assertEq(abi.encode(bowline.venusMarket.forcedMarkets(owner)), abi.encode(forced));

    uint256 health = _health(owner);
    assertGt(health, TARGET);
    assertEq(_liquidateAllowed(1e18), 0, "and Venus allows it");
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, health, TRIGGER));
    guard.rescue(guardId);
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusPools(Bsc.COMPTROLLER)._setForcedLiquidationForUser(owner, Bsc.V_USDT, false);
    assertGt(_liquidateAllowed(1e18), 0, "but for this");
    assertEq(bowline.venusMarket.forcedMarkets(owner).length, 0);
  }

  /// Venus's own test; zero allows it. Venus names its liquidator contract as the only liquidator, if it has one.
  function _liquidateAllowed(uint256 amount) private returns (uint256) {
    address liquidator = IVenusPools(Bsc.COMPTROLLER).liquidatorContract();
    if (liquidator == address(0)) liquidator = address(this);
    return IVenusPools(Bsc.COMPTROLLER).liquidateBorrowAllowed(Bsc.V_USDT, Bsc.V_BTC, liquidator, owner, amount);
  }

  /// LG-2: a market that Venus does not list would receive the borrower's tokens.
  function test_register_refusesMarkets() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.market = _market(address(bowline.planRegistry));
    vm.prank(owner);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, terms.market));
    guard.register(terms);
  }

  /// On BNB Chain, accounts other than the timelock may pause.
  function _permit(string memory signature) private {
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusPermits(Bsc.VENUS_ACCESS_CONTROL).giveCallPermission(Bsc.COMPTROLLER, signature, Bsc.VENUS_TIMELOCK);
  }

  function _market(address place) private pure returns (bytes32) {
    return MarketAddress.toMarket(place);
  }

  function _borrowVaiAtInterest() private {
    vm.prank(owner);
    assertEq(IVenusUser(Bsc.VAI_CONTROLLER).mintVAI(30_000e18), 0);
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusPools(Bsc.VAI_CONTROLLER).setBaseRate(0.05e18);
    vm.roll(block.number + 1);
    IVaiController(Bsc.VAI_CONTROLLER).accrueVAIInterest();
  }

  function _registerIn(address market) private {
    ILoanGuard.Terms memory terms = _terms();
    terms.market = _market(market);
    guardId = _register(terms);
  }

  /// @param tolerance of debt and health relative to the repayment: one part in this many, or zero for exact.
  function _rescueAndCheckIn(address market, address token, uint256 tolerance) private {
    _registerIn(market);
    _fallTo(owner, 1.03e18);
    bowline.venusMarket.accrueAndRead(owner, _market(market));
    uint256 debtBefore = bowline.venusMarket.storedDebt(owner, _market(market));
    uint256 balanceBefore = IERC20(token).balanceOf(owner);

    uint256 repaid = guard.rescue(guardId);

    uint256 fell = debtBefore - bowline.venusMarket.storedDebt(owner, _market(market));
    assertEq(balanceBefore - IERC20(token).balanceOf(owner), repaid);
    assertApproxEqAbs(fell, repaid, tolerance == 0 ? 0 : 1 + repaid / tolerance, "debt fell");
    assertApproxEqAbs(_health(owner), TARGET, 1e10);
    if (tolerance == 0) assertGe(_health(owner), TARGET);
    assertEq(IERC20(token).balanceOf(address(guard)), 0);
    assertEq(IERC20(token).balanceOf(address(bowline.venusMarket)), 0);
    assertEq(IERC20(token).allowance(address(bowline.venusMarket), market), 0);
    ILoanGuard.Rescue memory rescue = guard.rescues(guardId, 0, 1)[0];
    assertEq(uint256(rescue.outcome), uint256(ILoanGuard.Outcome.Full));
    assertApproxEqAbs(rescue.healthAfterWad, _health(owner), 1e10);
    emit log_named_int("paid less fell, base units", int256(repaid) - int256(fell));
  }

  function _adapter() internal view override returns (ILendingMarket) {
    return bowline.venusMarket;
  }

  function _market() internal pure override returns (bytes32) {
    return _market(Bsc.V_USDT);
  }

  function _spender() internal pure override returns (address) {
    return Bsc.V_USDT;
  }

  /// From the account's value, market by market.
  function _health(address account) internal view override returns (uint256) {
    (uint256 code, uint256 liquidity, uint256 shortfall) = COMPTROLLER.getAccountLiquidity(account);
    assertEq(code, 0);
    address[] memory markets = COMPTROLLER.getAssetsIn(account);
    uint256 debtUsd = IVaiController(Bsc.VAI_CONTROLLER).getVAIRepayAmount(account);
    for (uint256 i; i < markets.length; ++i) {
      debtUsd += IVToken(markets[i]).borrowBalanceStored(account) * ORACLE.getUnderlyingPrice(markets[i]) / 1e18;
    }
    return (debtUsd + liquidity - shortfall) * 1e18 / debtUsd;
  }

  function _lend(uint256 percent) internal override {
    _lend(Bsc.V_USDT, percent);
  }

  /// Borrows `percent` of Venus's valuation of the collateral before any loan.
  function _lend(address vToken, uint256 percent) private {
    uint256 priceWad = ORACLE.getUnderlyingPrice(vToken);
    uint256 collateralUsd = ORACLE.getUnderlyingPrice(Bsc.V_BTC) * 78 / 100;
    uint256 amount = collateralUsd * percent / 100 * 1e18 / priceWad;
    vm.prank(owner);
    assertEq(IVenusUser(vToken).borrow(amount), 0);
  }

  function _age() internal override {
    vm.roll(block.number + 1_000_000);
  }

  function _fallTo(address account, uint256 healthWad) internal override {
    IVToken(Bsc.V_USDT).borrowBalanceCurrent(account);
    uint256 price = ORACLE.getUnderlyingPrice(Bsc.V_BTC) * healthWad / _health(account);
    vm.mockCall(Bsc.RESILIENT_ORACLE, _priceOf(Bsc.V_BTC), abi.encode(price));
    assertApproxEqRel(_health(account), healthWad, 1e9);
  }

  function _priceOf(address vToken) private pure returns (bytes memory) {
    return abi.encodeCall(IResilientOracle.getUnderlyingPrice, (vToken));
  }
}
