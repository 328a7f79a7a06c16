// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICollateralGuard} from "./ICollateralGuard.sol";

/// @title What a deployment lets the guards of CollateralGuard agree to
interface ICollateralTerms {
  /// @notice Reverts for the reason for which a guard with these terms would be refused now.
  /// @return repayToken The token of the debt.
  /// @return collateralToken The token of the collateral.
  function requireSound(ICollateralGuard.Terms calldata terms)
    external
    view
    returns (address repayToken, address collateralToken);

  /// @notice Returns the contract from whose address those of PancakeSwap's pools follow.
  function poolDeployer() external view returns (address);

  /// @notice Returns whether guards may name this adapter.
  function isAdapter(address adapter) external view returns (bool);

  /// @notice Returns whether guards may name this price source.
  function isPriceSource(address source) external view returns (bool);
}
