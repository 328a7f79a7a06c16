// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {Repayment} from "../../../contracts/libraries/Repayment.sol";

/// A minimal guard with the entry points of the real one. It trusts its adapter that a debt has fallen.
contract SmallGuard {
  using SafeERC20 for IERC20;

  uint256 public guardCount;
  mapping(uint256 guardId => ILoanGuard.Terms) private _terms;

  function register(ILoanGuard.Terms calldata terms) external returns (uint256 guardId) {
    require(msg.sender == terms.borrower && msg.sender == terms.funder, "borrower");
    guardId = ++guardCount;
    _terms[guardId] = terms;
  }

  function rescue(uint256 guardId) external returns (uint256 amount) {
    ILoanGuard.Terms memory terms = _terms[guardId];
    ILendingMarket adapter = ILendingMarket(terms.adapter);
    ILendingMarket.Position memory position = adapter.accrueAndRead(terms.borrower, terms.market);
    uint256 healthWad = Repayment.healthDown(position.weightedCollateralValue, position.debtValue);
    require(healthWad < terms.triggerHealthWad, "healthy");
    amount = _sized(terms, position);
    IERC20(adapter.repayToken(terms.market)).safeTransferFrom(terms.funder, terms.adapter, amount);
    adapter.repay(terms.borrower, terms.market, amount, terms.funder);
  }

  /// The amount needed for the target, limited by the debt and the caps.
  function _sized(ILoanGuard.Terms memory terms, ILendingMarket.Position memory position)
    internal
    pure
    virtual
    returns (uint256)
  {
    uint256 target = Repayment.debtAtDown(position.weightedCollateralValue, terms.targetHealthWad);
    uint256 needed = Repayment.neededUp(position.debtValue, target, position.repayTokenPriceWad);
    return Math.min(Math.min(needed, position.marketDebt), terms.capPerRescue);
  }
}
