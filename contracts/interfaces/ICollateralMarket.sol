// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "./ILendingMarket.sol";

/// @title Adapter to both sides of one lending protocol, used by CollateralGuard
/// @notice ILendingMarket covers the debt side. On the collateral side, too, the adapter has no allowances and holds
/// nothing between calls: a caller sends the receipts here first, in the same transaction as the withdrawal.
///
/// CollateralGuard relies on this, in addition to ILendingMarket's guarantees:
/// - A withdrawal costs the account that sent the receipts those receipts and nothing else.
/// - Values in `Collateral` use the numéraire of the debt's `Position`.
interface ICollateralMarket is ILendingMarket {
  /// @notice An account's collateral in one market at one block.
  struct Collateral {
    /// The token that withdrawals pay out and pools accept: WBNB for the native coin.
    address token;
    /// The protocol's token that represents a deposit, such as a vToken.
    address receipt;
    /// The account's balance of receipts.
    uint256 receipts;
    /// Base units of `token` per 1e18 base units of receipts, before the fee.
    uint256 rateWad;
    /// The part of a withdrawal that the protocol keeps.
    uint256 feeWad;
    /// The protocol's value of 1e18 base units of `token`.
    uint256 priceWad;
    /// The liquidation threshold that applies to this account; zero if the deposit secures none of its loans.
    uint256 weightWad;
    /// Base units of `token` that the market can pay out now.
    uint256 cash;
  }

  /// @notice The limits on a guard's terms at registration, for the account's e-mode.
  struct Limits {
    /// As in `Collateral`.
    uint256 weightWad;
    /// The collateral factor. After a sale the protocol requires borrowing power, not just health.
    uint256 factorWad;
    /// The liquidation incentive of this collateral: what a liquidation seizes beyond the value repaid.
    uint256 incentiveWad;
  }

  error WithdrawalRefused(bytes32 market, uint256 code);
  error WithdrawalPaused(bytes32 market);
  error WithdrawalShort(bytes32 market, uint256 received, uint256 amount);
  error TransferPaused(bytes32 market);
  /// After the transfer the account would lack the borrowing power that the protocol requires.
  error BorrowingPowerTooLow(address account, bytes32 market);

  /// @notice Returns the token that withdrawals pay out. Reverts with MarketNotListed unless the protocol lists the
  /// market.
  function collateralToken(bytes32 market) external view returns (address);

  /// @notice Returns the limits for this account's collateral in `market`.
  function limitsOf(address account, bytes32 market) external view returns (Limits memory);

  /// @notice Accrues interest on the collateral up to this block, then reads it.
  function accrueAndReadCollateral(address account, bytes32 market) external returns (Collateral memory);

  /// @notice Redeems `receipts` sent here beforehand, and pays out exactly `amount` of the token.
  /// @param leftoverTo Receives the rest: less than one receipt is worth, unless more was sent.
  function withdraw(bytes32 market, uint256 receipts, uint256 amount, address to, address leftoverTo) external;

  /// @notice Reverts if the protocol refuses a transfer of the account's receipts, with the reason.
  function explainTransfer(address account, bytes32 market) external view;
}
