// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EscrowBase} from "../../base/EscrowBase.sol";
import {PaymentToken} from "../../mocks/PaymentToken.sol";
import {Accomplice} from "../../mocks/escrow/Accomplice.sol";
import {AgenticCommerce} from "../../mocks/escrow/AgenticCommerce.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

contract AgenticCommerceTest is EscrowBase {
  function test_refusesTermsThatItDoesNotKnow() public {
    uint256 expiry = NOW + 1 days;
    vm.expectRevert(AgenticCommerce.ZeroAddress.selector);
    commerce.createJob(provider, address(0), expiry, "", address(router));
    vm.expectRevert(AgenticCommerce.HookRequired.selector);
    commerce.createJob(provider, address(router), expiry, "", address(0));
    vm.expectRevert(AgenticCommerce.HookMissingInterface.selector);
    commerce.createJob(provider, address(router), expiry, "", stranger);
    vm.expectRevert(AgenticCommerce.ExpiryTooShort.selector);
    commerce.createJob(provider, address(router), NOW + 5 minutes, "", address(router));
    vm.expectRevert(AgenticCommerce.ExpiryTooLong.selector);
    commerce.createJob(provider, address(router), NOW + 365 days + 1, "", address(router));
    vm.expectRevert(AgenticCommerce.UnsupportedPaymentToken.selector);
    commerce.createJobWithToken(provider, address(router), expiry, "", address(router), stranger);
    assertEq(commerce.jobCounter(), 0);
    commerce.createJob(provider, address(router), NOW + 5 minutes + 1, "", address(router));
    commerce.createJob(provider, address(router), NOW + 365 days, "", address(router));
  }

  function test_aJobIsAsItWasMade() public {
    vm.expectEmit(address(commerce));
    emit AgenticCommerce.JobCreated(1, client, provider, address(router), NOW + 1 days, address(router));
    vm.expectEmit(address(commerce));
    emit AgenticCommerce.JobPaymentTokenBound(1, address(token));
    uint256 id = create();
    AgenticCommerce.Job memory job = commerce.getJob(id);
    assertEq(job.id, 1);
    assertEq(job.client, client);
    assertEq(job.description, "job");
    assertEq(commerce.jobPaymentToken(id), address(token));
    // A missing job looks like an open one.
    assertEq(commerce.getJob(2).id, 0);
    assertStatus(2, AgenticCommerce.Status.Open);
    vm.expectRevert(AgenticCommerce.InvalidJob.selector);
    commerce.jobPaymentToken(2);
    vm.expectRevert(AgenticCommerce.InvalidJob.selector);
    commerce.fund(2, 0, "");
  }

  function test_aProviderIsNamedOnceByTheClient() public {
    vm.startPrank(client);
    uint256 id = commerce.createJob(address(0), address(router), NOW + 1 days, "", address(router));
    router.registerJob(id, address(policy));
    commerce.setBudget(id, BUDGET, "");
    vm.expectRevert(AgenticCommerce.ProviderNotSet.selector);
    commerce.fund(id, BUDGET, "");
    vm.expectRevert(AgenticCommerce.ZeroAddress.selector);
    commerce.setProvider(id, address(0), "");
    vm.stopPrank();
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.setProvider(id, provider, "");
    vm.startPrank(client);
    commerce.setProvider(id, provider, "");
    vm.expectRevert(AgenticCommerce.ProviderAlreadySet.selector);
    commerce.setProvider(id, stranger, "");
  }

  function test_clientAndProviderAgreeOnABudget() public {
    uint256 id = create();
    vm.prank(stranger);
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.setBudget(id, 1, "");
    vm.startPrank(client);
    router.registerJob(id, address(policy));
    vm.expectRevert(AgenticCommerce.ZeroBudget.selector);
    commerce.fund(id, 0, "");
    commerce.setBudget(id, 1, "");
    vm.stopPrank();
    vm.prank(provider);
    commerce.setBudget(id, 2, "");
    vm.prank(provider);
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.fund(id, 2, "");
    vm.startPrank(client);
    // The provider has raised it meanwhile.
    vm.expectRevert(AgenticCommerce.BudgetMismatch.selector);
    commerce.fund(id, 1, "");
    vm.expectEmit(address(commerce));
    emit AgenticCommerce.JobFunded(id, client, provider, 2);
    commerce.fund(id, 2, "");
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.setBudget(id, 3, "");
    assertEq(token.balanceOf(address(commerce)), 2);
  }

  function test_aPriceOfNothingMovesNothing() public {
    vm.prank(client);
    token.approve(address(commerce), 0);
    uint256 id = funded(0);
    submit(id);
    vm.warp(NOW + WINDOW);
    router.settle(id, "");
    assertStatus(id, AgenticCommerce.Status.Completed);
    assertEq(token.balanceOf(provider), 0);
    id = funded(0);
    vm.warp(NOW + 1 days);
    vm.recordLogs();
    commerce.claimRefund(id);
    assertStatus(id, AgenticCommerce.Status.Expired);
    // Expiry is emitted, and no refund.
    assertEq(vm.getRecordedLogs().length, 1);
  }

  function test_nothingIsFundedAfterExpiry() public {
    uint256 id = create();
    vm.startPrank(client);
    router.registerJob(id, address(policy));
    commerce.setBudget(id, BUDGET, "");
    vm.warp(NOW + 1 days);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.fund(id, BUDGET, "");
  }

  function test_onlyTheProviderSubmitsAndOnce() public {
    uint256 id = funded();
    vm.prank(stranger);
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.submit(id, "x", "");
    vm.expectEmit(address(commerce));
    emit AgenticCommerce.JobSubmitted(id, provider, "deliverable");
    submit(id);
    assertEq(commerce.getJob(id).deliverable, "deliverable");
    assertEq(commerce.getJob(id).submittedAt, NOW);
    vm.prank(provider);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.submit(id, "y", "");
  }

  function test_onlyTheEvaluatorDecides() public {
    uint256 id = submitted();
    vm.startPrank(client);
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.complete(id, "", "");
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.reject(id, "", "");
  }

  function test_aClientEndsWhatItHasNotFunded() public {
    uint256 id = create();
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.reject(id, "", "");
    vm.prank(client);
    commerce.reject(id, "", "");
    assertStatus(id, AgenticCommerce.Status.Rejected);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.reject(id, "", "");
  }

  function test_anybodyRefundsWhatExpired() public {
    uint256 id = funded();
    vm.warp(NOW + 1 days - 1);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.claimRefund(id);
    vm.warp(NOW + 1 days);
    vm.prank(provider);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.submit(id, "x", "");
    commerce.pause();
    vm.expectEmit(address(commerce));
    emit AgenticCommerce.Refunded(id, client, BUDGET);
    vm.prank(stranger);
    commerce.claimRefund(id);
    assertEq(token.balanceOf(client), 100 ether);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.claimRefund(id);
  }

  /// A provider who delivered but did not claim in time is not paid.
  function test_whatNobodyClaimedIsRefundedToo() public {
    uint256 id = submitted();
    vm.warp(NOW + 1 days);
    commerce.claimRefund(id);
    assertEq(token.balanceOf(client), 100 ether);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    router.settle(id, "");
  }

  function test_keepsThePlatformsFee() public {
    vm.expectRevert(AgenticCommerce.FeeTooHigh.selector);
    commerce.setPlatformFee(1_001, treasury);
    vm.expectRevert(AgenticCommerce.ZeroAddress.selector);
    commerce.setPlatformFee(1, address(0));
    commerce.setPlatformFee(1_000, treasury);
    uint256 id = submitted();
    vm.warp(NOW + WINDOW);
    vm.expectEmit(address(commerce));
    emit AgenticCommerce.PaymentReleased(id, provider, 4.5 ether);
    router.settle(id, "");
    assertEq(token.balanceOf(treasury), 0.5 ether);
    assertEq(token.balanceOf(provider), 4.5 ether);
  }

  function test_aJobIsPaidInItsOwnToken() public {
    PaymentToken other = new PaymentToken(client);
    commerce.setPaymentTokenSupported(address(other), true);
    vm.startPrank(client);
    uint256 id =
      commerce.createJobWithToken(provider, address(router), NOW + 1 days, "", address(router), address(other));
    router.registerJob(id, address(policy));
    commerce.setBudget(id, BUDGET, "");
    other.approve(address(commerce), BUDGET);
    commerce.fund(id, BUDGET, "");
    vm.stopPrank();
    // An agreed token stays valid.
    commerce.setPaymentTokenSupported(address(other), false);
    submit(id);
    vm.warp(NOW + WINDOW);
    router.settle(id, "");
    assertEq(other.balanceOf(provider), BUDGET);
    assertEq(token.balanceOf(client), 100 ether);
  }

  function test_tokensAreListedByTheOwner() public {
    vm.expectRevert(AgenticCommerce.ZeroAddress.selector);
    commerce.setPaymentTokenSupported(address(0), true);
    vm.expectRevert(AgenticCommerce.TokenHasNoCode.selector);
    commerce.setPaymentTokenSupported(stranger, true);
    vm.startPrank(stranger);
    bytes memory refused = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger);
    vm.expectRevert(refused);
    commerce.setPaymentTokenSupported(address(token), false);
    vm.expectRevert(refused);
    commerce.setPlatformFee(1_000, stranger);
    vm.expectRevert(refused);
    commerce.pause();
  }

  function test_whilePausedOnlyTheWayOutIsOpen() public {
    uint256 id = create();
    uint256 paid = funded();
    commerce.pause();
    vm.startPrank(client);
    vm.expectRevert(Pausable.EnforcedPause.selector);
    commerce.createJob(provider, address(router), NOW + 1 days, "", address(router));
    vm.expectRevert(Pausable.EnforcedPause.selector);
    commerce.setBudget(id, 1, "");
    vm.expectRevert(Pausable.EnforcedPause.selector);
    commerce.reject(id, "", "");
    vm.stopPrank();
    vm.prank(provider);
    vm.expectRevert(Pausable.EnforcedPause.selector);
    commerce.submit(paid, "x", "");
    commerce.unpause();
    submit(paid);
  }

  /// Why a seller must check the evaluator and the hook: otherwise a client can fund a job, have it done and take it
  /// back.
  function test_aForeignEvaluatorTakesTheWorkForNothing() public {
    Accomplice accomplice = new Accomplice();
    uint256 id = fundedWith(accomplice);
    submit(id);
    accomplice.reject(commerce, id);
    assertEq(token.balanceOf(client), 100 ether);
    assertEq(token.balanceOf(provider), 0);
  }

  function test_aHookRefusesInItsOwnWords() public {
    Accomplice accomplice = new Accomplice();
    uint256 id = fundedWith(accomplice);
    accomplice.take(Accomplice.Habit.Refusing);
    vm.expectRevert(Accomplice.NotToday.selector);
    submit(id);
    // But it cannot hold the money.
    vm.warp(NOW + 1 days);
    commerce.claimRefund(id);
    assertEq(token.balanceOf(client), 100 ether);
  }

  function test_aHookHasItsGasAndNoMore() public {
    Accomplice accomplice = new Accomplice();
    uint256 id = fundedWith(accomplice);
    accomplice.take(Accomplice.Habit.Burning);
    uint256 gas = gasleft();
    vm.expectRevert(AgenticCommerce.HookCallFailed.selector);
    submit(id);
    assertLt(gas - gasleft(), 1_200_000);
  }

  function test_aHookCannotEnterAgain() public {
    Accomplice accomplice = new Accomplice();
    uint256 id = fundedWith(accomplice);
    accomplice.take(Accomplice.Habit.Reentering);
    vm.expectRevert(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
    submit(id);
  }

  function fundedWith(Accomplice accomplice) private returns (uint256 id) {
    id = create(address(accomplice), address(accomplice));
    vm.startPrank(client);
    commerce.setBudget(id, BUDGET, "");
    commerce.fund(id, BUDGET, "");
    vm.stopPrank();
  }
}
