// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "./ILendingMarket.sol";

/// @title Adapter to both sides of one lending protocol, used by CollateralGuard
/// @notice The debt's side is ILendingMarket's. Of the collateral's side, too, the adapter has no allowances and holds
/// nothing between calls: whoever wants a withdrawal sends the receipts here first, in the same transaction.
///
/// CollateralGuard relies on this, beside what ILendingMarket promises:
/// - A withdrawal costs the account whose receipts were sent these receipts, and nothing else.
/// - Values of `Collateral` are in the numéraire of the debt's `Position`.
interface ICollateralMarket is ILendingMarket {
  /// @notice An account's collateral in one market at one block.
  struct Collateral {
    /// What withdrawals pay, and a pool takes: WBNB for the native coin.
    address token;
    /// The protocol's token that stands for a deposit, such as a vToken.
    address receipt;
    /// The account's receipts.
    uint256 receipts;
    /// Base units of `token` for 1e18 base units of receipts, before the fee.
    uint256 rateWad;
    /// The part of a withdrawal that the protocol keeps.
    uint256 feeWad;
    /// The protocol's value of 1e18 base units of `token`.
    uint256 priceWad;
    /// The liquidation threshold that counts for this account; zero if the deposit secures none of its loans.
    uint256 weightWad;
    /// Base units of `token` that the market can pay out now.
    uint256 cash;
  }

  /// @notice What bounds the terms of a guard at registration, by the account's e-mode.
  struct Limits {
    /// As in `Collateral`.
    uint256 weightWad;
    /// The part of the collateral's value that may be borrowed. After a sale the protocol asks for borrowing power, not
    /// only for health.
    uint256 factorWad;
    /// What a liquidation of this collateral takes beyond the value repaid.
    uint256 incentiveWad;
  }

  error WithdrawalRefused(bytes32 market, uint256 code);
  error WithdrawalPaused(bytes32 market);
  error WithdrawalShort(bytes32 market, uint256 received, uint256 amount);
  error TransferPaused(bytes32 market);
  /// After the transfer the account would not have the borrowing power that the protocol asks for.
  error BorrowingPowerTooLow(address account, bytes32 market);

  /// @notice Returns the token of withdrawals. Reverts with MarketNotListed unless the protocol lists the market.
  function collateralToken(bytes32 market) external view returns (address);

  /// @notice Returns the limits for this account's collateral in `market`.
  function limitsOf(address account, bytes32 market) external view returns (Limits memory);

  /// @notice Accrues the collateral's interest up to this block, then reads it.
  function accrueAndReadCollateral(address account, bytes32 market) external returns (Collateral memory);

  /// @notice Turns `receipts`, sent here beforehand, into the token, and pays exactly `amount` of it.
  /// @param leftoverTo Receives the rest: less than one receipt is worth, unless more was sent.
  function withdraw(bytes32 market, uint256 receipts, uint256 amount, address to, address leftoverTo) external;

  /// @notice Reverts with the reason for which the protocol refuses a transfer of the account's receipts.
  function explainTransfer(address account, bytes32 market) external view;
}
