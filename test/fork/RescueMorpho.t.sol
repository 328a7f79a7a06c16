// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IMorpho, IMorphoOracle} from "../../contracts/interfaces/IMorpho.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "../base/ForkBase.sol";
import {MorphoBase} from "../base/MorphoBase.sol";
import {Product} from "../base/Product.sol";
import {HookERC20} from "../mocks/HookERC20.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {RescueSuite} from "./RescueSuite.sol";

/// @notice Loans rescued in the real Morpho Blue, by a second LoanGuard beside the first (decision 0020).
abstract contract RescueMorphoBase is RescueSuite, MorphoBase {
  uint256 internal constant WAD = 1e18;

  ILendingMarket internal adapter;

  function setUp() public virtual override(ForkBase, MorphoBase) {
    super.setUp();
    adapter = _deployAdapter();
    _deployGuard();
    _supplyCollateral(owner, 1e18);
    guardId = _register(_terms());
  }

  function _deployAdapter() internal virtual returns (ILendingMarket);

  function _adapter() internal view override returns (ILendingMarket) {
    return adapter;
  }

  function _market() internal view override returns (bytes32) {
    return id;
  }

  function _spender() internal view override returns (address) {
    return address(morpho);
  }

  function _lend(uint256 percent) internal override {
    _borrowFrom(owner, _maxBorrow(owner) * percent / 100);
  }

  function _age() internal override {
    skip(20 days + 17);
  }

  function _fallTo(address account, uint256 healthWad) internal override {
    // Health is with the interest up to now.
    morpho.accrueInterest(params);
    _priceFalls(healthWad * WAD / _health(account));
  }

  function _health(address account) internal view override returns (uint256) {
    return _maxBorrow(account) * WAD / _stored(account);
  }

  /// As Morpho rounds it.
  function _stored(address account) internal view returns (uint256) {
    (, uint256 shares,) = morpho.position(id, account);
    (,, uint256 totalAssets, uint256 totalShares,,) = morpho.market(id);
    return (shares * (totalAssets + 1) + totalShares + 1e6 - 1) / (totalShares + 1e6);
  }

  function _rescueFully(address account) internal returns (uint256 repaid) {
    ILoanGuard.Terms memory terms = _terms();
    (terms.borrower, terms.funder) = (account, account);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (type(uint128).max, type(uint128).max, 1);
    guardId = _register(terms);
    deal(Bsc.USDT, account, 10_000_000e18);
    repaid = guard.rescue(guardId);
    assertEq(USDT.balanceOf(account), 10_000_000e18 - repaid);
  }
}

