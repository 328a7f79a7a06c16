// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ICollateralMarket} from "../../../contracts/interfaces/ICollateralMarket.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IVToken, IVTokenDeposit} from "../../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase, IVenusAll} from "../../base/CollateralForkBase.sol";
import {IVenusPools} from "../RescueVenus.t.sol";

/// @notice What Venus allows, refuses and charges, and which terms it makes sound.
contract CollateralVenusForkTest is CollateralForkBase {
  /*//////////////////////////////////////////////////////////////
                       BORROWING POWER AFTERWARDS
  //////////////////////////////////////////////////////////////*/

  /// VM-3: Venus refuses a transfer that leaves the account without borrowing power, however much its health by thresholds has
  /// risen. Small rescues are impossible then, and large ones are not.
  function test_factorBelowThreshold_setsTheLeastSize() public {
    _borrowTo(1.08e18);
    _setFactor(Bsc.V_ETH, 0.7e18, 0.8e18);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.capPerRescue = 100e18;
    uint256 small = _register(terms);
    vm.expectRevert(_powerTooLow());
    guard.rescue(small, none);
    _rescueAndCheck(Bsc.V_ETH);
  }

  /// VM-3: Venus's bounded price of the collateral is below its price: the same refusal.
  function test_windowPrices_canRefuse() public {
    _borrowTo(1.08e18);
    address bounded = IVenusAll(Bsc.COMPTROLLER).deviationBoundedOracle();
    (uint256 low, uint256 high) = IVenusAll(bounded).getBoundedPricesView(Bsc.V_ETH);
    assertEq(low, ORACLE.getUnderlyingPrice(Bsc.V_ETH));
    bytes memory question = abi.encodeCall(IVenusAll.getBoundedPricesView, (Bsc.V_ETH));
    vm.mockCall(bounded, question, abi.encode(low * 75 / 100, high));
    vm.expectRevert(_powerTooLow());
    guard.rescue(guardId, none);
    vm.mockCall(bounded, question, abi.encode(low * 85 / 100, high));
    _rescueAndCheck(Bsc.V_ETH);
  }

  /// CG-1: Venus winds a market down by a factor of zero, with its threshold left: no transfer is allowed as long as there is
  /// debt, so that no target works but the one without any.
  function test_factorOfZero_onlyUnwinds() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    _borrowTo(1.08e18);
    _setFactor(Bsc.V_ETH, 0, 0.8e18);
    vm.expectRevert(_powerTooLow());
    guard.rescue(guardId, none);
    _assertRefused(terms, abi.encodeWithSelector(ICollateralGuard.TargetBelowPower.selector, TARGET, type(uint256).max));
    terms.targetHealthWad = UNWIND;
    guardId = _register(terms);
    guard.rescue(guardId, none);
    assertEq(IVToken(Bsc.V_USDT).borrowBalanceStored(owner), 0);
  }

  function _powerTooLow() private view returns (bytes memory) {
    return
      abi.encodeWithSelector(ICollateralMarket.BorrowingPowerTooLow.selector, owner, MarketAddress.toMarket(Bsc.V_ETH));
  }

  /*//////////////////////////////////////////////////////////////
                            FEES AND PAUSES
  //////////////////////////////////////////////////////////////*/

  /// CG-9
  function test_redeemFee_isInsideTheCost() public {
    _setRedeemFee(0.005e18);
    _borrowTo(1.08e18);
    (, uint256 cost) = _rescueAndCheck(Bsc.V_ETH);
    emit log_named_uint("all-in cost with a fee of 50 bps, 1/100 bps", cost);
    assertGt(cost, 5_000);
  }

  function test_redeemFee_aboveTheCost_isRefused() public {
    _setRedeemFee(0.02e18);
    _borrowTo(1.08e18);
    vm.expectPartialRevert(ICollateralGuard.PoolTooDear.selector);
    guard.rescue(guardId, none);
  }

  /// VM-3
  function test_pauses_areRefusedByName() public {
    _borrowTo(1.08e18);
    bytes4[3] memory names = [
      ICollateralMarket.WithdrawalPaused.selector,
      ICollateralMarket.TransferPaused.selector,
      ILendingMarket.RepayPaused.selector
    ];
    address[3] memory markets = [Bsc.V_ETH, Bsc.V_ETH, Bsc.V_USDT];
    uint8[3] memory actions = [uint8(1), 6, 3];
    for (uint256 i; i < 3; ++i) {
      uint256 snapshot = vm.snapshotState();
      _pause(markets[i], actions[i]);
      vm.expectRevert(abi.encodeWithSelector(names[i], markets[i]));
      guard.rescue(guardId, none);
      vm.revertToState(snapshot);
    }
    _permit("_setProtocolPaused(bool)");
    vm.prank(Bsc.VENUS_TIMELOCK);
    IVenusPools(Bsc.COMPTROLLER)._setProtocolPaused(true);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayPaused.selector, Bsc.V_USDT));
    guard.rescue(guardId, none);
  }

  /// LG-3: the collateral's interest up to this block is in its rate.
  function test_interestOfTheCollateral_isAccrued() public {
    deal(Bsc.USDC, stranger, 1_000_000e18);
    vm.startPrank(stranger);
    IERC20(Bsc.USDC).approve(Bsc.V_USDC, type(uint256).max);
    assertEq(IVenusAll(Bsc.V_USDC).mint(1_000_000e18), 0);
    _enter(Bsc.V_USDC);
    assertEq(IVenusAll(Bsc.V_ETH).borrow(100e18), 0);
    vm.stopPrank();
    vm.roll(block.number + 100_000);
    uint256 stored = IVTokenDeposit(Bsc.V_ETH).exchangeRateStored();
    uint256 rate = ICollateralMarket(adapter).accrueAndReadCollateral(owner, MarketAddress.toMarket(Bsc.V_ETH)).rateWad;
    assertGt(rate, stored);
    assertEq(rate, IVTokenDeposit(Bsc.V_ETH).exchangeRateStored());
  }

  /// VM-3
  function test_brokenFeed_isRefusedByName() public {
    _borrowTo(1.08e18);
    vm.mockCallRevert(
      Bsc.RESILIENT_ORACLE, abi.encodeCall(ORACLE.getUnderlyingPrice, (Bsc.V_ETH)), "invalid resilient oracle price"
    );
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, Bsc.V_ETH));
    guard.rescue(guardId, none);
  }

  /*//////////////////////////////////////////////////////////////
                              REGISTRATION
  //////////////////////////////////////////////////////////////*/

  /// CG-2: At most half of what a liquidation takes, in the account's e-mode pool, too.
  function test_cost_isAtMostHalfOfTheIncentive() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.maxCostBps = 500;
    _assertSound(terms);
    terms.maxCostBps = 501;
    _assertRefused(terms, abi.encodeWithSelector(ICollateralGuard.CostRefused.selector, 501, 500));
    terms.maxCostBps = 0;
    _assertRefused(terms, abi.encodeWithSelector(ICollateralGuard.CostRefused.selector, 0, 500));

    vm.startPrank(Bsc.VENUS_TIMELOCK);
    uint96 pool = IVenusPools(Bsc.COMPTROLLER).createPool("bowline");
    (uint96[] memory pools, address[] memory markets) = (new uint96[](2), new address[](2));
    (pools[0], markets[0]) = (pool, Bsc.V_ETH);
    (pools[1], markets[1]) = (pool, Bsc.V_USDT);
    IVenusPools(Bsc.COMPTROLLER).addPoolMarkets(pools, markets);
    IVenusPools(Bsc.COMPTROLLER).setCollateralFactor(pool, Bsc.V_ETH, 0.9e18, 0.93e18);
    vm.stopPrank();
    _permit("setLiquidationIncentive(uint96,address,uint256)");
    vm.prank(Bsc.VENUS_TIMELOCK);
    (bool done,) = Bsc.COMPTROLLER
      .call(abi.encodeWithSignature("setLiquidationIncentive(uint96,address,uint256)", pool, Bsc.V_ETH, 1.03e18));
    assertTrue(done);
    vm.prank(owner);
    IVenusPools(Bsc.COMPTROLLER).enterPool(pool);
    terms.maxCostBps = 151;
    _assertRefused(terms, abi.encodeWithSelector(ICollateralGuard.CostRefused.selector, 151, 150));
  }

  /// CG-1: The target times factor over threshold is at least 1; what is no collateral of this account is not asked.
  function test_target_leavesBorrowingPower() public {
    _setFactor(Bsc.V_ETH, 0.7e18, 0.8e18);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.triggerHealthWad, terms.targetHealthWad) = (1.05e18, 1.14e18);
    uint256 minWad = 1.142857142857142858e18;
    _assertRefused(terms, abi.encodeWithSelector(ICollateralGuard.TargetBelowPower.selector, 1.14e18, minWad));
    terms.targetHealthWad = uint64(minWad);
    _assertSound(terms);
    terms.targetHealthWad = 1.14e18;
    terms.collateralMarket = MarketAddress.toMarket(Bsc.V_BTC);
    _setFactor(Bsc.V_BTC, 0.7e18, 0.8e18);
    _assertSound(terms);
  }

  /// CG-1
  function test_terms_areRefusedByName() public {
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    terms.triggerHealthWad = 1e18 - 1;
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.TriggerRefused.selector, 1e18 - 1, 1e18));
    terms = _terms(Bsc.V_ETH);
    terms.targetHealthWad = 1.122e18 - 1;
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.TargetRefused.selector, 1.122e18 - 1, 1.122e18, 10e18));
    terms.targetHealthWad = 10e18 + 1;
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.TargetRefused.selector, 10e18 + 1, 1.122e18, 10e18));
    terms.targetHealthWad = 10e18;
    _assertSound(terms);
    terms.minRepay = 0;
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.MinRepayRefused.selector, 0, 50_000e18, 100_000e18));
    terms.minRepay = 50_000e18 + 1;
    _assertRefused(
      terms, abi.encodeWithSelector(ILoanGuard.MinRepayRefused.selector, 50_000e18 + 1, 50_000e18, 100_000e18)
    );
    terms = _terms(Bsc.V_ETH);
    (terms.minRepay, terms.capPerDay) = (2e18, 2e18 - 1);
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.MinRepayRefused.selector, 2e18, 50_000e18, 2e18 - 1));
    terms = _terms(Bsc.V_ETH);
    terms.expiresAt = uint40(block.timestamp);
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.ExpiryRefused.selector, block.timestamp, block.timestamp));
    terms = _terms(Bsc.V_ETH);
    terms.adapter = address(bowline.venusMarket);
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.AdapterRefused.selector, bowline.venusMarket));
    terms = _terms(Bsc.V_ETH);
    terms.priceSource = address(bowline.venusPriceSource);
    _assertRefused(terms, abi.encodeWithSelector(ILoanGuard.PriceSourceRefused.selector, bowline.venusPriceSource));
    terms = _terms(Bsc.V_ETH);
    terms.collateralMarket = MarketAddress.toMarket(stranger);
    _assertRefused(terms, abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, terms.collateralMarket));
    terms.collateralMarket = MarketAddress.toMarket(Bsc.VAI_CONTROLLER);
    _assertRefused(terms, abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, terms.collateralMarket));
    terms = _terms(Bsc.V_ETH);
    terms.debtMarket = MarketAddress.toMarket(stranger);
    _assertRefused(terms, abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, terms.debtMarket));
    vm.prank(stranger);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotBorrower.selector, stranger, owner));
    guard.register(_terms(Bsc.V_ETH));
  }

  function _assertSound(ICollateralGuard.Terms memory terms) private {
    (address repayToken, address collateralToken) = rules.requireSound(terms);
    assertEq(repayToken, Bsc.USDT);
    uint256 id = _register(terms);
    assertEq(guard.guard(id).repayToken, repayToken);
    assertEq(guard.guard(id).collateralToken, collateralToken);
    assertEq(abi.encode(guard.guard(id).terms), abi.encode(terms), "terms as they were given");
  }

  /// The view tells a page what the registration would.
  function _assertRefused(ICollateralGuard.Terms memory terms, bytes memory reason) private {
    vm.expectRevert(reason);
    rules.requireSound(terms);
    vm.prank(owner);
    vm.expectRevert(reason);
    guard.register(terms);
  }
}
