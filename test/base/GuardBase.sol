// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Test} from "forge-std/Test.sol";

import {LoanGuard} from "../../contracts/LoanGuard.sol";
import {Revocations} from "../../contracts/Revocations.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {MockLendingMarket} from "../mocks/lending/MockLendingMarket.sol";
import {Product} from "./Product.sol";

/// A guard over one lending market, and a borrower with tokens, an allowance and, once `endanger` is called, a bad
/// loan.
///
/// The loan: D = 1,000 USD, all of it in the market's token at 1 USD; W = 1,020 USD; health 1.02. At the target 1.25
/// the debt is 1,020 / 1.25 = 816 USD, so a rescue takes 184 tokens.
abstract contract GuardBase is Test {
  using SafeERC20 for IERC20;

  uint256 internal constant WAD = 1e18;
  /// 2030-01-01 01:00:00 UTC: an hour after the start of a UTC day, so not at its edge.
  uint40 internal constant START = 1_893_456_000 + 1 hours;
  uint128 internal constant NEEDED = 184e18;

  address internal immutable borrower = makeAddr("borrower");
  address internal immutable stranger = makeAddr("stranger");
  bytes32 internal immutable market = keccak256("market");
  address internal immutable till = makeAddr("till");

  MockERC20 internal token;
  MockLendingMarket internal lending;
  Revocations internal revocations;
  LoanGuard internal guard;
  /// A source that guards may name. It has no price until a test sets one.
  MockPriceSource internal source;

  function setUp() public virtual {
    vm.warp(START);
    _build(new MockERC20("USDT", 18), 1e18);
  }

  /// Builds lending market and guard again with a repay token, and gives the borrower 10,000e18 of its base units.
  function _build(MockERC20 token_, uint256 priceWad) internal {
    token = token_;
    lending = new MockLendingMarket(token_, market, till, priceWad);
    address[] memory adapters = new address[](1);
    adapters[0] = address(lending);
    revocations = Product.revocations();
    address[] memory sources = new address[](1);
    sources[0] = address(source = new MockPriceSource());
    guard = Product.loanGuard(revocations, adapters, sources);

    token.mint(borrower, 10_000e18);
    vm.prank(borrower);
    // Some tokens return nothing.
    IERC20(token).forceApprove(address(guard), type(uint256).max);
  }

  /// Trigger 1.05, target 1.25, caps far above the need, any caller, no expiry in sight.
  function _terms() internal view returns (ILoanGuard.Terms memory) {
    return ILoanGuard.Terms({
      borrower: borrower,
      funder: borrower,
      adapter: address(lending),
      market: market,
      keeper: address(0),
      priceSource: address(0),
      triggerHealthWad: 1.05e18,
      targetHealthWad: 1.25e18,
      capPerRescue: 5_000e18,
      capPerDay: 5_000e18,
      minRepay: 1e18,
      cooldownSeconds: 1 hours,
      expiresAt: START + 365 days
    });
  }

  function _register(ILoanGuard.Terms memory terms) internal returns (uint256 guardId) {
    vm.prank(terms.borrower);
    return guard.register(terms);
  }

  function _endanger() internal {
    _endanger(borrower);
  }

  function _endanger(address account) internal {
    _setLoan(account, 1_000e18, 0, 1_020e18);
  }

  /// @param debt Debt in the market, base units.
  /// @param otherDebtUsd Debt elsewhere in the protocol, USD with 18 decimals.
  /// @param weightedCollateralUsd W, USD with 18 decimals.
  function _setLoan(address account, uint256 debt, uint256 otherDebtUsd, uint256 weightedCollateralUsd) internal {
    lending.setAccount(
      account,
      MockLendingMarket.Account({
        debt: debt, interest: 0, otherDebtUsd: otherDebtUsd, weightedCollateralUsd: weightedCollateralUsd
      })
    );
  }

  function _debt(address account) internal view returns (uint256) {
    return lending.storedDebt(account, market);
  }

  function _lastRescue(uint256 guardId) internal view returns (ILoanGuard.Rescue memory) {
    uint256 count = guard.guard(guardId).state.rescues;
    return guard.rescues(guardId, count - 1, count)[0];
  }

  /// A health as records keep it: rounded down to a billionth.
  function _recorded(uint256 healthWad) internal pure returns (uint256) {
    return healthWad / 1e9 * 1e9;
  }

  /// Nothing has moved and nothing was recorded since the last `endanger`.
  function _assertUntouched(uint256 guardId) internal view {
    assertEq(token.balanceOf(borrower), 10_000e18, "borrower's balance");
    assertEq(token.balanceOf(address(lending)), 0, "adapter's balance");
    assertEq(_debt(borrower), 1_000e18, "debt");
    assertEq(guard.guard(guardId).state.rescues, 0, "rescues recorded");
  }
}