contract RescueMorphoForkTest is RescueMorphoBase {
  function _deployAdapter() internal override returns (ILendingMarket) {
    return Product.bareMorphoMarket(morpho);
  }

  /// MM-1: what the adapter reads is what Morpho's liquidation takes. At a health of 1 Morpho lets nobody liquidate; one
  /// unit of value less, and it does.
  function test_health_isMorphos() public {
    _borrow(90);
    skip(9 days + 1);
    morpho.accrueInterest(params);
    for (uint256 i; i < 2; ++i) {
      // The oracle's price that puts W on D, to the unit, and the one below it.
      uint256 debt = adapter.accrueAndRead(owner, id).marketDebt;
      uint256 price = ((debt * WAD + LLTV - 1) / LLTV - i) * 1e18;
      vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), abi.encode(price));
      ILendingMarket.Position memory position = adapter.accrueAndRead(owner, id);
      bool isHealthy = position.weightedCollateralValue >= position.debtValue;
      assertEq(isHealthy, i == 0);
      deal(Bsc.USDT, address(this), 1e18);
      USDT.approve(address(morpho), 1e18);
      if (isHealthy) vm.expectRevert("position is healthy");
      morpho.liquidate(params, owner, 0, 1e6, "");
    }
  }

  /// MM-2: the whole debt is repaid by shares, to the last unit and with its interest. Here the collateral counts as one
  /// base unit, so the target takes all of it.
  function test_rescue_thatRepaysTheWholeDebt() public {
    _borrow(70);
    skip(20 days + 1);
    vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), abi.encode(2e18));
    uint256 debt = _debt(owner);

    assertEq(_rescueFully(owner), debt);

    (, uint256 shares,) = morpho.position(id, owner);
    assertEq(shares, 0);
    _assertNothingStays();
  }

  /// MM-2: Morpho takes at most the debt. What it leaves goes to whom the caller names.
  function test_repay_returnsWhatMorphoDoesNotTake() public {
    _borrow(50);
    skip(100 days);
    uint256 debt = _debt(owner);
    deal(Bsc.USDT, address(adapter), debt + 7e18);
    adapter.repay(owner, id, debt + 7e18, address(0xbeef));
    assertEq(_debt(owner), 0);
    assertEq(USDT.balanceOf(address(0xbeef)), 7e18);
    _assertNothingStays();
  }

  /// MM-2: one unit less than the debt is an amount: its shares would take more than there is.
  function test_repay_leavesAUnit() public {
    _borrow(50);
    skip(100 days);
    uint256 debt = _debt(owner);
    deal(Bsc.USDT, address(adapter), debt - 1);
    adapter.repay(owner, id, debt - 1, owner);
    assertApproxEqAbs(_debt(owner), 1, 1);
    assertGt(_debt(owner), 0);
    _assertNothingStays();
  }

  /// MM-2: interest that nobody has counted yet is debt: this amount was the whole of it a hundred days ago.
  function test_repay_countsInterestFirst() public {
    _borrow(50);
    uint256 amount = _debt(owner);
    skip(100 days);
    deal(Bsc.USDT, address(adapter), amount);
    adapter.repay(owner, id, amount, owner);
    assertGt(_debt(owner), amount / 100);
    _assertNothingStays();
  }

  /// MM-5: without a debt Morpho refuses any amount, and says so itself.
  function test_repay_ofNoDebtIsRefused() public {
    deal(Bsc.USDT, address(adapter), 1e18);
    vm.expectRevert("inconsistent input");
    adapter.repay(owner, id, 1e18, owner);
  }

  /// MM-2, LG-8: how far repayments of every size are off, from one unit on, over two years of interest. Prints the most.
  function test_repay_isOffByOneUnitAtMost() public {
    _borrow(60);
    _supplyCollateral(lender, 100e18);
    _borrowFrom(lender, 800_000e18);
    uint256 most;
    for (uint256 i; i < 4; ++i) {
      skip(200 days + 17);
      for (uint256 amount = 1; amount < 1e21; amount = amount * 7 + 3) {
        uint256 off = _repayAndMeasure(amount);
        if (off > most) most = off;
      }
    }
    emit log_named_uint("off by base units at most", most);
    assertLe(most, 1);
  }

  /// MM-2: where it is off: at interest of 200 % to the unit, one unit of assets is a third of a million shares and no
  /// whole number of them.
  function test_repay_canBeOffByOneUnit() public {
    _borrow(60);
    (,, uint256 totalAssets, uint256 totalShares,,) = morpho.market(id);
    bytes32 borrowed = bytes32(uint256(keccak256(abi.encode(id, 3))) + 1);
    assertEq(uint256(vm.load(address(morpho), borrowed)), totalShares << 128 | totalAssets);
    totalAssets = 3 * (totalShares + 1e6) / 1e6 - 1;
    vm.store(address(morpho), borrowed, bytes32(totalShares << 128 | totalAssets));
    assertEq(_repayAndMeasure(1), 1);
  }

  /// MM-1, MM-2: from a hundredth of a cent to a fortune, with interest, at healths on both sides of 1.
  /// forge-config: default.fuzz.runs = 64
  function testFuzz_rescue_atAwkwardDigits(uint256 debt, uint256 age, uint256 healthWad) public {
    debt = bound(debt, 1e14, 500_000e18);
    healthWad = bound(healthWad, 0.8e18, 1.0499e18);
    address account = makeAddr("awkward");
    _supplyCollateral(account, debt * 2e36 / IMorphoOracle(params.oracle).price());
    _borrowFrom(account, debt);
    skip(bound(age, 0, 25 days));
    _fallTo(account, healthWad);

    _rescueFully(account);

    assertApproxEqRel(_health(account), TARGET, 1e12, "within a millionth");
    ILoanGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0];
    assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Full));
    assertApproxEqRel(done.healthAfterWad, _health(account), 1e12);
  }

  function _repayAndMeasure(uint256 amount) private returns (uint256 off) {
    uint256 before = _debt(owner);
    deal(Bsc.USDT, address(adapter), amount);
    adapter.repay(owner, id, amount, owner);
    uint256 fell = before - _debt(owner);
    off = fell < amount ? amount - fell : fell - amount;
  }

  /// MM-5: an oracle that reverts, has no price, or says something absurd stops its own market alone.
  function test_brokenOracle_isNamed() public {
    _borrow(75);
    bytes memory unavailable = abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, id);
    bytes[2] memory reasons = [bytes("halted"), abi.encode(IMorphoOracle(params.oracle).price())];
    vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), abi.encode(0));
    vm.expectRevert(unavailable);
    guard.rescue(guardId);
    for (uint256 i; i < 2; ++i) {
      vm.mockCallRevert(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), reasons[i]);
      vm.expectRevert(unavailable);
      guard.rescue(guardId);
    }
    uint256[2] memory absurd = [type(uint256).max, type(uint256).max / 1e18];
    for (uint256 i; i < 2; ++i) {
      vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), abi.encode(absurd[i]));
      vm.expectRevert(abi.encodeWithSelector(ILendingMarket.AccountUnreadable.selector, owner, type(uint256).max));
      guard.rescue(guardId);
    }
  }

  /// MM-5, LG-20: whoever creates a market chooses its token, which may call back while it is paid. Neither a rescue of
  /// somebody else's loan nor a repayment can be nested, and the attacker's own rescue goes on.
  function test_attack_tokenThatCallsBack() public {
    _borrow(75);
    HookERC20 hook = new HookERC20("HOOK", 18);
    params.loanToken = address(hook);
    bytes32 hooked = _createMarket(params);
    address attacker = makeAddr("attacker");
    hook.mint(attacker, 200_000e18);
    _supplyCollateral(attacker, 1e18);
    uint256 loan = _maxBorrow(attacker, hooked) * 75 / 100;
    vm.startPrank(attacker);
    hook.approve(address(morpho), type(uint256).max);
    morpho.supply(params, 100_000e18, 0, attacker, "");
    morpho.borrow(params, loan, 0, attacker, attacker);
    vm.stopPrank();
    ILoanGuard.Terms memory terms = _terms();
    (terms.borrower, terms.funder, terms.market) = (attacker, attacker, hooked);
    uint256 theirs = _register(terms);
    _fallTo(owner, 1.03e18);

    uint256 snapshot = vm.snapshotState();
    bytes[2] memory calls =
      [abi.encodeCall(guard.rescue, (guardId)), abi.encodeCall(adapter.repay, (owner, id, 1e18, attacker))];
    address[2] memory targets = [address(guard), address(adapter)];
    for (uint256 i; i < 2; ++i) {
      hook.hookTransferTo(address(morpho), targets[i], calls[i], true);
      guard.rescue(theirs);
      assertFalse(hook.succeeded());
      assertEq(bytes4(hook.returned()), ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
      assertEq(USDT.balanceOf(owner), SAVINGS);
      vm.revertToState(snapshot);
    }
  }

  /// MM-5, LG-2
  function test_register_refusesMarkets() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.market = keccak256("no market");
    bytes memory refusal = abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, terms.market);
    vm.prank(owner);
    vm.expectRevert(refusal);
    guard.register(terms);
    vm.expectRevert(refusal);
    adapter.accrueAndRead(owner, terms.market);
    vm.expectRevert(refusal);
    adapter.storedDebt(owner, terms.market);
    vm.expectRevert(refusal);
    adapter.numeraire(terms.market);
    vm.expectRevert(refusal);
    adapter.weightedCollateralBy(address(1), owner, terms.market);
    vm.expectRevert(refusal);
    adapter.repay(owner, terms.market, 1, owner);
  }

  /// MM-2, LG-26: a loan token of 6 decimals against a collateral of 8. From ten dollars up health is within a millionth.
  function test_rescue_inTokensOfOtherDecimals() public {
    MockERC20 loanToken = new MockERC20("USD6", 6);
    MockERC20 collateral = new MockERC20("BTC8", 8);
    // 50,000 for one, in base units for 1e36 of them.
    vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), abi.encode(50_000e34));
    (params.loanToken, params.collateralToken) = (address(loanToken), address(collateral));
    id = _createMarket(params);
    loanToken.mint(lender, 1_000_000e6);
    collateral.mint(owner, 1e8);
    vm.startPrank(lender);
    loanToken.approve(address(morpho), type(uint256).max);
    morpho.supply(params, 1_000_000e6, 0, lender, "");
    vm.startPrank(owner);
    collateral.approve(address(morpho), type(uint256).max);
    morpho.supplyCollateral(params, 25_000, owner, "");
    morpho.borrow(params, 10e6, 0, owner, owner);
    vm.stopPrank();
    loanToken.mint(owner, 1_000e6);
    skip(30 days + 7);
    morpho.accrueInterest(params);
    assertEq(adapter.accrueAndRead(owner, id).weightedCollateralValue, 10.75e6);
    uint256 price = 50_000e34 * 1.03e18 / _health(owner);
    vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), abi.encode(price));

    MockPriceSource source = new MockPriceSource();
    // USD for 1e18 base units: a token of 8 decimals at 50,000, and of 6 at 1.
    source.setPrice(address(collateral), 50_000e28);
    source.setPrice(address(loanToken), 1e30);
    assertEq(adapter.weightedCollateralBy(address(source), owner, id), 10.75e6);

    ILoanGuard.Terms memory terms = _terms();
    (terms.minRepay, terms.capPerRescue, terms.capPerDay) = (1e4, 1_000e6, 1_000e6);
    guardId = _register(terms);
    uint256 repaid = guard.rescue(guardId);
    assertEq(loanToken.balanceOf(owner), 1_010e6 - repaid);
    assertApproxEqRel(_health(owner), TARGET, 1e12);
  }

  /// MM-5: nor does an oracle that is no contract, or that answers less than a word.
  function test_oracleThatIsNone_isNamed() public {
    _borrow(75);
    bytes memory unavailable = abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, id);
    vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), new bytes(31));
    vm.expectRevert(unavailable);
    guard.rescue(guardId);
    vm.clearMockedCalls();
    vm.etch(params.oracle, "");
    vm.expectRevert(unavailable);
    guard.rescue(guardId);
  }

  /// MM-5: values are in the loan token, a loan in another market is another account.
  function test_views() public {
    _borrow(75);
    assertEq(adapter.repayToken(id), Bsc.USDT);
    assertEq(adapter.numeraire(id), Bsc.USDT);
    assertEq(adapter.forcedMarkets(owner).length, 0);
    ILendingMarket.Position memory position = adapter.accrueAndRead(owner, id);
    assertEq(position.repayToken, Bsc.USDT);
    assertEq(position.repayTokenPriceWad, WAD);
    assertEq(position.debtValue, position.marketDebt);
    assertEq(position.debtValue, _stored(owner));
    assertEq(position.weightedCollateralValue, _maxBorrow(owner));
    assertEq(position.minDebt, 0);
    assertTrue(position.isInexact);

    // Morpho rounds twice: of a collateral worth 1.99 base units none counts, though 1.99 * 86 % is more than one.
    vm.mockCall(params.oracle, abi.encodeCall(IMorphoOracle.price, ()), abi.encode(1.99e18));
    assertEq(adapter.accrueAndRead(owner, id).weightedCollateralValue, 0);

    IMorpho.MarketParams memory other = params;
    other.lltv = 0.5e18;
    morpho.enableLltv(other.lltv);
    bytes32 otherId = _createMarket(other);
    assertEq(adapter.accrueAndRead(owner, otherId).debtValue, 0);
    assertEq(adapter.accrueAndRead(owner, otherId).weightedCollateralValue, 0);
  }

  /// LG-26: the source's price of the collateral in the loan token, and Morpho's where the source lacks either.
  function test_weightedCollateralBy() public {
    _borrow(75);
    address source = address(bowline.chainlinkPriceSource);
    uint256 byMorpho = adapter.accrueAndRead(owner, id).weightedCollateralValue;
    assertEq(adapter.weightedCollateralBy(makeAddr("no source"), owner, id), byMorpho);
    assertApproxEqRel(adapter.weightedCollateralBy(source, owner, id), byMorpho, 1e9);
    _standardFeedFallsTo(80);
    assertApproxEqRel(adapter.weightedCollateralBy(source, owner, id), byMorpho * 4 / 5, 1e9);
    assertEq(adapter.weightedCollateralBy(source, makeAddr("stranger"), id), 0);

    // A loan token at 98 cents: the collateral counts as more of it.
    vm.mockCall(
      Bsc.USDT_FEED,
      abi.encodeCall(IAggregatorV3.latestRoundData, ()),
      abi.encode(uint80(1), 0.98e8, block.timestamp, block.timestamp, uint80(1))
    );
    assertApproxEqRel(adapter.weightedCollateralBy(source, owner, id), byMorpho * 80 / 98, 1e9);

    // Only the collateral has a price there.
    params.loanToken = address(new MockERC20("NONE", 18));
    id = _createMarket(params);
    _supplyCollateral(owner, 1e18);
    assertEq(adapter.weightedCollateralBy(source, owner, id), _maxBorrow(owner));
  }
}

/// @notice What a rescue in Morpho costs, as a transaction of its own: cold storage, and the gas that a receipt would show.
/// forge-config: default.isolate = true
contract RescueMorphoGasForkTest is RescueMorphoBase {
  function _deployAdapter() internal override returns (ILendingMarket) {
    return Product.bareMorphoMarket(morpho);
  }

  /// LG-20: a rescue has gas enough in a list.
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
    emit log_named_uint("a rescue alone", vm.lastCallGas().gasTotalUsed);
    vm.revertToState(snapshot);
    assertTrue(guard.rescueMany(ids, 0)[0].isRescued);
    emit log_named_uint("a list of one", vm.lastCallGas().gasTotalUsed);
  }
}
