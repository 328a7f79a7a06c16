// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IMoolah, IMoolahOracle} from "../../contracts/interfaces/IMorpho.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "../base/ForkBase.sol";
import {MoolahBase} from "../base/MoolahBase.sol";
import {Product} from "../base/Product.sol";
import {MoolahStandIn} from "../mocks/moolah/MoolahStandIn.sol";
import {RescueSuite} from "./RescueSuite.sol";

/// @notice Loans in Lista Lending rescued at its published addresses: on
/// BSC_RPC_URL in the real one, else in the replica's stand-in, which is Morpho Blue's own code with what Moolah adds.
contract RescueMoolahForkTest is RescueSuite, MoolahBase {
  uint256 private constant WAD = 1e18;

  ILendingMarket private adapter;

  function setUp() public override(ForkBase, MoolahBase) {
    super.setUp();
    adapter = Product.moolahMarket(moolah);
    _deployGuard();
    _supplyCollateral(owner, 1e18);
    guardId = _register(_terms());
  }

  /// MM-1: what the adapter reads is what Moolah's own liquidation test takes, to the unit of its price.
  function test_health_isMoolahs() public {
    _borrow(90);
    skip(9 days + 1);
    moolah.accrueInterest(params);
    uint256 usd = _peek(Bsc.BTCB);
    // Halves the distance between a healthy and an unhealthy price until they are neighbours.
    uint256 low = usd / 2;
    while (usd - low > 1) {
      uint256 middle = (usd + low) / 2;
      _setPrice(Bsc.BTCB, middle);
      if (moolah.isHealthy(params, id, owner)) usd = middle;
      else low = middle;
    }
    uint256[2] memory prices = [low, usd];
    for (uint256 i; i < 2; ++i) {
      _setPrice(Bsc.BTCB, prices[i]);
      ILendingMarket.Position memory position = _adapter().accrueAndRead(owner, id);
      assertEq(position.weightedCollateralValue >= position.debtValue, i == 1);
      assertEq(moolah.isHealthy(params, id, owner), i == 1);
    }
  }

  /// MM-1: US dollars by the price that Moolah asks its oracle for, D rounded up and W down.
  function test_values_areDollars() public {
    _borrow(75);
    _setPrice(Bsc.USDT, 0.97e8);
    // By a source, USDT is a dollar: the collateral is worth less of it.
    assertApproxEqRel(
      adapter.weightedCollateralBy(address(bowline.chainlinkPriceSource), owner, id),
      adapter.accrueAndRead(owner, id).weightedCollateralValue * 97 / 100,
      0.01e18
    );
    // Awkward digits.
    skip(9 days + 1);
    _borrowFrom(owner, 33);
    ILendingMarket.Position memory position = adapter.accrueAndRead(owner, id);
    assertEq(adapter.numeraire(id), address(0));
    assertEq(position.repayTokenPriceWad, 0.97e18);
    assertEq(position.debtValue, (_stored(owner) * 97 + 99) / 100);
    assertEq(position.weightedCollateralValue, _maxBorrow(owner) * 97 / 100);
    assertApproxEqRel(position.weightedCollateralValue, _peek(Bsc.BTCB) * 1e10 * params.lltv / WAD, 1e9);
  }

  /// A rescue that would leave less than Moolah's minimum repays all of it.
  function test_rescue_thatWouldLeaveTooLittleRepaysAll() public {
    uint256 debt = moolah.minLoan(params) * 4 / 3;
    _borrowFrom(owner, debt);
    _fallTo(owner, 0.9e18);
    deal(Bsc.USDT, owner, SAVINGS);
    assertEq(guard.rescue(guardId), debt);
    assertEq(_debt(owner), 0);
  }

  /// Or, where the bounds do not allow that, leaves the minimum.
  function test_rescue_leavesTheMinimum() public {
    uint256 minLoan = moolah.minLoan(params);
    _borrowFrom(owner, minLoan * 4 / 3);
    _fallTo(owner, 0.9e18);
    uint256 debt = _debt(owner);
    deal(Bsc.USDT, owner, debt / 2);
    assertEq(guard.rescue(guardId), debt - minLoan - 2);
    assertGe(_debt(owner), minLoan);
    assertApproxEqAbs(_debt(owner), minLoan, 3);
  }

  /// LG-22: a debt already below the minimum is repaid whole or not at all.
  function test_rescue_ofADebtBelowTheMinimum() public {
    MoolahStandIn standIn = _standIn();
    _borrowFrom(owner, 20e18);
    standIn.setMinLoanValue(50e8);
    _fallTo(owner, 1.04e18);
    deal(Bsc.USDT, owner, 8e18);
    vm.expectPartialRevert(ILoanGuard.RemainderRefused.selector);
    guard.rescue(guardId);
    deal(Bsc.USDT, owner, 30e18);
    assertEq(guard.rescue(guardId), 20e18);
  }

  /// LG-8: at every size, age and minimum Moolah accepts what LoanGuard leaves, and a full rescue reaches the target
  /// within a millionth.
  /// forge-config: default.fuzz.runs = 64
  function testFuzz_rescue_isAccepted(uint256 debt, uint256 savings, uint256 minimum, uint256 age, uint256 usd) public {
    MoolahStandIn standIn = _standIn();
    standIn.setMinLoanValue(bound(minimum, 1e5, 30e8));
    _setPrice(Bsc.USDT, bound(usd, 0.9e8, 1.1e8));
    debt = bound(debt, 40e18, 200e18);
    _borrowFrom(owner, debt);
    skip(bound(age, 0, 25 days));
    _fallTo(owner, bound(minimum, 0.3e18, 1.04e18));
    deal(Bsc.USDT, owner, bound(savings, 1e15, 250e18));
    uint256 minLoan = moolah.minLoan(params);
    guard.rescue(guardId);
    uint256 left = _debt(owner);
    assertTrue(left == 0 || left >= minLoan);
    ILoanGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0];
    if (left != 0) assertApproxEqRel(done.healthAfterWad, _health(owner), 1e12);
    if (left > minLoan + 3 && done.outcome == ILoanGuard.Outcome.Full) {
      assertApproxEqRel(_health(owner), TARGET, 1e12, "within a millionth");
    }
  }

  /// MM-5: an oracle that has no price, or an absurd one, stops its own market alone.
  function test_brokenOracle_isNamed() public {
    _borrow(75);
    address[2] memory tokens = [Bsc.USDT, Bsc.BTCB];
    for (uint256 i; i < 2; ++i) {
      uint256 usd = _peek(tokens[i]);
      vm.mockCallRevert(params.oracle, abi.encodeCall(IMoolahOracle.peek, (tokens[i])), "halted");
      vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, id));
      guard.rescue(guardId);
      // A source prices the collateral in the loan token, but not the loan token in dollars as the debt counts.
      if (i == 0) {
        vm.expectRevert(abi.encodeWithSelector(ILendingMarket.PriceUnavailable.selector, id));
        adapter.weightedCollateralBy(address(bowline.chainlinkPriceSource), owner, id);
      }
      vm.clearMockedCalls();
      _setPrice(tokens[1 - i], _peek(tokens[1 - i]));
      _setPrice(tokens[i], usd);
    }
    _setPrice(Bsc.USDT, type(uint256).max);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.AccountUnreadable.selector, owner, type(uint256).max));
    guard.rescue(guardId);
  }

  /// MM-5
  function test_rescue_whileMoolahIsPausedIsRefused() public {
    MoolahStandIn standIn = _standIn();
    _borrow(75);
    _fallTo(owner, 1.03e18);
    standIn.setPaused(true);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayPaused.selector, id));
    guard.rescue(guardId);
    standIn.setPaused(false);
    _rescueAndCheck();
  }

  /// MM-5, LG-2: where a broker repays, its debt is another one: no guard is registered, none acts, and every view says why.
  function test_brokersMarket_isRefusedByName() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    vm.mockCall(Bsc.MOOLAH, abi.encodeCall(IMoolah.brokers, (id)), abi.encode(address(0xbeef)));
    bytes memory refusal = abi.encodeWithSelector(ILendingMarket.MarketBrokered.selector, id);
    vm.expectRevert(refusal);
    guard.rescue(guardId);
    vm.prank(owner);
    vm.expectRevert(refusal);
    guard.register(_terms());
    ILendingMarket market = _adapter();
    vm.expectRevert(refusal);
    market.accrueAndRead(owner, id);
    vm.expectRevert(refusal);
    market.storedDebt(owner, id);
    vm.expectRevert(refusal);
    market.repayToken(id);
    vm.expectRevert(refusal);
    market.numeraire(id);
    vm.expectRevert(refusal);
    market.weightedCollateralBy(address(1), owner, id);
  }

  /// MM-5
  function test_unknownMarket_isRefused() public {
    bytes32 unknown = keccak256("no market");
    ILendingMarket market = _adapter();
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, unknown));
    market.accrueAndRead(owner, unknown);
  }

  /// A provider, which alone may move its collateral, changes nothing for a guard that pays with the wallet.
  function test_providersCollateral_isGuardedFromTheWallet() public {
    MoolahStandIn standIn = _standIn();
    _borrow(75);
    standIn.setProvider(id, Bsc.BTCB, address(0xbeef));
    vm.prank(owner);
    vm.expectRevert("not provider");
    moolah.withdrawCollateral(params, 1, owner, owner);
    _fallTo(owner, 1.03e18);
    _rescueAndCheck();
  }

  /// What the script deploys: one LoanGuard takes both protocols' loans, and a funder approves once.
  function test_deployedGuard_knowsBothProtocols() public view {
    assertTrue(bowline.loanGuard.isAdapter(address(bowline.venusMarket)));
    assertTrue(bowline.loanGuard.isAdapter(address(bowline.moolahMarket)));
    assertEq(bowline.moolahMarket.repayToken(id), bowline.venusMarket.repayToken(MarketAddress.toMarket(Bsc.V_USDT)));
  }

  /// LG-20: a rescue has gas enough in a list. Prints what it takes in storage that the test has warmed.
  function test_rescue_takesGas() public {
    _borrow(75);
    _fallTo(owner, 1.03e18);
    guard.rescue(guardId);
    emit log_named_uint("a rescue", vm.lastCallGas().gasTotalUsed);
  }

  function _adapter() internal view override returns (ILendingMarket) {
    return adapter;
  }

  function _market() internal pure override returns (bytes32) {
    return id;
  }

  function _spender() internal pure override returns (address) {
    return address(moolah);
  }

  function _lend(uint256 percent) internal override {
    _borrowFrom(owner, _maxBorrow(owner) * percent / 100);
  }

  function _age() internal override {
    skip(20 days + 17);
  }

  function _fallTo(address account, uint256 healthWad) internal override {
    // Health is with the interest up to now.
    moolah.accrueInterest(params);
    _setPrice(Bsc.BTCB, _peek(Bsc.BTCB) * healthWad / _health(account));
  }

  function _health(address account) internal view override returns (uint256) {
    return _maxBorrow(account) * WAD / _stored(account);
  }
}
