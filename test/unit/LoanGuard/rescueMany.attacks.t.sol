// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {RescueManyBase} from "../../base/RescueManyBase.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {Puppet} from "../../mocks/Puppet.sol";
import {HostileMarket} from "../../mocks/lending/HostileMarket.sol";

/// One guard of a list has a market or a token that burns gas, answers at great length, or calls back.
contract LoanGuardRescueManyAttacksTest is RescueManyBase {
  HookERC20 private hooked;
  uint256 private bad;

  function setUp() public override {
    super.setUp();
    hooked = new HookERC20("HOOK", 18);
    _open(hooked);
    bad = _hostileGuard(makeAddr("accomplice"));
  }

  /// LG-18, LG-20: at any place of the list, with the gas that `gasLimitOf` names.
  function testFuzz_attack_aMarketThatBurnsGasStarvesNoOther(uint256 place) public {
    hostile.behave(HostileMarket.Deed.BurnGas, 0);
    _assertOnlyTheBadOneFails(place % 3, "");
  }

  /// LG-18, LG-20
  function testFuzz_attack_aTokenThatBurnsGasStarvesNoOther(uint256 place) public {
    address burner = makeAddr("burner");
    vm.etch(burner, hex"fe");
    hooked.hookNextTransfer(burner, "", false);
    _assertOnlyTheBadOneFails(place % 3, "");
  }

  /// LG-18: only the first 132 bytes of an error are copied.
  function testFuzz_attack_aLongErrorIsCutOff(uint256 place, uint256 size) public {
    hostile.behave(HostileMarket.Deed.LongError, bound(size, 133, 100_000));
    bytes memory first = new bytes(132);
    (first[0], first[131]) = (0x7f, 0x01);
    _assertOnlyTheBadOneFails(place % 3, first);
  }

  /// LG-18, LG-20: a megabyte costs the rescue's own budget.
  function testFuzz_attack_aMegabyteStarvesNoOther(uint256 place, bool isError) public {
    hostile.behave(isError ? HostileMarket.Deed.LongError : HostileMarket.Deed.LongAnswer, 1 << 20);
    _assertOnlyTheBadOneFails(place % 3, "");
  }

  /// LG-18: an answer as long as the budget allows for is a reading like any other. It names no repay token.
  function test_attack_aLongAnswerIsNoObstacle() public {
    hostile.behave(HostileMarket.Deed.LongAnswer, 200_000);
    _assertOnlyTheBadOneFails(0, abi.encodeWithSelector(ILoanGuard.RepayTokenChanged.selector, hooked, address(0)));
  }

  /// LG-18: the token finds every entry locked, and cannot pretend to be LoanGuard.
  function test_attack_aTokenThatReentersIsRefused() public {
    bytes[] memory calls = _calls(address(hooked));
    for (uint256 i; i < calls.length; ++i) {
      uint256 snapshot = vm.snapshotState();
      hooked.hookNextTransfer(address(guard), calls[i], true);
      _assertAllRescued();
      assertFalse(hooked.succeeded());
      assertEq(hooked.returned(), _refusal(i, address(hooked)));
      vm.revertToState(snapshot);
    }
  }

  /// LG-18: so does the market.
  function test_attack_aMarketThatReentersIsRefused() public {
    bytes[] memory calls = _calls(address(hostile));
    for (uint256 i; i < calls.length; ++i) {
      uint256 snapshot = vm.snapshotState();
      hostile.hookReading(address(guard), calls[i]);
      _assertAllRescued();
      assertFalse(hostile.succeeded());
      assertEq(hostile.returned(), _refusal(i, address(hostile)));
      vm.revertToState(snapshot);
    }
  }

  /// LG-18: a rescue that passes the refusal on fails alone, and names it.
  function test_attack_aTokenThatInsistsOnReenteringFailsAlone() public {
    hooked.hookNextTransfer(address(guard), abi.encodeCall(ILoanGuard.rescue, (ids[0])), false);
    _assertOnlyTheBadOneFails(1, abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
  }

  /// LG-11: a cancellation takes effect between two rescues of one list.
  function test_attack_aCancellationInTheMiddleOfAListHolds() public {
    Puppet puppet = new Puppet();
    uint256 cancelled = _guardOf(address(puppet));
    bytes memory cancellation = abi.encodeCall(ILoanGuard.cancel, (cancelled));
    hooked.hookNextTransfer(address(puppet), abi.encodeCall(Puppet.act, (address(guard), cancellation)), false);
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(bad, cancelled, ids[0]), 0);
    assertTrue(results[0].isRescued);
    _assertFailed(results[1], abi.encodeWithSelector(ILoanGuard.GuardNotActive.selector, ILoanGuard.Status.Cancelled));
    _assertRescued(results[2], 0);
    assertEq(token.balanceOf(address(puppet)), 10_000e18);
  }

  /// LG-8, LG-18: what a failed rescue had moved is undone, in the middle of the list.
  function test_attack_aMarketThatTakesWithoutRepayingTakesNothing() public {
    hostile.setMiscredit(-int256(uint256(NEEDED)));
    _assertOnlyTheBadOneFails(1, abi.encodeWithSelector(ILoanGuard.DebtFellWrong.selector, NEEDED, 0));
  }

  /// All entries that change state, each of which would succeed if it were let in.
  function _calls(address caller) private view returns (bytes[] memory calls) {
    ILoanGuard.Terms memory terms = _termsOf(caller);
    calls = new bytes[](4);
    calls[0] = abi.encodeCall(ILoanGuard.rescue, (ids[1]));
    calls[1] = abi.encodeCall(ILoanGuard.rescueMany, (_ids(ids[1]), 0));
    calls[2] = abi.encodeCall(ILoanGuard.register, (terms));
    calls[3] = abi.encodeCall(LoanGuard.rescueFor, (ids[1], caller));
  }

  function _refusal(uint256 i, address caller) private pure returns (bytes memory) {
    if (i == 3) return abi.encodeWithSelector(ILoanGuard.NotSelf.selector, caller);
    return abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector);
  }

  function _assertAllRescued() private {
    uint256 guards = guard.guardCount();
    ILoanGuard.Result[] memory results = guard.rescueMany(_ids(ids[0], bad, ids[1]), 0);
    _assertRescued(results[0], 0);
    assertEq(abi.encode(results[1]), abi.encode(ILoanGuard.Result(true, NEEDED, "")));
    _assertRescued(results[2], 1);
    assertEq(guard.guardCount(), guards);
  }

  function _assertOnlyTheBadOneFails(uint256 place, bytes memory why) private {
    uint256[] memory list = _ids(ids[0], ids[1], ids[2]);
    list[place] = bad;
    uint256 gasLimit = guard.gasLimitOf(3, 0);
    vm.expectEmit(address(guard));
    emit ILoanGuard.RescueFailed(bad, why);
    ILoanGuard.Result[] memory results = guard.rescueMany{gas: gasLimit}(list, 0);
    for (uint256 i; i < 3; ++i) {
      if (i == place) _assertFailed(results[i], why);
      else _assertRescued(results[i], i);
    }
    assertEq(hooked.balanceOf(makeAddr("accomplice")), 10_000e18);
    assertEq(hooked.balanceOf(address(hostile)), 0);
    assertEq(guard.guard(bad).state.rescues, 0);
  }
}
