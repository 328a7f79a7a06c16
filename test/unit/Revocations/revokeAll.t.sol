// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {IRevocations} from "../../../contracts/interfaces/IRevocations.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Product} from "../../base/Product.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

contract RevocationsRevokeAllTest is PlanBase {
  uint64 private constant STEP = 0x9abcdef0;

  function setUp() public override {
    super.setUp();
    vm.roll(1_000);
    vm.setBlockhash(999, bytes32(uint256(0x123456789abcdef0)));
  }

  function _revoke(address who) private {
    vm.prank(who);
    revocations.revokeAll();
  }

  /// RV-1: all plans at once, for good, and only the caller's.
  function test_EndsEveryPlanOfTheOwner() public {
    uint256 first = _create(_terms());
    uint256 second = _create(_terms());
    _revoke(stranger);
    _run(first);
    vm.expectEmit(address(revocations));
    emit IRevocations.AllRevoked(owner, 1 + STEP);
    _revoke(owner);
    assertTrue(registry.plan(first).isRevoked);
    bytes memory reason = abi.encodeWithSelector(IPlanRegistry.PlanRevoked.selector, 0);
    vm.warp(START + PERIOD);
    _assertRefused(executor, first, reason);
    _assertRefused(executor, second, reason);

    // Plans of the new epoch run.
    uint256 third = _create(_terms());
    assertFalse(registry.plan(third).isRevoked);
    _run(third);
  }

  /// RV-1: neither a resume nor an edit revives a revoked plan, and neither writes to it.
  function test_RevokedStaysRevoked() public {
    uint256 planId = _create(_terms());
    vm.prank(owner);
    registry.pause(planId);
    _revoke(owner);
    bytes memory reason = abi.encodeWithSelector(IPlanRegistry.PlanRevoked.selector, 0);
    vm.startPrank(owner);
    vm.expectRevert(reason);
    registry.edit(planId, 1, 0, _terms());
    vm.expectRevert(reason);
    registry.resume(planId, 1, 0);
    vm.stopPrank();
    vm.prank(owner);
    registry.cancel(planId);
  }

  /// RV-1: it never fails, even during a run, which completes.
  function test_WorksInTheMiddleOfARun() public {
    ScriptedExecutor scripted = _scripted();
    uint256 planId = _planFor(scripted);
    IPlanRegistry.Terms memory terms = _terms();
    // The owner is a contract here, and revokes its own plans from within its own run.
    terms.owner = address(scripted);
    terms.executor = address(executor);
    scripted.beforeDelivery(address(revocations), abi.encodeCall(revocations.revokeAll, ()));
    scripted.run(planId, _go(), "");
    assertTrue(scripted.reply(0).succeeded);
    assertEq(revocations.epochOf(address(scripted)), 1 + STEP);
  }

  /// RV-1: registry and guard use the same Revocations.
  function test_RevertWhen_TheRevocationsHaveNoCode() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RevocationsRefused.selector, stranger));
    Product.planRegistry(IRevocations(stranger), loanGuard, new address[](0));
  }

  /// RV-1: epochs only grow, by unpredictable steps of at least one.
  function testFuzz_TheNextEpochCannotBeKnown(bytes32 hash) public {
    vm.setBlockhash(999, hash);
    _revoke(owner);
    uint64 first = revocations.epochOf(owner);
    assertEq(first, 1 + uint64(uint32(uint256(hash))));
    _revoke(owner);
    assertGt(revocations.epochOf(owner), first);
  }
}
