// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Adapter to one lending protocol, used by LoanGuard
/// @notice An adapter knows its protocol but not guards. It has no allowances and holds no funds between calls.
///
/// Markets: the protocol's own identifier in 32 bytes. An address occupies the low 20 bytes, and the adapter refuses
/// any other byte set (`MarketAddress`), so each market has one identifier.
///
/// Values: debt, collateral and price of one `Position` share a numéraire, which `numeraire` returns. LoanGuard only
/// compares them with each other. They fit in 128 bits.
///
/// LoanGuard relies on this:
/// - A repayment changes `marketDebt` and the value of that debt. It changes neither the weighted collateral nor the
///   price, within one transaction.
/// - `debtValue` ≥ ⌊`marketDebt` · `repayTokenPriceWad` / 1e18⌋, since the market's debt is a part of all debt. A
///   protocol that sums with less precision than its prices may fall short of that by its rounding. LoanGuard then
///   treats the whole debt as the market's, and the health that it targets and records is off by that rounding. An
///   adapter whose protocol has the precision adds the other debts to the market's part instead.
/// - `storedDebt` after `repay` measures the same as `marketDebt` before it.
interface ILendingMarket {
  /// @notice A borrower's account at one block.
  struct Position {
    /// The token that repays a loan in the requested market.
    address repayToken;
    /// The borrower's total debt against the same collateral: D.
    uint256 debtValue;
    /// That collateral weighted by liquidation thresholds: W. Health is W / D.
    uint256 weightedCollateralValue;
    /// Debt in the requested market, in base units of its repay token. `repay` of this amount in the same transaction
    /// leaves none.
    uint256 marketDebt;
    /// Value of 1e18 base units of the repay token.
    uint256 repayTokenPriceWad;
    /// The smallest nonzero debt that a repayment may leave in the market; zero if the protocol accepts every
    /// repayment. In base units, including a margin for the protocol's rounding of the remainder.
    uint256 minDebt;
    /// Whether a repayment may be off by one base unit and one billionth, because the protocol computes it in
    /// fractions or shares. Otherwise the debt falls by exactly what is paid.
    bool isInexact;
  }

  error MarketNotListed(bytes32 market);
  /// Only a broker of the protocol may repay in this market.
  error MarketBrokered(bytes32 market);
  /// `code` is the protocol's own error code, or the maximum uint256 if the protocol reverted.
  error AccountUnreadable(address borrower, uint256 code);
  error ShortfallAboveDebt(uint256 shortfall, uint256 debtValue);
  error PriceUnavailable(bytes32 market);
  error RepayPaused(bytes32 market);
  error RepayRejected(bytes32 market, uint256 code);

  /// @notice Returns the token that repays a loan in `market`. Reverts with MarketNotListed unless the protocol lists
  /// the market.
  function repayToken(bytes32 market) external view returns (address);

  /// @notice Returns the unit of this market's values: a token for its base units, or zero for US dollars with 18
  /// decimals.
  function numeraire(bytes32 market) external view returns (address);

  /// @notice Accrues interest on the borrower's debt in `market`, and only there, up to this block, then reads the
  /// account. Other markets use their last stored values, as in the protocol's own liquidation check.
  function accrueAndRead(address borrower, bytes32 market) external returns (Position memory);

  /// @notice Returns `weightedCollateralValue` as `accrueAndRead` in the same transaction does, except that each
  /// collateral counts at the source's price, and at the protocol's if the source gives none. Amounts, thresholds and
  /// numéraire stay the protocol's.
  /// @param source An IPriceSource that the caller trusts.
  function weightedCollateralBy(address source, address borrower, bytes32 market) external view returns (uint256);

  /// @notice Returns the borrower's debt in `market` as last stored, in base units of its repay token.
  function storedDebt(address borrower, bytes32 market) external view returns (uint256);

  /// @notice Returns the markets in which the protocol lets anyone liquidate the borrower's debt now, whatever its
  /// health. No health factor protects these debts; only repaying them does.
  function forcedMarkets(address borrower) external view returns (bytes32[] memory);

  /// @notice Repays `amount` of the borrower's debt in `market` with tokens sent here beforehand. Reverts if the
  /// protocol refuses the repayment; it may accept less than `amount`.
  /// @param amount Base units of the repay token.
  /// @param leftoverTo Receives the part that the market did not take.
  function repay(address borrower, bytes32 market, uint256 amount, address leftoverTo) external;
}
