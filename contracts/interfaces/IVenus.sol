// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of the Venus core pool's comptroller (a diamond) that Bowline uses
interface IVenusComptroller {
  /// The underlying struct has more members; only the first is read.
  function markets(address vToken) external view returns (bool isListed);
  function getAssetsIn(address account) external view returns (address[] memory vTokens);
  /// Liquidity and shortfall by liquidation thresholds, in USD with 18 decimals. Code 0 is success.
  function getAccountLiquidity(address account)
    external
    view
    returns (uint256 code, uint256 liquidity, uint256 shortfall);
  /// The weight of an account's collateral in a market, with 18 decimals, by the account's e-mode pool. Strategy 0 is by
  /// collateral factor, 1 by liquidation threshold.
  function getEffectiveLtvFactor(address account, address vToken, uint8 strategy) external view returns (uint256);
  function oracle() external view returns (address);
  function vaiController() external view returns (address);
  function protocolPaused() external view returns (bool);
  function actionPaused(address market, uint8 action) external view returns (bool);
  /// Debt in the market can be liquidated at any health. For VAI the market is its controller.
  function isForcedLiquidationEnabled(address market) external view returns (bool);
  function isForcedLiquidationEnabledForUser(address borrower, address market) external view returns (bool);
}

/// @title The part of a Venus market that Bowline uses
interface IVToken {
  function underlying() external view returns (address);
  function borrowBalanceStored(address account) external view returns (uint256);
  /// `balance` is in vTokens. Everything as last stored; code 0 is success.
  function getAccountSnapshot(address account)
    external
    view
    returns (uint256 code, uint256 balance, uint256 debt, uint256 exchangeRate);
  /// Accrues interest first.
  function borrowBalanceCurrent(address account) external returns (uint256);
  /// Code 0 is success. Most failures revert instead.
  function repayBorrowBehalf(address borrower, uint256 amount) external returns (uint256 code);
}

/// @title The part of the comptroller that concerns deposits
interface IVenusDeposits {
  /// Whether the market's deposit secures the account's loans.
  function checkMembership(address account, address vToken) external view returns (bool);
  /// What a liquidator receives for each unit repaid, with 18 decimals, by the account's e-mode pool: 1.1e18 is 10 % more.
  function getEffectiveLiquidationIncentive(address account, address vToken) external view returns (uint256);
  /// The part of every withdrawal that goes to the treasury, with 18 decimals.
  function treasuryPercent() external view returns (uint256);
}

/// @title The part of a Venus market that concerns deposits
interface IVTokenDeposit {
  function balanceOf(address account) external view returns (uint256);
  /// Base units of the underlying for 1e18 vTokens, as last stored.
  function exchangeRateStored() external view returns (uint256);
  /// What the market can pay out. Counted by the market itself: tokens sent to it are not in it.
  function getCash() external view returns (uint256);
  function accrueInterest() external returns (uint256 code);
  /// Turns the caller's vTokens into the underlying. Code 0 is success. Most failures revert instead.
  function redeem(uint256 vTokens) external returns (uint256 code);
}

/// @title The part of the native coin's market that Bowline uses
interface IVBnb {
  /// Reverts if the value exceeds the debt.
  function repayBorrowBehalf(address borrower) external payable;
}

/// @title The part of the Venus VAI controller that Bowline uses
interface IVaiController {
  function getVAIAddress() external view returns (address);
  function accrueVAIInterest() external;
  /// Code 0 is success. Takes at most the debt.
  function repayVAIBehalf(address borrower, uint256 amount) external returns (uint256 code, uint256 repaid);
  /// Debt in VAI base units. Venus values one VAI at one USD.
  function getVAIRepayAmount(address account) external view returns (uint256);
}

/// @title The part of the Venus ResilientOracle that Bowline uses. Prices are USD times 10^(36 - token decimals)
interface IResilientOracle {
  function getPrice(address asset) external view returns (uint256);
  function getUnderlyingPrice(address vToken) external view returns (uint256);
}
