// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CollateralGuard} from "../../contracts/CollateralGuard.sol";
import {ICollateralGuard} from "../../contracts/interfaces/ICollateralGuard.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {MockCollateralMarket} from "../mocks/lending/MockCollateralMarket.sol";
import {MockLendingMarket} from "../mocks/lending/MockLendingMarket.sol";
import {GuardBase} from "./GuardBase.sol";
import {Product} from "./Product.sol";

/// GuardBase's loan with both kinds of guard: LoanGuard pays from the borrower's tokens, CollateralGuard from a deposit in
/// the same token that secures nothing. What is not LoanGuard's rule is tested on real protocols (test/fork/collateral).
abstract contract SavingsBase is GuardBase {
  CollateralGuard internal saver;
  MockERC20 internal receipt;

  function setUp() public virtual override {
    vm.warp(START);
    _build(new MockERC20("USDT", 18), 1e18);
    MockCollateralMarket both = new MockCollateralMarket(token, market, till, 1e18);
    (lending, receipt) = (both, both.receipt());
    address[] memory adapters = new address[](1);
    adapters[0] = address(lending);
    address[] memory sources = new address[](1);
    sources[0] = address(source = new MockPriceSource());
    guard = Product.loanGuard(revocations, adapters, sources);
    saver = CollateralGuard(
      Product.create(
        "CollateralGuard",
        abi.encode(revocations, Product.create("CollateralTerms", abi.encode(address(0), adapters, sources)))
      )
    );
    receipt.mint(borrower, 10_000e18);
    vm.startPrank(borrower);
    token.approve(address(guard), type(uint256).max);
    receipt.approve(address(saver), type(uint256).max);
    vm.stopPrank();
  }

  /// LoanGuard's terms, with a deposit to pay from.
  function _savings() internal view returns (ICollateralGuard.Terms memory terms) {
    (terms.borrower, terms.funder, terms.adapter) = (borrower, borrower, address(lending));
    (terms.debtMarket, terms.collateralMarket, terms.maxCostBps) = (market, market, 1);
    (terms.triggerHealthWad, terms.targetHealthWad) = (1.05e18, 1.25e18);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (5_000e18, 5_000e18, 1e18);
    (terms.cooldownSeconds, terms.expiresAt) = (1 hours, START + 365 days);
  }
}
