// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICollateralGuard} from "./ICollateralGuard.sol";

/// @title The terms that a deployment accepts for CollateralGuard's guards
interface ICollateralTerms {
  /// @notice Reverts with the reason if a guard with these terms would be refused now.
  /// @return repayToken The token of the debt.
  /// @return collateralToken The token of the collateral.
  function requireSound(ICollateralGuard.Terms calldata terms)
    external
    view
    returns (address repayToken, address collateralToken);

  /// @notice Returns PancakeSwap's pool deployer, from whose address pool addresses are derived.
  function poolDeployer() external view returns (address);

  /// @notice Returns whether guards may name this adapter.
  function isAdapter(address adapter) external view returns (bool);

  /// @notice Returns whether guards may name this price source.
  function isPriceSource(address source) external view returns (bool);
}
