// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EscrowBase} from "../../base/EscrowBase.sol";
import {Accomplice} from "../../mocks/escrow/Accomplice.sol";
import {AgenticCommerce} from "../../mocks/escrow/AgenticCommerce.sol";
import {EvaluatorRouter} from "../../mocks/escrow/EvaluatorRouter.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

contract EvaluatorRouterTest is EscrowBase {
  function test_registersOnlyWhatItEvaluates() public {
    Accomplice accomplice = new Accomplice();
    uint256 foreignEvaluator = create(address(accomplice), address(router));
    uint256 foreignHook = create(address(router), address(accomplice));
    uint256 id = create();
    vm.expectRevert(EvaluatorRouter.NotJobClient.selector);
    router.registerJob(id, address(policy));
    vm.startPrank(client);
    vm.expectRevert(EvaluatorRouter.RouterNotEvaluator.selector);
    router.registerJob(foreignEvaluator, address(policy));
    vm.expectRevert(EvaluatorRouter.RouterNotHook.selector);
    router.registerJob(foreignHook, address(policy));
    vm.expectRevert(EvaluatorRouter.PolicyNotWhitelisted.selector);
    router.registerJob(id, address(accomplice));
    vm.expectRevert(EvaluatorRouter.JobNotOpen.selector);
    router.registerJob(99, address(policy));
    vm.expectEmit(address(router));
    emit EvaluatorRouter.JobRegistered(id, address(policy), client);
    router.registerJob(id, address(policy));
    vm.expectRevert(EvaluatorRouter.PolicyAlreadySet.selector);
    router.registerJob(id, address(policy));
    commerce.reject(id, "", "");
    vm.expectRevert(EvaluatorRouter.JobNotOpen.selector);
    router.registerJob(id, address(policy));
  }

  function test_aJobWithoutAPolicyCannotBeFunded() public {
    uint256 id = create();
    vm.startPrank(client);
    commerce.setBudget(id, BUDGET, "");
    vm.expectRevert(bytes4(0x32d53d69));
    commerce.fund(id, BUDGET, "");
    router.registerJob(id, address(policy));
    commerce.fund(id, BUDGET, "");
  }

  function test_anybodySettlesWhatIsDecided() public {
    uint256 id = submitted();
    assertEq(router.inflightJobCount(), 1);
    vm.warp(NOW + WINDOW - 1);
    vm.expectRevert(bytes4(0x17be5b7b));
    router.settle(id, "");
    vm.warp(NOW + WINDOW);
    bytes32 approved = policy.REASON_APPROVED();
    vm.expectEmit(address(router));
    emit EvaluatorRouter.JobFinalised(id, 3);
    vm.expectEmit(address(commerce));
    emit AgenticCommerce.JobCompleted(id, address(router), keccak256(abi.encode(policy, approved)));
    vm.expectEmit(address(router));
    emit EvaluatorRouter.JobSettled(id, address(policy), 1, approved);
    vm.prank(stranger);
    router.settle(id, "");
    assertEq(token.balanceOf(provider), BUDGET);
    assertEq(token.balanceOf(address(commerce)), 0);
    assertEq(router.inflightJobCount(), 0);
    // An ended job has no policy.
    assertEq(router.jobPolicy(id), address(0));
    vm.expectRevert(EvaluatorRouter.PolicyNotSet.selector);
    router.settle(id, "");
  }

  function test_isToldOfExpiry() public {
    uint256 id = funded();
    vm.expectRevert(EvaluatorRouter.NotExpired.selector);
    router.markExpired(id);
    vm.warp(NOW + 1 days);
    commerce.claimRefund(id);
    assertEq(router.inflightJobCount(), 1);
    router.markExpired(id);
    assertEq(router.inflightJobCount(), 0);
    vm.expectRevert(EvaluatorRouter.PolicyNotSet.selector);
    router.markExpired(id);
  }

  function test_listensToTheKernelAlone() public {
    uint256 id = submitted();
    vm.expectRevert(EvaluatorRouter.NotCommerce.selector);
    router.afterAction(id, AgenticCommerce.complete.selector, "");
    vm.expectRevert(EvaluatorRouter.NotCommerce.selector);
    router.beforeAction(id, AgenticCommerce.fund.selector, "");
  }

  function test_aPauseHoldsBackVerdictsAndNoMoney() public {
    uint256 open = create();
    uint256 id = submitted();
    vm.warp(NOW + WINDOW);
    router.pause();
    vm.expectRevert(Pausable.EnforcedPause.selector);
    router.settle(id, "");
    vm.prank(client);
    vm.expectRevert(Pausable.EnforcedPause.selector);
    router.registerJob(open, address(policy));
    vm.warp(NOW + 1 days);
    commerce.claimRefund(id);
    assertEq(token.balanceOf(client), 100 ether);
  }

  function test_refusesAVerdictThatHasNoMeaning() public {
    uint256 id = submitted();
    vm.mockCall(address(policy), abi.encodeWithSelector(policy.check.selector), abi.encode(3, bytes32(0)));
    vm.expectRevert(abi.encodeWithSelector(EvaluatorRouter.UnknownVerdict.selector, 3));
    router.settle(id, "");
  }

  /// A policy that was removed from the list keeps its existing jobs.
  function test_theListIsForNewJobs() public {
    uint256 open = create();
    uint256 id = submitted();
    vm.expectRevert(EvaluatorRouter.ZeroAddress.selector);
    router.setPolicyWhitelist(address(0), true);
    router.setPolicyWhitelist(address(policy), false);
    vm.prank(client);
    vm.expectRevert(EvaluatorRouter.PolicyNotWhitelisted.selector);
    router.registerJob(open, address(policy));
    vm.warp(NOW + WINDOW);
    router.settle(id, "");
    assertEq(token.balanceOf(provider), BUDGET);
  }
}
