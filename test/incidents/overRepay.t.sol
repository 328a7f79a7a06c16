// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {LoanIncidentBase} from "../base/LoanIncidentBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {SmallGuard} from "./twins/SmallGuard.sol";

/// The mistake: a rescue pays the agreed amount, whatever the current debt.
contract OverRepayTwin is SmallGuard {
  function _sized(ILoanGuard.Terms memory terms, ILendingMarket.Position memory)
    internal
    pure
    override
    returns (uint256)
  {
    return terms.capPerRescue;
  }
}

/// A protocol with one market, and its adapter. It refuses a repayment above the debt, and a liquidator gets 110 % of a
/// repayment in collateral. Debt and collateral are dollars, and the collateral counts for four fifths.
contract StrictMarket is ILendingMarket {
  MockERC20 private immutable TOKEN;
  MockERC20 public immutable collateral = new MockERC20("COLLATERAL", 18);
  mapping(address account => uint256) public debtOf;
  mapping(address account => uint256) public collateralOf;

  error RepaidTooMuch(uint256 amount, uint256 debt);
  error Healthy(address account);

  constructor(MockERC20 token) {
    TOKEN = token;
  }

  function open(address account, uint256 debt, uint256 collateral_) external {
    (debtOf[account], collateralOf[account]) = (debt, collateral_);
    collateral.mint(address(this), collateral_);
  }

  function repayBehalf(address account, uint256 amount) public {
    if (amount > debtOf[account]) revert RepaidTooMuch(amount, debtOf[account]);
    debtOf[account] -= amount;
    if (msg.sender != address(this)) require(TOKEN.transferFrom(msg.sender, address(this), amount), "token");
  }

  function liquidate(address account, uint256 amount) external {
    if (_weighted(account) >= debtOf[account]) revert Healthy(account);
    repayBehalf(account, amount);
    collateralOf[account] -= amount * 110 / 100;
    require(collateral.transfer(msg.sender, amount * 110 / 100), "collateral");
  }

  function repayToken(bytes32) external view returns (address) {
    return address(TOKEN);
  }

  function numeraire(bytes32) external view returns (address) {
    return address(TOKEN);
  }

  function accrueAndRead(address account, bytes32) external view returns (Position memory) {
    return Position({
      repayToken: address(TOKEN),
      debtValue: debtOf[account],
      weightedCollateralValue: _weighted(account),
      marketDebt: debtOf[account],
      repayTokenPriceWad: 1e18,
      minDebt: 0,
      isInexact: false
    });
  }

  function storedDebt(address account, bytes32) external view returns (uint256) {
    return debtOf[account];
  }

  function forcedMarkets(address) external pure returns (bytes32[] memory) {}

  function weightedCollateralBy(address, address, bytes32) external pure returns (uint256) {}

  function repay(address account, bytes32, uint256 amount, address) external {
    this.repayBehalf(account, amount);
  }

  function _weighted(address account) private view returns (uint256) {
    return collateralOf[account] * 4 / 5;
  }
}

/// The borrower permits a repayment of the whole debt, 1,000, if the loan goes bad. It does. The liquidator repays one
/// base unit of it before the rescue.
contract OverRepayTest is LoanIncidentBase {
  StrictMarket private strict;

  function setUp() public override {
    super.setUp();
    strict = new StrictMarket(usdt);
    strict.open(borrower, 1_000e18, 1_225e18);
    usdt.mint(stranger, 500e18 + 1);
    vm.prank(stranger);
    usdt.approve(address(strict), type(uint256).max);
  }

  function attack() external override {
    uint256 guardId = _guardMarket(address(strict));
    vm.prank(stranger);
    strict.repayBehalf(borrower, 1);
    try guard.rescue(guardId) {} catch {}
    vm.prank(stranger);
    strict.liquidate(borrower, 500e18);
  }

  /// IT-1: for that one unit, the liquidator gains 50 more than they paid.
  function test_TheTwinsBorrowerIsLiquidated() public {
    _moveTo(address(new OverRepayTwin()), strict);
    this.attack();
    assertEq(usdt.balanceOf(borrower), FUNDS);
    assertEq(usdt.balanceOf(stranger), 0);
    assertEq(strict.collateral().balanceOf(stranger), 550e18);
    assertEq(strict.collateralOf(borrower), 675e18);
  }

  /// IT-1, LG-5: the loan is rescued with one unit less, and nothing is left to liquidate.
  function test_RevertWhen_TriedOnOurs() public {
    _moveTo(address(_ourGuardOver(strict)), strict);
    vm.expectRevert(abi.encodeWithSelector(StrictMarket.Healthy.selector, borrower));
    this.attack();
  }

  /// IT-1, LG-5: exactly.
  function test_OursRepaysWhatIsOwedByNow() public {
    _moveTo(address(_ourGuardOver(strict)), strict);
    uint256 guardId = _guardMarket(address(strict));
    vm.prank(stranger);
    strict.repayBehalf(borrower, 1);
    assertEq(guard.rescue(guardId), 216e18 - 1);
    assertEq(usdt.balanceOf(borrower), FUNDS - 216e18 + 1);
    assertEq(strict.debtOf(borrower), 784e18);
    assertEq(strict.collateralOf(borrower), 1_225e18);
  }
}
