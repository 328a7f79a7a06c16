// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {HostileMarket} from "../mocks/lending/HostileMarket.sol";
import {MockLendingMarket} from "../mocks/lending/MockLendingMarket.sol";
import {GuardBase} from "./GuardBase.sol";
import {Product} from "./Product.sol";

/// Three borrowers with a guard and a bad loan each, as in GuardBase, and a second adapter that a test can make hostile.
abstract contract RescueManyBase is GuardBase {
  address[3] internal who;
  uint256[3] internal ids;
  HostileMarket internal hostile;

  function setUp() public virtual override {
    super.setUp();
    _open(token);
  }

  /// Builds LoanGuard over both adapters, of which the second repays in `hostileToken`.
  function _open(MockERC20 hostileToken) internal {
    hostile = new HostileMarket(hostileToken, market, till);
    address[] memory adapters = new address[](2);
    (adapters[0], adapters[1]) = (address(lending), address(hostile));
    guard = Product.loanGuard(revocations, adapters, new address[](0));
    for (uint256 i; i < 3; ++i) {
      who[i] = makeAddr(string.concat("borrower ", vm.toString(i)));
      ids[i] = _guardOf(who[i]);
    }
  }

  function _termsOf(address borrower_) internal view returns (ILoanGuard.Terms memory terms) {
    terms = _terms();
    (terms.borrower, terms.funder) = (borrower_, borrower_);
  }

  /// A guard of an account with a bad loan, 10,000 tokens and an allowance.
  function _guardOf(address account) internal returns (uint256) {
    _supply(token, account);
    _endanger(account);
    return _register(_termsOf(account));
  }

  /// A guard on a bad loan in the hostile market.
  function _hostileGuard(address account) internal returns (uint256) {
    ILoanGuard.Terms memory terms = _termsOf(account);
    terms.adapter = address(hostile);
    _supply(MockERC20(address(hostile.token())), account);
    hostile.setAccount(account, _badLoan());
    return _register(terms);
  }

  function _badLoan() internal pure returns (MockLendingMarket.Account memory) {
    return MockLendingMarket.Account({debt: 1_000e18, interest: 0, otherDebtUsd: 0, weightedCollateralUsd: 1_020e18});
  }

  function _supply(MockERC20 token_, address account) private {
    token_.mint(account, 10_000e18 - token_.balanceOf(account));
    vm.prank(account);
    token_.approve(address(guard), type(uint256).max);
  }

  function _assertRescued(ILoanGuard.Result memory result, uint256 i) internal view {
    assertEq(abi.encode(result), abi.encode(ILoanGuard.Result(true, NEEDED, "")));
    assertEq(_debt(who[i]), 816e18);
    assertEq(token.balanceOf(who[i]), 10_000e18 - NEEDED);
    assertEq(guard.guard(ids[i]).state.rescues, 1);
  }

  function _assertFailed(ILoanGuard.Result memory result, bytes memory why) internal pure {
    assertEq(abi.encode(result), abi.encode(ILoanGuard.Result(false, 0, why)));
  }

  function _ids(uint256 a) internal pure returns (uint256[] memory list) {
    list = new uint256[](1);
    list[0] = a;
  }

  function _ids(uint256 a, uint256 b) internal pure returns (uint256[] memory list) {
    list = new uint256[](2);
    (list[0], list[1]) = (a, b);
  }

  function _ids(uint256 a, uint256 b, uint256 c) internal pure returns (uint256[] memory list) {
    list = new uint256[](3);
    (list[0], list[1], list[2]) = (a, b, c);
  }
}
