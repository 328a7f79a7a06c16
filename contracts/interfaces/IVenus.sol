// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title What is used of the Venus core pool's comptroller (a diamond)
interface IVenusComptroller {
  /// The struct behind it has more members; only the first is read.
  function markets(address vToken) external view returns (bool isListed);
  function getAssetsIn(address account) external view returns (address[] memory vTokens);
  /// Liquidity and shortfall in USD with 18 decimals, by liquidation thresholds; code 0 is success.
  function getAccountLiquidity(address account)
    external
    view
    returns (uint256 code, uint256 liquidity, uint256 shortfall);
  function oracle() external view returns (address);
  function vaiController() external view returns (address);
  function protocolPaused() external view returns (bool);
  function actionPaused(address market, uint8 action) external view returns (bool);
}

/// @title What is used of a Venus market
interface IVToken {
  function underlying() external view returns (address);
  function borrowBalanceStored(address account) external view returns (uint256);
  /// Accrues interest first.
  function borrowBalanceCurrent(address account) external returns (uint256);
  /// Code 0 is success; most failures revert instead.
  function repayBorrowBehalf(address borrower, uint256 amount) external returns (uint256 code);
}

/// @title What is used of the native coin's market
interface IVBnb {
  /// Reverts above the debt.
  function repayBorrowBehalf(address borrower) external payable;
}

/// @title What is used of the Venus VAI controller
interface IVaiController {
  function getVAIAddress() external view returns (address);
  function accrueVAIInterest() external;
  /// Code 0 is success. Takes no more than is owed.
  function repayVAIBehalf(address borrower, uint256 amount) external returns (uint256 code, uint256 repaid);
  /// VAI owed, in VAI base units; Venus counts one VAI as one USD.
  function getVAIRepayAmount(address account) external view returns (uint256);
}

/// @title What is used of the Venus ResilientOracle. Prices are USD times 10^(36 - token decimals)
interface IResilientOracle {
  function getPrice(address asset) external view returns (uint256);
  function getUnderlyingPrice(address vToken) external view returns (uint256);
}
