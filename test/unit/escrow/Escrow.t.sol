// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PaymentToken} from "../../mocks/PaymentToken.sol";
import {AgenticCommerce} from "../../mocks/escrow/AgenticCommerce.sol";
import {EvaluatorRouter} from "../../mocks/escrow/EvaluatorRouter.sol";
import {IJobHook} from "../../mocks/escrow/IJobHook.sol";
import {OptimisticPolicy} from "../../mocks/escrow/OptimisticPolicy.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Test} from "forge-std/Test.sol";

/// A hook that lets everything pass and an evaluator that decides as it likes: what a hostile buyer brings along.
contract Accomplice is IJobHook, IERC165 {
  function beforeAction(uint256, bytes4, bytes calldata) external {}
  function afterAction(uint256, bytes4, bytes calldata) external {}

  function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
    return interfaceId == type(IJobHook).interfaceId || interfaceId == type(IERC165).interfaceId;
  }

  function reject(AgenticCommerce commerce, uint256 jobId) external {
    commerce.reject(jobId, "", "");
  }
}

contract EscrowTest is Test {
  uint64 private constant WINDOW = 1 hours;
  uint256 private constant BUDGET = 5 ether;

  address private immutable client = makeAddr("client");
  address private immutable provider = makeAddr("provider");
  address private immutable stranger = makeAddr("stranger");
  address private immutable treasury = makeAddr("treasury");
  PaymentToken private token;
  AgenticCommerce private commerce;
  EvaluatorRouter private router;
  OptimisticPolicy private policy;

  function setUp() public {
    token = new PaymentToken(address(this));
    commerce = new AgenticCommerce(address(token), treasury, address(this));
    router = new EvaluatorRouter(commerce, address(this));
    policy = new OptimisticPolicy(commerce, address(router), address(this), WINDOW, 2);
    router.setPolicyWhitelist(address(policy), true);
    require(token.transfer(client, 100 ether));
    vm.prank(client);
    token.approve(address(commerce), type(uint256).max);
  }

  function test_paysTheProviderAfterTheWindow() public {
    uint256 id = funded();
    assertEq(token.balanceOf(client), 95 ether);
    submit(id);
    vm.warp(block.timestamp + WINDOW);
    vm.expectRevert(EvaluatorRouter.NotDecided.selector);
    router.settle(id, "");
    vm.warp(block.timestamp + 1);
    vm.prank(stranger);
    router.settle(id, "");
    assertEq(token.balanceOf(provider), BUDGET);
    assertEq(uint8(commerce.getJob(id).status), 3);
    assertEq(router.inflightJobCount(), 0);
  }

  function test_keepsThePlatformsFee() public {
    commerce.setPlatformFee(1_000, treasury);
    vm.expectRevert(AgenticCommerce.FeeTooHigh.selector);
    commerce.setPlatformFee(1_001, treasury);
    uint256 id = funded();
    submit(id);
    vm.warp(block.timestamp + WINDOW + 1);
    router.settle(id, "");
    assertEq(token.balanceOf(treasury), 0.5 ether);
    assertEq(token.balanceOf(provider), 4.5 ether);
  }

  function test_refundsWhatVotersReject() public {
    policy.addVoter(stranger);
    policy.addVoter(treasury);
    uint256 id = funded();
    submit(id);
    vm.prank(stranger);
    vm.expectRevert(OptimisticPolicy.NotDisputed.selector);
    policy.voteReject(id);
    vm.expectRevert(OptimisticPolicy.NotClient.selector);
    policy.dispute(id);
    vm.startPrank(client);
    policy.dispute(id);
    vm.expectRevert(OptimisticPolicy.AlreadyDisputed.selector);
    policy.dispute(id);
    vm.expectRevert(OptimisticPolicy.NotVoter.selector);
    policy.voteReject(id);
    vm.stopPrank();
    vm.startPrank(stranger);
    policy.voteReject(id);
    vm.expectRevert(OptimisticPolicy.AlreadyVoted.selector);
    policy.voteReject(id);
    vm.stopPrank();
    vm.expectRevert(EvaluatorRouter.NotDecided.selector);
    router.settle(id, "");
    vm.prank(treasury);
    policy.voteReject(id);
    router.settle(id, "");
    assertEq(token.balanceOf(client), 100 ether);
    assertEq(uint8(commerce.getJob(id).status), 4);
  }

  function test_aDisputeWithoutAQuorumPays() public {
    uint256 id = funded();
    submit(id);
    vm.warp(block.timestamp + WINDOW + 1);
    vm.prank(client);
    vm.expectRevert(OptimisticPolicy.OutsideDisputeWindow.selector);
    policy.dispute(id);
    vm.warp(block.timestamp - 1);
    vm.prank(client);
    policy.dispute(id);
    vm.warp(block.timestamp + 1);
    router.settle(id, "");
    assertEq(token.balanceOf(provider), BUDGET);
  }

  function test_refundsWhatExpired() public {
    uint256 id = funded();
    uint256 expiry = commerce.getJob(id).expiredAt;
    vm.warp(expiry - 1);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.claimRefund(id);
    vm.warp(expiry);
    vm.prank(provider);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.submit(id, "x", "");
    commerce.pause();
    commerce.claimRefund(id);
    assertEq(token.balanceOf(client), 100 ether);
    router.markExpired(id);
    assertEq(router.inflightJobCount(), 0);
  }

  function test_refusesASubmissionThatLeavesNoWindow() public {
    uint256 id = funded();
    uint256 expiry = commerce.getJob(id).expiredAt;
    vm.warp(expiry - WINDOW + 1);
    vm.prank(provider);
    vm.expectRevert(bytes4(0x15e5dd74));
    commerce.submit(id, "x", "");
    vm.warp(expiry - WINDOW);
    submit(id);
  }

  function test_aJobWithoutAPolicyCannotBeFunded() public {
    uint256 id = create(address(router), address(router));
    vm.startPrank(client);
    commerce.setBudget(id, BUDGET, "");
    vm.expectRevert(bytes4(0x32d53d69));
    commerce.fund(id, BUDGET, "");
    router.registerJob(id, address(policy));
    vm.expectRevert(EvaluatorRouter.PolicyAlreadySet.selector);
    router.registerJob(id, address(policy));
    commerce.fund(id, BUDGET, "");
  }

  function test_registersOnlyWhatItEvaluates() public {
    Accomplice accomplice = new Accomplice();
    uint256 foreignEvaluator = create(address(accomplice), address(router));
    uint256 foreignHook = create(address(router), address(accomplice));
    uint256 id = create(address(router), address(router));
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
  }

  /// Why a seller must look at the evaluator and the hook: such a job can be funded, worked on and taken back.
  function test_aForeignEvaluatorTakesTheWorkForNothing() public {
    Accomplice accomplice = new Accomplice();
    uint256 id = create(address(accomplice), address(accomplice));
    vm.startPrank(client);
    commerce.setBudget(id, BUDGET, "");
    commerce.fund(id, BUDGET, "");
    vm.stopPrank();
    submit(id);
    accomplice.reject(commerce, id);
    assertEq(token.balanceOf(client), 100 ether);
    assertEq(token.balanceOf(provider), 0);
  }

  function test_budgets() public {
    uint256 id = create(address(router), address(router));
    vm.prank(stranger);
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.setBudget(id, 1, "");
    vm.startPrank(client);
    router.registerJob(id, address(policy));
    vm.expectRevert(AgenticCommerce.ZeroBudget.selector);
    commerce.fund(id, 0, "");
    commerce.setBudget(id, 0, "");
    vm.expectRevert(AgenticCommerce.BudgetMismatch.selector);
    commerce.fund(id, 1, "");
    commerce.fund(id, 0, "");
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.setBudget(id, 1, "");
    vm.stopPrank();
    assertEq(uint8(commerce.getJob(id).status), 1);
  }

  function test_terms() public {
    uint256 expiry = block.timestamp + 1 days;
    vm.expectRevert(AgenticCommerce.ZeroAddress.selector);
    commerce.createJob(provider, address(0), expiry, "", address(router));
    vm.expectRevert(AgenticCommerce.HookRequired.selector);
    commerce.createJob(provider, address(router), expiry, "", address(0));
    vm.expectRevert(AgenticCommerce.HookMissingInterface.selector);
    commerce.createJob(provider, address(router), expiry, "", stranger);
    vm.expectRevert(AgenticCommerce.ExpiryTooShort.selector);
    commerce.createJob(provider, address(router), block.timestamp + 5 minutes, "", address(router));
    vm.expectRevert(AgenticCommerce.ExpiryTooLong.selector);
    commerce.createJob(provider, address(router), block.timestamp + 365 days + 1, "", address(router));
    vm.expectRevert(AgenticCommerce.UnsupportedPaymentToken.selector);
    commerce.createJobWithToken(provider, address(router), expiry, "", address(router), stranger);
    vm.expectRevert(AgenticCommerce.InvalidJob.selector);
    commerce.jobPaymentToken(1);
    uint256 id = commerce.createJob(address(0), address(router), expiry, "text", address(router));
    assertEq(commerce.jobPaymentToken(id), address(token));
    assertEq(commerce.getJob(id).description, "text");
    commerce.setProvider(id, provider, "");
    vm.expectRevert(AgenticCommerce.ProviderAlreadySet.selector);
    commerce.setProvider(id, stranger, "");
    assertEq(commerce.getJob(99).id, 0);
  }

  function test_onlyTheProviderSubmitsAndOnce() public {
    uint256 id = funded();
    vm.prank(stranger);
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.submit(id, "x", "");
    submit(id);
    vm.prank(provider);
    vm.expectRevert(AgenticCommerce.WrongStatus.selector);
    commerce.submit(id, "y", "");
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.complete(id, "", "");
    vm.expectRevert(EvaluatorRouter.NotCommerce.selector);
    router.afterAction(id, AgenticCommerce.submit.selector, "");
    vm.expectRevert(OptimisticPolicy.NotRouter.selector);
    policy.onSubmitted(id, "x", "");
  }

  function test_aClientEndsWhatItHasNotFunded() public {
    uint256 id = create(address(router), address(router));
    vm.expectRevert(AgenticCommerce.Unauthorized.selector);
    commerce.reject(id, "", "");
    vm.prank(client);
    commerce.reject(id, "", "");
    assertEq(uint8(commerce.getJob(id).status), 4);
  }

  function create(address evaluator, address hook) private returns (uint256 id) {
    vm.prank(client);
    id = commerce.createJob(provider, evaluator, block.timestamp + 1 days, "job", hook);
  }

  function funded() private returns (uint256 id) {
    id = create(address(router), address(router));
    vm.startPrank(client);
    router.registerJob(id, address(policy));
    commerce.setBudget(id, BUDGET, "");
    commerce.fund(id, BUDGET, "");
    vm.stopPrank();
  }

  function submit(uint256 id) private {
    vm.prank(provider);
    commerce.submit(id, "deliverable", "{}");
  }
}
