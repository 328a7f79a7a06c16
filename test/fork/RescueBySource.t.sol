// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IResilientOracle, IVToken, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {BoundedPrices} from "../../contracts/libraries/BoundedPrices.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "../base/ForkBase.sol";
import {GuardTerms} from "../base/GuardTerms.sol";
import {IVenusPools, IVenusUser} from "./RescueVenus.t.sol";

/// @notice Guards that watch the standard Chainlink feeds beside Venus's oracle, on the real Venus core pool. The
/// borrower holds 1 BTC and 10 BNB in it, and owes USDT.
contract RescueBySourceForkTest is ForkBase {
  IVenusComptroller internal constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle internal constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  bytes32 internal immutable market = MarketAddress.toMarket(Bsc.V_USDT);

  uint256 internal watching;
  uint256 internal plain;

  function setUp() public override {
    super.setUp();
    deal(Bsc.BTCB, owner, 1e18);
    vm.deal(owner, 10 ether);
    vm.startPrank(owner);
    IERC20(Bsc.BTCB).approve(Bsc.V_BTC, 1e18);
    assertEq(IVenusUser(Bsc.V_BTC).mint(1e18), 0);
    (bool supplied,) = Bsc.V_BNB.call{value: 10 ether}(abi.encodeWithSignature("mint()"));
    assertTrue(supplied);
    address[] memory entered = new address[](2);
    (entered[0], entered[1]) = (Bsc.V_BTC, Bsc.V_BNB);
    IVenusUser(Bsc.COMPTROLLER).enterMarkets(entered);
    (, uint256 liquidity,) = COMPTROLLER.getAccountLiquidity(owner);
    // Health 1.12.
    assertEq(
      IVenusUser(Bsc.V_USDT).borrow(liquidity * 1e18 / 1.12e18 * 1e18 / ORACLE.getUnderlyingPrice(Bsc.V_USDT)), 0
    );
    IERC20(Bsc.USDT).approve(address(bowline.loanGuard), type(uint256).max);
    watching = bowline.loanGuard.register(_terms(address(bowline.chainlinkPriceSource)));
    plain = bowline.loanGuard.register(_terms(address(0)));
    vm.stopPrank();
    deal(Bsc.USDT, owner, 100_000e18);
  }

  /// LG-26: by Venus's own prices the sum is Venus's own, to the unit. The source does answer, on cold storage: another
  /// price of BTC changes the sum by its part.
  /// forge-config: default.isolate = true
  function test_weightedCollateralBy_isVenussSumAtVenussPrices() public {
    _assertSameSum();
    assertEq(this.venussPriceOf(Bsc.BTCB), ORACLE.getUnderlyingPrice(Bsc.V_BTC));
    assertEq(this.venussPriceOf(Bsc.WBNB), ORACLE.getUnderlyingPrice(Bsc.V_BNB));

    uint256 before = bowline.venusMarket.weightedCollateralBy(address(bowline.venusPriceSource), owner, market);
    uint256 price = ORACLE.getUnderlyingPrice(Bsc.V_BTC);
    vm.mockCall(
      Bsc.RESILIENT_ORACLE, abi.encodeWithSignature("getPrice(address)", Bsc.BTCB), abi.encode(price * 99 / 100)
    );
    uint256 lower = bowline.venusMarket.weightedCollateralBy(address(bowline.venusPriceSource), owner, market);
    uint256 ofBtc = COMPTROLLER.getEffectiveLtvFactor(owner, Bsc.V_BTC, 1) * price / 1e18;
    assertApproxEqRel(before - lower, ofBtc / 100, 1e12);
  }

  /// VM-1, LG-26: what is supplied to a market that its owner has not entered is no collateral, neither for Venus nor here,
  /// while a loan stands in another market. Entered, it counts for both.
  function test_weightedCollateralBy_leavesOutWhatIsNotEnabledAsCollateral() public {
    uint256 before = bowline.venusMarket.accrueAndRead(owner, market).weightedCollateralValue;
    deal(Bsc.ETH, owner, 5e18);
    vm.startPrank(owner);
    IERC20(Bsc.ETH).approve(Bsc.V_ETH, 5e18);
    assertEq(IVenusUser(Bsc.V_ETH).mint(5e18), 0);
    assertEq(bowline.venusMarket.accrueAndRead(owner, market).weightedCollateralValue, before);
    _assertSameSum();
    address[] memory entered = new address[](1);
    entered[0] = Bsc.V_ETH;
    IVenusUser(Bsc.COMPTROLLER).enterMarkets(entered);
    vm.stopPrank();
    assertGt(bowline.venusMarket.accrueAndRead(owner, market).weightedCollateralValue, before);
    _assertSameSum();
  }

  /// Zero if the source gives none within its gas.
  function venussPriceOf(address token) external view returns (uint256) {
    return BoundedPrices.priceOrZero(address(bowline.venusPriceSource), token);
  }

  /// LG-26: also in an e-mode pool, with that pool's thresholds.
  function test_weightedCollateralBy_inAnEModePool() public {
    ILendingMarket.Position memory outside = bowline.venusMarket.accrueAndRead(owner, market);
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
    assertGt(bowline.venusMarket.accrueAndRead(owner, market).weightedCollateralValue, outside.weightedCollateralValue);
    _assertSameSum();
  }

  /// LG-26, LG-27: the standard feed has fallen and Venus's price has not. The guard that watches the feed rescues the
  /// loan now. The one that does not is refused, and once Venus's price moves the loan can be liquidated in the same
  /// transaction.
  function test_rescue_beforeVenussPriceMoves() public {
    uint256 priceBefore = ORACLE.getUnderlyingPrice(Bsc.V_BTC);
    _standardFeedFallsTo(85);
    assertEq(ORACLE.getUnderlyingPrice(Bsc.V_BTC), priceBefore, "Venus's price lags");
    uint256 health = _health();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, health, 1.05e18));
    bowline.loanGuard.rescue(plain);

    uint256 snapshot = vm.snapshotState();
    _venussPriceFalls(priceBefore * 85 / 100);
    assertLt(_health(), 1e18, "unwatched, the loan can be liquidated at once");
    assertTrue(vm.revertToState(snapshot));
    // A snapshot does not undo it.
    _venussPriceFalls(priceBefore);

    uint256 balance = IERC20(Bsc.USDT).balanceOf(owner);
    uint256 repaid = bowline.loanGuard.rescue(watching);
    assertEq(balance - IERC20(Bsc.USDT).balanceOf(owner), repaid);
    assertApproxEqAbs(_health(), 1.25e18, 1e6, "at the target by Venus's own sums");
    assertEq(bowline.loanGuard.rescues(watching, 0, 1)[0].healthBeforeWad, health / 1e9 * 1e9);
    _venussPriceFalls(priceBefore * 85 / 100);
    assertGt(_health(), 1.05e18, "watched, it is not even below the trigger");
  }

  /// LG-3, LG-28: with the page's own terms. The source's rescue, sized by Venus's old prices, does not hold back the one
  /// that the loan needs once Venus's price follows.
  function test_rescue_afterVenussPriceMovesWaitsForNoCooldown() public {
    ILoanGuard.Terms memory terms = _terms(address(bowline.chainlinkPriceSource));
    (terms.triggerHealthWad, terms.cooldownSeconds) = (1.1e18, 1 hours);
    vm.prank(owner);
    uint256 id = bowline.loanGuard.register(terms);
    uint256 price = ORACLE.getUnderlyingPrice(Bsc.V_BTC);
    _standardFeedFallsTo(80);
    bowline.loanGuard.rescue(id);
    assertApproxEqAbs(_health(), 1.25e18, 1e6);

    _venussPriceFalls(price * 80 / 100);
    assertLt(_health(), 1.05e18, "nearly all of the distance is gone");
    bowline.loanGuard.rescue(id);
    assertApproxEqAbs(_health(), 1.25e18, 1e6);

    _venussPriceFalls(price * 60 / 100);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.CoolingDown.selector, block.timestamp + 1 hours, block.timestamp));
    bowline.loanGuard.rescue(id);
  }

  /// LG-20, LG-26: the same within the gas of a list.
  function test_rescueMany_beforeVenussPriceMoves() public {
    _standardFeedFallsTo(85);
    uint256[] memory ids = new uint256[](1);
    ids[0] = watching;
    assertTrue(bowline.loanGuard.rescueMany(ids, 0)[0].isRescued);
  }

  /// LG-28, PS-5: a feed pinned at the end of its band, or stale, triggers nothing.
  function test_attack_aPinnedOrStaleFeedTriggersNothing() public {
    bytes memory asked = abi.encodeCall(IAggregatorV3.latestRoundData, ());
    uint256 health = _health();
    (,,, uint8 exponent, uint24 bandMin,) = bowline.chainlinkPriceSource.feedOf(Bsc.BTCB);
    vm.mockCall(Bsc.BTC_FEED, asked, abi.encode(1, bandMin * 10 ** uint256(exponent), 0, block.timestamp, 1));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, health, 1.05e18));
    bowline.loanGuard.rescue(watching);
    vm.mockCall(Bsc.BTC_FEED, asked, abi.encode(1, _answer() * 85 / 100, 0, block.timestamp - 1 hours, 1));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.HealthNotBelowTrigger.selector, health, 1.05e18));
    bowline.loanGuard.rescue(watching);
  }

  function _assertSameSum() private {
    ILendingMarket.Position memory position = bowline.venusMarket.accrueAndRead(owner, market);
    uint256 value = bowline.venusMarket.weightedCollateralBy(address(bowline.venusPriceSource), owner, market);
    assertEq(value, position.weightedCollateralValue);
    // Without any source, it is again the protocol's prices.
    assertEq(bowline.venusMarket.weightedCollateralBy(address(1), owner, market), value);
  }

  function _standardFeedFallsTo(uint256 percent) private {
    vm.mockCall(
      Bsc.BTC_FEED,
      abi.encodeCall(IAggregatorV3.latestRoundData, ()),
      abi.encode(1, _answer() * percent / 100, 0, block.timestamp, 1)
    );
  }

  function _answer() private view returns (uint256) {
    (, int256 answer,,,) = IAggregatorV3(Bsc.BTC_FEED).latestRoundData();
    return uint256(answer);
  }

  function _venussPriceFalls(uint256 priceWad) private {
    vm.mockCall(
      Bsc.RESILIENT_ORACLE, abi.encodeCall(IResilientOracle.getUnderlyingPrice, (Bsc.V_BTC)), abi.encode(priceWad)
    );
  }

  /// By Venus's prices, and without the adapter.
  function _health() private view returns (uint256) {
    (, uint256 liquidity, uint256 shortfall) = COMPTROLLER.getAccountLiquidity(owner);
    uint256 debtUsd = IVToken(Bsc.V_USDT).borrowBalanceStored(owner) * ORACLE.getUnderlyingPrice(Bsc.V_USDT) / 1e18;
    return (debtUsd + liquidity - shortfall) * 1e18 / debtUsd;
  }

  function _terms(address source) private view returns (ILoanGuard.Terms memory terms) {
    terms = GuardTerms.plain(owner, address(bowline.venusMarket), market, 50_000e18);
    (terms.priceSource, terms.capPerDay, terms.minRepay) = (source, 100_000e18, 1e18);
  }
}
