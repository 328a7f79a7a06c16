// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {SavingsBase} from "../../base/SavingsBase.sol";

/// What happened is in state and in the events, and in both alike.
contract CollateralGuardHistoryTest is SavingsBase {
  /// CG-11: full and partial, by the protocol and by the source, alone and in a list.
  function test_recordsAndEventsAreTheSame() public {
    ICollateralGuard.Terms memory terms = _savings();
    (terms.priceSource, terms.cooldownSeconds, terms.capPerRescue) = (address(source), 0, 150e18);
    source.setPrice(address(token), 0.9e18);
    vm.recordLogs();
    vm.prank(borrower);
    uint256 id = saver.register(terms);
    uint256[3] memory weighted = [uint256(1_020e18), 1_150e18, 1_049e18];
    uint256[] memory ids = new uint256[](1);
    ids[0] = id;
    for (uint256 i; i < 3; ++i) {
      _setLoan(borrower, 1_000e18, 0, weighted[i]);
      if (i == 1) assertTrue(saver.rescueMany(ids, new ICollateralGuard.Route[](1), 0)[0].isRescued);
      else saver.rescue(id, terms.route);
      skip(1 days);
    }
    vm.prank(borrower);
    saver.cancel(id);

    Vm.Log[] memory logs = vm.getRecordedLogs();
    ICollateralGuard.Rescue[] memory records = saver.rescues(id, 0, type(uint256).max);
    assertEq(records.length, 3);
    uint256 seen;
    for (uint256 i; i < logs.length; ++i) {
      if (logs[i].emitter != address(saver)) continue;
      assertEq(uint256(logs[i].topics[1]), id);
      bytes32 topic = logs[i].topics[0];
      if (topic == ICollateralGuard.GuardRegistered.selector) {
        (ICollateralGuard.Terms memory told, address repayToken, address collateralToken,,) =
          abi.decode(logs[i].data, (ICollateralGuard.Terms, address, address, uint64, uint64));
        assertEq(abi.encode(told), abi.encode(terms));
        assertTrue(repayToken == address(token) && collateralToken == address(token));
      } else if (topic == ICollateralGuard.LoanRescued.selector) {
        _assertTold(logs[i].data, records[seen], seen == 1);
        ++seen;
      } else {
        assertEq(topic, ICollateralGuard.GuardCancelled.selector);
      }
    }
    assertEq(seen, 3);
    assertEq(saver.rescues(id, 1, 2)[0].repayment.repaid, records[1].repayment.repaid);
    assertEq(saver.rescues(id, 3, 9).length, 0);
    ICollateralGuard.State memory state = saver.guard(id).state;
    assertEq(uint256(state.status), uint256(ILoanGuard.Status.Cancelled));
    assertEq(state.lastRescueAt, block.timestamp - 1 days);
  }

  function _assertTold(bytes memory data, ICollateralGuard.Rescue memory record, bool isBySource) private pure {
    (ICollateralGuard.Rescue memory told, uint256 sourceHealthWad, bool isCutShort) =
      abi.decode(data, (ICollateralGuard.Rescue, uint256, bool));
    assertEq(sourceHealthWad != 0, isBySource);
    assertFalse(isCutShort);
    assertEq(told.receipts, record.receipts);
    assertEq(told.sold, record.sold);
    assertEq(told.sold, told.repayment.repaid);
    assertEq(told.repayment.repaid, record.repayment.repaid);
    assertEq(told.repayment.time, record.repayment.time);
    assertEq(uint256(told.repayment.outcome), uint256(record.repayment.outcome));
    assertEq(told.repayment.healthBeforeWad / 1e9, record.repayment.healthBeforeWad / 1e9);
    assertEq(told.repayment.healthAfterWad / 1e9, record.repayment.healthAfterWad / 1e9);
  }
}
