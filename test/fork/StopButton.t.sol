// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Bsc} from "../../script/Bsc.sol";
import {AccountAbstraction, IAccountFactory, IEntryPoint} from "../base/AccountAbstraction.sol";
import {PlanForkBase} from "../base/PlanForkBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {ScriptedExecutor} from "../mocks/ScriptedExecutor.sol";
import {TestExecutor} from "../mocks/TestExecutor.sol";

/// @notice The owner is a real ERC-4337 account and has signed the cancellation of its plan. A stranger takes the signed
/// operation from the mempool and submits it during a run of their own worthless plan. The EntryPoint refuses that, so
/// the signature is not used up, and anybody's key can submit it: the stop buttons are open anyway (PR-20).
contract StopButtonForkTest is PlanForkBase {
  IEntryPoint internal constant ENTRY_POINT = IEntryPoint(Bsc.ENTRY_POINT);

  /// PR-20, WA-6
  function test_cancellationSubmittedInsideAStrangersRun_isRefused_andHoldsAfterwards() public {
    (address key, uint256 privateKey) = makeAddrAndKey("bowline.fork.key");
    IAccountFactory factory = AccountAbstraction.deployFactory("contracts", ENTRY_POINT);
    address account = AccountAbstraction.createAccount(ENTRY_POINT, factory, key);
    IPlanRegistry.Terms memory terms = _terms();
    (terms.owner, terms.recipient) = (account, account);
    vm.prank(account);
    uint256 planId = bowline.planRegistry.create(terms);
    bytes memory cancel = abi.encodeCall(IPlanRegistry.cancel, (planId));
    address bundler = makeAddr("bundler");
    bytes memory submission = AccountAbstraction.submission(
      ENTRY_POINT, account, privateKey, address(bowline.planRegistry), cancel, 300_000, bundler
    );

    (ScriptedExecutor stranger, uint256 strangersPlan) = _strangersPlan();
    stranger.beforeDelivery(Bsc.ENTRY_POINT, submission);
    stranger.run(strangersPlan, TestExecutor.Claim(Verdict.GO, 0), "");
    assertEq(stranger.reply(0).returned, abi.encodeWithSelector(IEntryPoint.Reentrancy.selector));
    assertEq(ENTRY_POINT.getNonce(account, 0), 0, "the operation is not used up");

    vm.prank(bundler, bundler);
    (bool isSubmitted,) = Bsc.ENTRY_POINT.call(submission);
    assertTrue(isSubmitted);
    assertEq(
      uint256(bowline.planRegistry.plan(planId).state.status),
      uint256(IPlanRegistry.Status.Cancelled),
      "it did its work"
    );
  }

  /// A plan with worthless tokens, whose run the stranger can open at will.
  function _strangersPlan() private returns (ScriptedExecutor executor, uint256 planId) {
    executor = new ScriptedExecutor(bowline.planRegistry);
    executor.setAmountOut(1);
    (MockERC20 tokenIn, MockERC20 tokenOut) = (new MockERC20("IN", 18), new MockERC20("OUT", 18));
    tokenIn.mint(owner, 1);
    tokenOut.mint(address(executor), 1);
    vm.prank(owner);
    tokenIn.approve(address(bowline.planRegistry), 1);
    IPlanRegistry.Terms memory terms = _terms();
    (terms.executor, terms.tokenIn, terms.tokenOut) = (address(executor), address(tokenIn), address(tokenOut));
    (terms.amountPerRun, terms.priceSource, terms.maxSlippageBps, terms.farLimit) = (1, address(0), 0, true);
    terms.limitPriceWad = type(uint128).max;
    planId = _create(terms);
  }
}
