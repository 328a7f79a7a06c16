// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {ICollateralGuard} from "./interfaces/ICollateralGuard.sol";
import {ICollateralMarket} from "./interfaces/ICollateralMarket.sol";
import {ICollateralTerms} from "./interfaces/ICollateralTerms.sol";
import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILoanGuard} from "./interfaces/ILoanGuard.sol";
import {PoolRoute} from "./libraries/PoolRoute.sol";
import {SaleSize} from "./libraries/SaleSize.sol";
import {SoundGuard} from "./libraries/SoundGuard.sol";

/// @title CollateralTerms
/// @notice Validates the terms of CollateralGuard's guards at registration. Refuses terms that could not rescue, that
/// would rescue repeatedly, that a third party could exploit, or that may cost more than half of what they save.
/// @dev A separate contract because CollateralGuard is at the code size limit. It is immutable.
contract CollateralTerms is ICollateralTerms {
  using PoolRoute for ICollateralGuard.Route;

  /// @inheritdoc ICollateralTerms
  address public immutable poolDeployer;
  /// @inheritdoc ICollateralTerms
  mapping(address adapter => bool) public isAdapter;
  /// @inheritdoc ICollateralTerms
  mapping(address source => bool) public isPriceSource;

  constructor(address poolDeployer_, address[] memory adapters, address[] memory priceSources) {
    poolDeployer = poolDeployer_;
    for (uint256 i; i < adapters.length; ++i) {
      if (adapters[i].code.length == 0) revert ILoanGuard.AdapterRefused(adapters[i]);
      isAdapter[adapters[i]] = true;
    }
    for (uint256 i; i < priceSources.length; ++i) {
      if (priceSources[i].code.length == 0) revert ILoanGuard.PriceSourceRefused(priceSources[i]);
      isPriceSource[priceSources[i]] = true;
    }
  }

  /// @inheritdoc ICollateralTerms
  function requireSound(ICollateralGuard.Terms calldata terms)
    external
    view
    returns (address repayToken, address collateralToken)
  {
    if (!isAdapter[terms.adapter]) revert ILoanGuard.AdapterRefused(terms.adapter);
    if (terms.priceSource != address(0) && !isPriceSource[terms.priceSource]) {
      revert ILoanGuard.PriceSourceRefused(terms.priceSource);
    }
    // Both revert unless the protocol lists the market. A fake market would receive tokens or name its own receipts.
    repayToken = ILendingMarket(terms.adapter).repayToken(terms.debtMarket);
    collateralToken = ICollateralMarket(terms.adapter).collateralToken(terms.collateralMarket);
    _requireBounds(terms);
    _requireRoute(terms, collateralToken, repayToken);

    ICollateralMarket.Limits memory limits =
      ICollateralMarket(terms.adapter).limitsOf(terms.borrower, terms.collateralMarket);
    uint256 limitBps = limits.incentiveWad * 10_000 / 2e18;
    if (terms.maxCostBps == 0 || terms.maxCostBps > limitBps) {
      revert ICollateralGuard.CostRefused(terms.maxCostBps, limitBps);
    }
    if (terms.targetHealthWad != SaleSize.UNWIND) _requireTarget(terms, limits);
  }

  function _requireBounds(ICollateralGuard.Terms calldata terms) private view {
    if (terms.triggerHealthWad < SoundGuard.MIN_TRIGGER_WAD) {
      revert ILoanGuard.TriggerRefused(terms.triggerHealthWad, SoundGuard.MIN_TRIGGER_WAD);
    }
    if (terms.minRepay == 0 || terms.minRepay > terms.capPerRescue || terms.minRepay > terms.capPerDay) {
      revert ILoanGuard.MinRepayRefused(terms.minRepay, terms.capPerRescue, terms.capPerDay);
    }
    if (terms.expiresAt <= block.timestamp) revert ILoanGuard.ExpiryRefused(terms.expiresAt, block.timestamp);
  }

  function _requireRoute(ICollateralGuard.Terms calldata terms, address from, address to) private view {
    ICollateralGuard.Route memory route = terms.route;
    if (route.firstFee != 0) {
      if (!route.isWhole() || from == to) revert ICollateralGuard.RouteRefused();
      route.poolsOf(poolDeployer, from, to);
    } else if (terms.keeper == address(0) && from != to) {
      // Otherwise anyone could sell through a pool of their own and take the whole cost that a rescue may have.
      revert ICollateralGuard.RouteRefused();
    }
  }

  function _requireTarget(ICollateralGuard.Terms calldata terms, ICollateralMarket.Limits memory limits) private pure {
    // With a closer target, the next price tick would put the loan at risk again.
    uint256 minWad = Math.ceilDiv(uint256(terms.triggerHealthWad) * 102, 100);
    if (terms.targetHealthWad < minWad || terms.targetHealthWad > SoundGuard.MAX_TARGET_WAD) {
      revert ILoanGuard.TargetRefused(terms.targetHealthWad, minWad, SoundGuard.MAX_TARGET_WAD);
    }
    // A funder's deposit secures none of this account's loans, nor does a market that the account has not entered.
    if (terms.funder != terms.borrower || limits.weightWad == 0) return;
    minWad = limits.factorWad == 0 ? type(uint256).max : Math.ceilDiv(limits.weightWad * 1e18, limits.factorWad);
    if (terms.targetHealthWad < minWad) revert ICollateralGuard.TargetBelowPower(terms.targetHealthWad, minWad);
  }
}
