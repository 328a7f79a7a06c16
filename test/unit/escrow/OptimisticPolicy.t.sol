// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EscrowBase} from "../../base/EscrowBase.sol";
import {Accomplice} from "../../mocks/escrow/Accomplice.sol";
import {AgenticCommerce} from "../../mocks/escrow/AgenticCommerce.sol";
import {EvaluatorRouter} from "../../mocks/escrow/EvaluatorRouter.sol";
import {OptimisticPolicy} from "../../mocks/escrow/OptimisticPolicy.sol";

contract OptimisticPolicyTest is EscrowBase {
  address private immutable first = makeAddr("first voter");
  address private immutable second = makeAddr("second voter");

  function setUp() public override {
    super.setUp();
    policy.addVoter(first);
    policy.addVoter(second);
  }

  function test_tellsWhereTheDeliverableIs() public {
    uint256 id = funded();
    vm.expectEmit(address(policy));
    emit OptimisticPolicy.JobInitialised(id, "deliverable", uint64(NOW), "{}");
    submit(id);
    vm.expectRevert(OptimisticPolicy.NotRouter.selector);
    policy.onSubmitted(id, "x", "");
    vm.prank(address(router));
    vm.expectRevert(OptimisticPolicy.AlreadyInitialised.selector);
    policy.onSubmitted(id, "x", "");
  }

  function test_silenceApproves() public {
    assertVerdict(99, 0);
    uint256 id = submitted();
    vm.warp(NOW + WINDOW - 1);
    assertVerdict(id, 0);
    vm.warp(NOW + WINDOW);
    assertVerdict(id, 1);
  }

  function test_refusesASubmissionThatLeavesNoWindow() public {
    uint256 id = funded();
    vm.warp(NOW + 1 days - WINDOW + 1);
    vm.prank(provider);
    vm.expectRevert(bytes4(0x15e5dd74));
    commerce.submit(id, "x", "");
    assertStatus(id, AgenticCommerce.Status.Funded);
    vm.warp(NOW + 1 days - WINDOW);
    submit(id);
  }

  function test_refundsWhatVotersReject() public {
    uint256 id = submitted();
    vm.prank(first);
    vm.expectRevert(OptimisticPolicy.NotDisputed.selector);
    policy.voteReject(id);
    dispute(id);
    vm.expectRevert(OptimisticPolicy.NotVoter.selector);
    policy.voteReject(id);
    vm.startPrank(first);
    policy.voteReject(id);
    vm.expectRevert(OptimisticPolicy.AlreadyVoted.selector);
    policy.voteReject(id);
    vm.stopPrank();
    vm.expectRevert(EvaluatorRouter.NotDecided.selector);
    router.settle(id, "");
    vm.expectEmit(address(policy));
    emit OptimisticPolicy.QuorumReached(id, 2);
    vote(second, id);
    // Before the window is over, too.
    router.settle(id, "");
    assertEq(token.balanceOf(client), 100 ether);
    assertStatus(id, AgenticCommerce.Status.Rejected);
  }

  function test_aDisputeWithoutAQuorumPays() public {
    uint256 id = submitted();
    dispute(id);
    vote(first, id);
    vm.warp(NOW + WINDOW);
    router.settle(id, "");
    assertEq(token.balanceOf(provider), BUDGET);
    vm.prank(second);
    vm.expectRevert(OptimisticPolicy.WrongJobStatus.selector);
    policy.voteReject(id);
  }

  /// Until the job is settled, votes count after the window: a seller who claims slowly may lose.
  function test_aLateVoteCounts() public {
    uint256 id = submitted();
    dispute(id);
    vote(first, id);
    vm.warp(NOW + WINDOW);
    assertVerdict(id, 1);
    vote(second, id);
    assertVerdict(id, 2);
  }

  function test_onlyTheClientDisputesInTimeAndOnce() public {
    uint256 id = submitted();
    vm.expectRevert(OptimisticPolicy.NotClient.selector);
    policy.dispute(id);
    vm.startPrank(client);
    vm.warp(NOW + WINDOW);
    vm.expectRevert(OptimisticPolicy.OutsideDisputeWindow.selector);
    policy.dispute(id);
    vm.warp(NOW + WINDOW - 1);
    policy.dispute(id);
    vm.expectRevert(OptimisticPolicy.AlreadyDisputed.selector);
    policy.dispute(id);
  }

  function test_onlyWhatWasSubmittedHereIsDisputed() public {
    uint256 id = funded();
    vm.prank(client);
    vm.expectRevert(OptimisticPolicy.WrongJobStatus.selector);
    policy.dispute(id);
    Accomplice accomplice = new Accomplice();
    id = create(address(accomplice), address(accomplice));
    vm.startPrank(client);
    commerce.setBudget(id, 0, "");
    commerce.fund(id, 0, "");
    vm.stopPrank();
    submit(id);
    vm.prank(client);
    vm.expectRevert(OptimisticPolicy.NotSubmitted.selector);
    policy.dispute(id);
  }

  function test_aQuorumIsThatOfTheTimeOfTheDispute() public {
    uint256 id = submitted();
    dispute(id);
    policy.addVoter(stranger);
    policy.setQuorum(3);
    vote(first, id);
    vote(second, id);
    assertVerdict(id, 2);
  }

  function test_theAdminKeepsTheVoters() public {
    vm.expectRevert(OptimisticPolicy.VoterAlreadyExists.selector);
    policy.addVoter(first);
    vm.expectRevert(OptimisticPolicy.ZeroAddress.selector);
    policy.addVoter(address(0));
    vm.expectRevert(OptimisticPolicy.UnknownVoter.selector);
    policy.removeVoter(stranger);
    vm.expectRevert(OptimisticPolicy.WouldBreakQuorum.selector);
    policy.removeVoter(first);
    vm.expectRevert(OptimisticPolicy.QuorumZero.selector);
    policy.setQuorum(0);
    vm.expectRevert(OptimisticPolicy.QuorumOutOfRange.selector);
    policy.setQuorum(3);
    policy.setQuorum(1);
    policy.removeVoter(first);
    assertEq(policy.activeVoterCount(), 1);
    vm.startPrank(stranger);
    vm.expectRevert(OptimisticPolicy.NotAdmin.selector);
    policy.addVoter(stranger);
    vm.expectRevert(OptimisticPolicy.NotAdmin.selector);
    policy.removeVoter(second);
    vm.expectRevert(OptimisticPolicy.NotAdmin.selector);
    policy.setQuorum(1);
  }

  function dispute(uint256 id) private {
    vm.prank(client);
    policy.dispute(id);
  }

  function vote(address voter, uint256 id) private {
    vm.prank(voter);
    policy.voteReject(id);
  }

  function assertVerdict(uint256 id, uint8 expected) private view {
    (uint8 verdict,) = policy.check(id, "");
    assertEq(verdict, expected);
  }
}
