// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Adapter to one lending protocol, used by LoanGuard
/// @notice An adapter knows its protocol but not guards. It has no allowances and holds no funds between calls.
interface ILendingMarket {
  /// @notice A borrower's account at one block. USD values have 18 decimals.
  struct Position {
    /// The token that repays a loan of the market requested.
    address repayToken;
    /// The borrower's total debt in the protocol: D.
    uint256 debtUsd;
    /// Collateral weighted by liquidation thresholds: W. A repayment does not change it. Health is W / D.
    uint256 weightedCollateralUsd;
    /// Debt in the market requested, in base units of its repay token.
    uint256 marketDebt;
    /// Price of 1e18 base units of the repay token, in USD with 18 decimals.
    uint256 repayTokenPriceWad;
    /// Whether a repayment may be off by one base unit and one billionth, because the protocol computes it in
    /// fractions.
    bool isInexact;
  }

  error MarketNotListed(address market);
  /// `code` is the protocol's own error code, or the maximum uint256 if the protocol reverted.
  error AccountUnreadable(address borrower, uint256 code);
  error ShortfallAboveDebt(uint256 shortfall, uint256 debtUsd);
  error PriceUnavailable(address market);
  error RepayPaused(address market);
  error RepayRejected(address market, uint256 code);

  /// @notice Returns the token that repays a loan of `market`. Reverts unless the protocol lists the market.
  function repayToken(address market) external view returns (address);

  /// @notice Accrues interest on the borrower's debt in `market`, and only there, up to this block, then reads the
  /// account. Other markets count as last stored, as in the protocol's own liquidation test.
  function accrueAndRead(address borrower, address market) external returns (Position memory);

  /// @notice Returns the borrower's debt in `market` as last stored, in base units of its repay token.
  function storedDebt(address borrower, address market) external view returns (uint256);

  /// @notice Repays `amount` of the borrower's debt in `market` with tokens sent here beforehand.
  /// @param amount Base units of the repay token.
  /// @param leftoverTo Receives the part that the market did not take.
  function repay(address borrower, address market, uint256 amount, address leftoverTo) external;
}
