// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../../contracts/interfaces/ISwapExecutor.sol";
import {Reasons} from "../../../contracts/libraries/Reasons.sol";
import {SwapBase} from "../../base/SwapBase.sol";
import {TestExecutor} from "../../mocks/TestExecutor.sol";

contract SwapExecutorDeferTest is SwapBase {
  /// SE-1, PR-18
  function test_RecordsTheReason() public {
    IPlanRegistry.Ticket memory ticket = _unsigned(TestExecutor.Claim(Verdict.NO_GO, EVIDENCE));
    vm.prank(operator);
    swapper.defer(planId, 1, Reasons.COST_HIGH, ticket, "");
    IPlanRegistry.Run memory record = _history(planId)[0];
    assertEq(uint8(record.outcome), uint8(IPlanRegistry.Outcome.Deferred));
    assertEq(uint8(record.verdict), uint8(Verdict.NO_GO));
    assertEq(record.reason, Reasons.COST_HIGH);
    assertEq(record.evidencePrefix, bytes19(EVIDENCE));
    assertEq(usd.balanceOf(owner), FUNDS);
  }

  /// SE-1
  function testFuzz_RevertWhen_CallerIsNotTheOperator(address caller) public {
    vm.assume(caller != operator);
    vm.expectRevert(abi.encodeWithSelector(ISwapExecutor.NotOperator.selector, caller));
    vm.prank(caller);
    swapper.defer(planId, 1, 3, _unsigned(_go()), "");
  }
}
