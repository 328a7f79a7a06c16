// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {LoanIncidentBase} from "../base/LoanIncidentBase.sol";
import {SmallGuard} from "./twins/SmallGuard.sol";

/// The mistake: each rescue gets whatever gas is left, and a rescue out of gas counts as refused.
contract StarvedRescuesTwin is SmallGuard {
  function rescueMany(uint256[] calldata guardIds, uint256) external returns (ILoanGuard.Result[] memory results) {
    results = new ILoanGuard.Result[](guardIds.length);
    for (uint256 i; i < guardIds.length; ++i) {
      try this.rescue(guardIds[i]) returns (uint256 repaid) {
        (results[i].isRescued, results[i].repaid) = (true, repaid);
      } catch {}
    }
  }
}

/// Whoever submits a list chooses its gas: enough for the first rescues and the end of the list, which runs on the 1/64
/// that every call keeps back, but not for the last rescue. Who wants to liquidate that loan waits for such a list, or
/// submits it.
contract StarvedRescuesTest is LoanIncidentBase {
  address private immutable first = makeAddr("first");
  bool private isStarved;

  function setUp() public override {
    super.setUp();
    vUsdt.setDebt(first, 1_000e18);
    comptroller.enter(first, address(vUsdt));
    comptroller.setWeightedCollateral(first, 1_020e18);
    usdt.mint(first, FUNDS);
  }

  function attack() external override {
    uint256[] memory ids = new uint256[](2);
    ids[0] = _guardOf(first);
    ids[1] = _guardMarket(address(vUsdt));
    uint256 start = vm.snapshotState();
    for (uint256 gasLimit = 100_000; gasLimit < 2_500_000 && !isStarved; gasLimit += 5_000) {
      vm.revertToState(start);
      vm.prank(stranger);
      try guard.rescueMany{gas: gasLimit}(ids, 0) returns (ILoanGuard.Result[] memory results) {
        isStarved = results[0].isRescued && !results[1].isRescued;
      } catch {}
    }
  }

  /// IT-1: the second loan stays where it was, in a list that succeeded.
  function test_TheTwinsLastLoanIsNotRescued() public {
    _moveTo(address(new StarvedRescuesTwin()), adapter);
    this.attack();
    assertTrue(isStarved);
    assertEq(vUsdt.borrowBalanceStored(first), 816e18);
    assertEq(vUsdt.borrowBalanceStored(borrower), 450e18);
    assertEq(usdt.balanceOf(borrower), FUNDS);
  }

  /// IT-1, LG-20: no gas limit causes this. At the maximum, both are rescued.
  function test_OursRescuesAllOrNone() public {
    this.attack();
    assertFalse(isStarved);
    assertEq(vUsdt.borrowBalanceStored(first), 816e18);
    assertEq(vUsdt.borrowBalanceStored(borrower), 450e18 - NEEDED);
    assertEq(usdt.balanceOf(borrower), FUNDS - NEEDED);
  }

  function _guardOf(address account) private returns (uint256) {
    vm.prank(account);
    usdt.approve(address(guard), type(uint256).max);
    ILoanGuard.Terms memory terms = _terms(address(vUsdt));
    (terms.borrower, terms.funder) = (account, account);
    vm.prank(account);
    return guard.register(terms);
  }
}
