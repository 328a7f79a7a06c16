// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Bsc} from "../../script/Bsc.sol";
import {PlanForkBase} from "../base/PlanForkBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {ScriptedExecutor} from "../mocks/ScriptedExecutor.sol";
import {TestExecutor} from "../mocks/TestExecutor.sol";

struct UserOperation {
  address sender;
  uint256 nonce;
  bytes initCode;
  bytes callData;
  bytes32 accountGasLimits;
  uint256 preVerificationGas;
  bytes32 gasFees;
  bytes paymasterAndData;
  bytes signature;
}

interface IEntryPoint {
  function handleOps(UserOperation[] calldata operations, address payable beneficiary) external;
  function getUserOpHash(UserOperation calldata operation) external view returns (bytes32);
  function depositTo(address account) external payable;
  function getNonce(address account, uint192 key) external view returns (uint256);
}

interface IAccountFactory {
  function createAccount(address owner, uint256 salt) external returns (address account);
  function senderCreator() external view returns (address);
}

/// @notice PR-20. The owner is a real ERC-4337 account and has signed the cancellation of its plan. A stranger takes
/// the signed operation from the mempool and submits it during a run of their own worthless plan. If the stop function
/// were closed then, the owner's signature would be used up and the plan would keep running.
contract StopButtonForkTest is PlanForkBase {
  IEntryPoint internal constant ENTRY_POINT = IEntryPoint(Bsc.ENTRY_POINT);
  IAccountFactory internal constant FACTORY = IAccountFactory(Bsc.ACCOUNT_FACTORY);

  function test_cancellationSubmittedInsideAStrangersRun_holds() public {
    (address key, uint256 privateKey) = makeAddrAndKey("bowline.fork.key");
    vm.prank(FACTORY.senderCreator());
    address account = FACTORY.createAccount(key, 0);
    ENTRY_POINT.depositTo{value: 1e18}(account);
    IPlanRegistry.Terms memory terms = _terms();
    (terms.owner, terms.recipient) = (account, account);
    vm.prank(account);
    uint256 planId = bowline.planRegistry.create(terms);
    uint256 nonce = ENTRY_POINT.getNonce(account, 0);
    bytes memory submission = _signedCancellation(account, privateKey, nonce, planId);

    (ScriptedExecutor stranger, uint256 strangersPlan) = _strangersPlan();
    stranger.beforeDelivery(Bsc.ENTRY_POINT, submission);
    stranger.run(strangersPlan, TestExecutor.Claim(Verdict.GO, 0), "");

    assertTrue(stranger.reply(0).succeeded);
    assertEq(ENTRY_POINT.getNonce(account, 0), nonce + 1, "the operation was used up");
    assertEq(
      uint256(bowline.planRegistry.plan(planId).state.status),
      uint256(IPlanRegistry.Status.Cancelled),
      "and did its work"
    );
  }

  function _signedCancellation(address account, uint256 privateKey, uint256 nonce, uint256 planId)
    private
    returns (bytes memory)
  {
    UserOperation[] memory operations = new UserOperation[](1);
    UserOperation memory operation = operations[0];
    operation.sender = account;
    operation.nonce = nonce;
    operation.callData = abi.encodeWithSignature(
      "execute(address,uint256,bytes)", address(bowline.planRegistry), 0, abi.encodeCall(IPlanRegistry.cancel, (planId))
    );
    operation.accountGasLimits = bytes32((uint256(300_000) << 128) | 300_000);
    operation.preVerificationGas = 50_000;
    operation.gasFees = bytes32((uint256(1 gwei) << 128) | 1 gwei);
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, ENTRY_POINT.getUserOpHash(operation));
    operation.signature = abi.encodePacked(r, s, v);
    return abi.encodeCall(IEntryPoint.handleOps, (operations, payable(makeAddr("bundler"))));
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
    (terms.amountPerRun, terms.priceSource, terms.maxSlippageBps) = (1, address(0), 0);
    terms.limitPriceWad = type(uint128).max;
    planId = _create(terms);
  }
}
