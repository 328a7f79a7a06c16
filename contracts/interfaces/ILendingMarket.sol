// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title One lending protocol, as LoanGuard sees it
/// @notice An adapter knows its protocol and nothing of guards: it holds no allowance and, between calls, no funds.
interface ILendingMarket {
  /// @notice A borrower's account at one moment. USD values have 18 decimals.
  struct Position {
    /// All that the borrower owes in the protocol: D.
    uint256 debtUsd;
    /// Collateral, weighted by liquidation thresholds: W. Repaying a debt does not change it. Health is W / D.
    uint256 weightedCollateralUsd;
    /// What is owed in the market asked for, in base units of its repay token.
    uint256 marketDebt;
    /// USD of 1e18 base units of the repay token.
    uint256 repayTokenPriceWad;
    /// Whether a repayment may be off by one base unit and a billionth, since the protocol works it out by fractions.
    bool isInexact;
  }

  error MarketNotListed(address market);
  /// With the protocol's own code, or the largest uint256 if it reverted.
  error AccountUnreadable(address borrower, uint256 code);
  error ShortfallAboveDebt(uint256 shortfall, uint256 debtUsd);
  error PriceUnavailable(address market);
  error RepayPaused(address market);
  error RepayRejected(address market, uint256 code);

  /// @notice The token that repays a loan of `market`; reverts unless the protocol lists the market.
  function repayToken(address market) external view returns (address);

  /// @notice Brings the borrower's debt in `market`, and in it alone, up to this block, then reads the account.
  /// Other markets count as the protocol last stored them, as its own liquidation test has it.
  function accrueAndRead(address borrower, address market) external returns (Position memory);

  /// @notice What the borrower owes in `market` as last stored, in base units of its repay token.
  function storedDebt(address borrower, address market) external view returns (uint256);

  /// @notice Repays `amount` of the borrower's debt in `market` out of tokens that were sent here before.
  /// @param leftoverTo Receives what the market did not take.
  function repay(address borrower, address market, uint256 amount, address leftoverTo) external;
}
