// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";

/// A lending protocol with one market, and its adapter. Tests set its numbers; a repayment moves tokens and debt unless
/// a test makes it dishonest. It has no lock of its own, so only LoanGuard's measurements stop a thief.
contract MockLendingMarket is ILendingMarket {
  using SafeERC20 for IERC20;

  struct Account {
    uint256 debt;
    /// Interest that the next accrual adds to the debt.
    uint256 interest;
    uint256 otherDebtUsd;
    uint256 weightedCollateralUsd;
  }

  IERC20 public immutable token;
  bytes32 public immutable market;
  /// Receives repayments.
  address public immutable till;
  uint256 public priceWad;
  mapping(address borrower => Account) public accounts;

  /// Maximum that one repayment takes; the rest returns.
  uint256 public maxTaken = type(uint256).max;
  /// Keeps what it does not take, instead of returning it.
  bool public keepsLeftover;
  /// The debt falls by the amount taken plus this.
  int256 public miscredit;
  bool public isInexact;
  /// The protocol refuses a repayment that leaves less, but something.
  uint256 public minDebt;
  /// Sums of values are rounded down to a multiple of it, as in a protocol with fewer digits.
  uint256 public smallestSum = 1;

  error RemainsTooLittle(uint256 debt);

  constructor(IERC20 token_, bytes32 market_, address till_, uint256 priceWad_) {
    token = token_;
    market = market_;
    till = till_;
    priceWad = priceWad_;
  }

  function setPrice(uint256 priceWad_) external {
    priceWad = priceWad_;
  }

  function setAccount(address borrower, Account calldata account) external {
    accounts[borrower] = account;
  }

  function setMaxTaken(uint256 maxTaken_, bool keepsLeftover_) external {
    (maxTaken, keepsLeftover) = (maxTaken_, keepsLeftover_);
  }

  function setInexact(bool isInexact_) external {
    isInexact = isInexact_;
  }

  function setMinDebt(uint256 minDebt_) external {
    minDebt = minDebt_;
  }

  function setSmallestSum(uint256 smallestSum_) external {
    smallestSum = smallestSum_;
  }

  function setMiscredit(int256 miscredit_) external {
    miscredit = miscredit_;
  }

  function repayToken(bytes32 market_) external view returns (address) {
    if (market_ != market) revert MarketNotListed(market_);
    return address(token);
  }

  function numeraire(bytes32) external pure returns (address) {
    return address(0);
  }

  function accrueAndRead(address borrower, bytes32) public virtual returns (Position memory) {
    Account storage account = accounts[borrower];
    account.debt += account.interest;
    account.interest = 0;
    return Position({
      repayToken: address(token),
      debtValue: (account.otherDebtUsd + account.debt * priceWad / 1e18) / smallestSum * smallestSum,
      weightedCollateralValue: account.weightedCollateralUsd / smallestSum * smallestSum,
      marketDebt: account.debt,
      repayTokenPriceWad: priceWad,
      minDebt: minDebt,
      isInexact: isInexact
    });
  }

  /// The protocol values the collateral at 1 USD, and a source at its price of the repay token.
  function weightedCollateralBy(address source, address borrower, bytes32) external view returns (uint256) {
    uint256 wad = BoundedPrices.priceOrZero(source, address(token));
    return accounts[borrower].weightedCollateralUsd * (wad == 0 ? 1e18 : wad) / 1e18;
  }

  function storedDebt(address borrower, bytes32) external view returns (uint256) {
    return accounts[borrower].debt;
  }

  function forcedMarkets(address) external pure returns (bytes32[] memory) {}

  function repay(address borrower, bytes32, uint256 amount, address leftoverTo) external {
    uint256 taken = amount < maxTaken ? amount : maxTaken;
    if (taken != 0) token.safeTransfer(till, taken);
    if (amount > taken && !keepsLeftover) token.safeTransfer(leftoverTo, amount - taken);
    // forge-lint: disable-next-line(unsafe-typecast)
    uint256 left = accounts[borrower].debt - uint256(int256(taken) + miscredit);
    if (left != 0 && left < minDebt) revert RemainsTooLittle(left);
    accounts[borrower].debt = left;
  }
}
