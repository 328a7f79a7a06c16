// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

contract LoanGuardRescuesTest is GuardBase {
  uint256 private guardId;

  /// Three rescues, an hour apart, of 184, 284 and 384 tokens.
  function setUp() public override {
    super.setUp();
    guardId = _register(_terms());
    for (uint256 i; i < 3; ++i) {
      _setLoan(borrower, 1_000e18 + i * 100e18, 0, 1_020e18);
      guard.rescue(guardId);
      skip(1 hours);
    }
  }

  /// LG-10
  function test_rescues_recordsHealthAmountTimeAndOutcome() public view {
    ILoanGuard.Rescue[] memory all = guard.rescues(guardId, 0, 3);
    assertEq(all.length, 3);
    _assertSame(all[0], ILoanGuard.Rescue(184e18, START, ILoanGuard.Outcome.Full, 1.02e18, 1.25e18));
    uint128 secondHealthWad = 0.927272727e18;
    _assertSame(all[1], ILoanGuard.Rescue(284e18, START + 1 hours, ILoanGuard.Outcome.Full, secondHealthWad, 1.25e18));
    _assertSame(all[2], ILoanGuard.Rescue(384e18, START + 2 hours, ILoanGuard.Outcome.Full, 0.85e18, 1.25e18));
  }

  /// LG-10
  function test_rescues_cutsTheEndToWhatExists() public view {
    assertEq(guard.rescues(guardId, 0, type(uint256).max).length, 3);
    assertEq(guard.rescues(guardId, 2, 4).length, 1);
    assertEq(guard.rescues(guardId, 2, 4)[0].repaid, 384e18);
  }

  /// LG-10
  function testFuzz_rescues_pagesOldestFirst(uint256 from, uint256 to) public view {
    (from, to) = (bound(from, 0, 5), bound(to, 0, 5));
    ILoanGuard.Rescue[] memory page = guard.rescues(guardId, from, to);
    uint256 end = to < 3 ? to : 3;
    assertEq(page.length, from < end ? end - from : 0);
    for (uint256 i; i < page.length; ++i) {
      assertEq(page[i].repaid, 184e18 + (from + i) * 100e18);
    }
  }

  /// LG-10
  function test_rescues_isEmptyForAGuardWithoutRescues() public {
    uint256 other = _register(_terms());
    assertEq(guard.rescues(other, 0, 10).length, 0);
    assertEq(guard.rescues(99, 0, 10).length, 0);
  }

  function _assertSame(ILoanGuard.Rescue memory found, ILoanGuard.Rescue memory expected) private pure {
    assertEq(abi.encode(found), abi.encode(expected));
  }
}
