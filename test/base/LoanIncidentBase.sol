// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LoanGuard} from "../../contracts/LoanGuard.sol";
import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {GuardTerms} from "../base/GuardTerms.sol";
import {Product} from "./Product.sol";
import {VenusMarketBase} from "./VenusMarketBase.sol";

/// An attack on `guard` over `lending`, which are this project's until a test moves to a twin. The borrower owes 1,000
/// USD, of which 450 in USDT, at a health of 1.02: 184 USDT bring it to 1.25.
abstract contract LoanIncidentBase is VenusMarketBase {
  uint256 internal constant FUNDS = 1_000e18;
  uint256 internal constant NEEDED = 184e18;
  address internal immutable stranger = makeAddr("stranger");
  LoanGuard internal guard;
  ILendingMarket internal lending;

  function setUp() public virtual override {
    super.setUp();
    vaiController.set(borrower, 0);
    vUsdt.setDebt(borrower, 450e18);
    oracle.set(address(usdt), 1e18);
    usdt.mint(borrower, FUNDS);
    _moveTo(address(_ourGuardOver(adapter)), adapter);
  }

  /// The attack, written once. External, so that it is undone as a whole if it fails, as in a transaction.
  function attack() external virtual;

  function _moveTo(address guard_, ILendingMarket lending_) internal {
    (guard, lending) = (LoanGuard(guard_), lending_);
    vm.prank(borrower);
    usdt.approve(guard_, type(uint256).max);
  }

  function _ourGuardOver(ILendingMarket lending_) internal returns (LoanGuard) {
    address[] memory adapters = new address[](1);
    adapters[0] = address(lending_);
    return Product.loanGuard(Product.revocations(), adapters, new address[](0));
  }

  function _guardMarket(address market) internal returns (uint256 guardId) {
    vm.prank(borrower);
    return guard.register(_terms(market));
  }

  function _terms(address market) internal view returns (ILoanGuard.Terms memory) {
    return GuardTerms.plain(borrower, address(lending), _market(market), 1_000e18);
  }

  function _assertAttackFails(bytes memory reason) internal {
    vm.expectRevert(reason);
    this.attack();
    assertEq(usdt.balanceOf(borrower), FUNDS, "the borrower's funds");
    assertEq(vUsdt.borrowBalanceStored(borrower), 450e18, "the borrower's debt");
    assertEq(usdt.balanceOf(stranger), 0, "the stranger's funds");
  }
}
