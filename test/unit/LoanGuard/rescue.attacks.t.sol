// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ExactPull} from "../../../contracts/libraries/ExactPull.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {Puppet} from "../../mocks/Puppet.sol";
import {SenderFeeERC20} from "../../mocks/SenderFeeERC20.sol";
import {SilentERC20} from "../../mocks/SilentERC20.sol";

/// Dishonest tokens and markets, and donations meant to distort the accounting.
contract LoanGuardRescueAttacksTest is GuardBase {
  /// LG-8: the market takes the tokens but does not reduce the debt.
  function test_attack_takingWithoutRepayingRevertsEverything() public {
    uint256 guardId = _register(_terms());
    _endanger();
    lending.setMiscredit(-int256(uint256(NEEDED)));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DebtFellWrong.selector, NEEDED, 0));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-8: by one base unit too little, and by one too much.
  function test_attack_debtThatFallsByAnotherAmountRevertsEverything() public {
    _assertMiscreditRefused(1);
  }

  /// LG-8: in an inexact market, by more than one base unit and one billionth.
  function test_attack_anInexactMarketMayBeOffByHardlyAnything() public {
    lending.setInexact(true);
    int256 off = int256(uint256(2 + NEEDED / 1e9));
    uint256 guardId = _assertMiscreditRefused(off);
    lending.setMiscredit(1 - off);
    assertEq(guard.rescue(guardId), NEEDED);
    // By the debt that is left, not by what was paid: that would be the target itself.
    assertEq(_lastRescue(guardId).healthAfterWad, 1.249999999e18);
  }

  function _assertMiscreditRefused(int256 off) private returns (uint256 guardId) {
    guardId = _register(_terms());
    _endanger();
    for (int256 sign = -1; sign <= 1; sign += 2) {
      lending.setMiscredit(sign * off);
      uint256 fell = uint256(int256(uint256(NEEDED)) + sign * off);
      vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DebtFellWrong.selector, NEEDED, fell));
      guard.rescue(guardId);
      _assertUntouched(guardId);
    }
  }

  /// LG-8: the market claims success, does nothing and leaves the tokens in the adapter.
  function test_attack_doingNothingAndKeepingTheTokensRevertsEverything() public {
    uint256 guardId = _register(_terms());
    _endanger();
    lending.setMaxTaken(0, true);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DebtFellWrong.selector, NEEDED, 0));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-5, LG-8: the market claims success, does nothing and the tokens return: no rescue is recorded.
  function test_attack_doingNothingAndReturningTheTokensIsNoRescue() public {
    uint256 guardId = _register(_terms());
    _endanger();
    lending.setMaxTaken(0, false);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayBelowMinimum.selector, 0, 1e18));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-6, LG-8: a market may take less. The rest returns to the borrower, and the day's cap counts only the amount
  /// taken.
  function test_attack_takingLessIsAPartialRescueOfThatMuch() public {
    uint256 guardId = _register(_terms());
    _endanger();
    lending.setMaxTaken(100e18, false);
    assertEq(guard.rescue(guardId), 100e18);
    assertEq(token.balanceOf(borrower), 9_900e18);
    assertEq(token.balanceOf(address(lending)), 0);
    assertEq(_debt(borrower), 900e18);
    assertEq(guard.guard(guardId).state.takenInDay, 100e18);
    assertEq(uint8(_lastRescue(guardId).outcome), uint8(ILoanGuard.Outcome.Partial));
    assertEq(_lastRescue(guardId).repaid, 100e18);
    assertEq(_lastRescue(guardId).healthAfterWad, _recorded(uint256(1_020e18) * WAD / 900e18));
  }

  /// LG-5: the minimum applies to the amount taken, not offered.
  function test_attack_takingLessThanTheMinimumRevertsEverything() public {
    uint256 guardId = _register(_terms());
    _endanger();
    lending.setMaxTaken(1e18 - 1, false);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayBelowMinimum.selector, 1e18 - 1, 1e18));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-9
  function testFuzz_attack_giftsNeitherStopNorPay(uint128 toGuard, uint128 toAdapter) public {
    uint256 guardId = _register(_terms());
    _endanger();
    token.mint(address(guard), toGuard);
    token.mint(address(lending), toAdapter);
    assertEq(guard.rescue(guardId), NEEDED);
    assertEq(token.balanceOf(borrower), 10_000e18 - NEEDED);
    assertEq(token.balanceOf(address(guard)), toGuard);
    assertEq(token.balanceOf(address(lending)), toAdapter);
  }

  /// LG-8: the borrower would pay the token's fee without reducing the debt.
  function test_attack_feeOnTransferIsRefused() public {
    _build(new FeeERC20("FEE", 18, 1), WAD);
    uint256 guardId = _register(_terms());
    _endanger();
    uint256 arrived = NEEDED - NEEDED / 10_000;
    vm.expectRevert(abi.encodeWithSelector(ExactPull.PullInexact.selector, NEEDED, NEEDED, arrived));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-8: the debt would fall by the requested amount, but the borrower would pay more.
  function test_attack_feeOnTopOfTransferIsRefused() public {
    _build(new SenderFeeERC20("FEE", 18), WAD);
    uint256 guardId = _register(_terms());
    _endanger();
    vm.expectRevert(abi.encodeWithSelector(ExactPull.PullInexact.selector, NEEDED, NEEDED + 1, NEEDED));
    guard.rescue(guardId);
    _assertUntouched(guardId);
  }

  /// LG-5, LG-8: a token whose transfers return nothing works like any other.
  function test_attack_tokenThatReturnsNothingIsNoObstacle() public {
    _build(MockERC20(address(new SilentERC20())), WAD);
    uint256 guardId = _register(_terms());
    _endanger();
    assertEq(guard.rescue(guardId), NEEDED);
    assertEq(token.balanceOf(borrower), 10_000e18 - NEEDED);
    assertEq(_debt(borrower), 816e18);
  }

  /// LG-9: a thief who is called while the adapter holds the borrower's tokens repays their own debt with them. This
  /// adapter does not defend itself; LoanGuard's measurement finds that the tokens are missing.
  function test_attack_theftFromTheAdapterDuringThePullRevertsEverything() public {
    HookERC20 hooked = _buildHooked();
    uint256 guardId = _register(_terms());
    _endanger();
    _endanger(stranger);
    bytes memory theft = abi.encodeCall(ILendingMarket.repay, (stranger, market, NEEDED, stranger));
    hooked.hookNextTransfer(address(lending), theft, false);

    vm.expectRevert(abi.encodeWithSelector(ExactPull.PullInexact.selector, NEEDED, NEEDED, 0));
    guard.rescue(guardId);
    _assertUntouched(guardId);
    assertEq(_debt(stranger), 1_000e18);
  }

  /// LG-3: a nested rescue would see neither the first one's cooldown nor its use of the day's cap.
  function test_attack_rescueWithinARescueIsRefused() public {
    HookERC20 hooked = _buildHooked();
    uint256 guardId = _register(_terms());
    _endanger();
    hooked.hookNextTransfer(address(guard), abi.encodeCall(ILoanGuard.rescue, (guardId)), true);
    assertEq(guard.rescue(guardId), NEEDED);
    _assertRefusedReentry(hooked);
    assertEq(guard.guard(guardId).state.rescues, 1);
    assertEq(token.balanceOf(borrower), 10_000e18 - NEEDED);
  }

  /// LG-11: a cancellation during a rescue holds; the end of the rescue does not undo it.
  function test_attack_cancelWithinARescueIsNotLost() public {
    HookERC20 hooked = _buildHooked();
    Puppet puppet = new Puppet();
    ILoanGuard.Terms memory terms = _terms();
    terms.borrower = address(puppet);
    terms.funder = address(puppet);
    uint256 guardId = _register(terms);
    token.mint(address(puppet), 10_000e18);
    vm.prank(address(puppet));
    token.approve(address(guard), type(uint256).max);
    _endanger(address(puppet));
    bytes memory cancellation = abi.encodeCall(ILoanGuard.cancel, (guardId));
    hooked.hookNextTransfer(address(puppet), abi.encodeCall(Puppet.act, (address(guard), cancellation)), false);

    assertEq(guard.rescue(guardId), NEEDED);
    assertEq(uint8(guard.guard(guardId).state.status), uint8(ILoanGuard.Status.Cancelled));
    assertEq(guard.guard(guardId).state.rescues, 1);
  }

  /// LG-11
  function test_attack_registerWithinARescueIsRefused() public {
    HookERC20 hooked = _buildHooked();
    uint256 guardId = _register(_terms());
    _endanger();
    ILoanGuard.Terms memory terms = _terms();
    // The token itself makes the call, so only the lock refuses it.
    terms.borrower = address(hooked);
    terms.funder = address(hooked);
    hooked.hookNextTransfer(address(guard), abi.encodeCall(ILoanGuard.register, (terms)), true);
    guard.rescue(guardId);
    _assertRefusedReentry(hooked);
    assertEq(guard.guardCount(), 1);
  }

  /// LG-11: the same consent is accepted after the rescue, so only the lock refuses it during one.
  function test_attack_registerFundedWithinARescueIsRefused() public {
    HookERC20 hooked = _buildHooked();
    uint256 guardId = _register(_terms());
    _endanger();
    ILoanGuard.Consent memory consent;
    uint256 funderKey;
    consent.terms = _terms();
    consent.terms.borrower = address(hooked);
    (consent.terms.funder, funderKey) = makeAddrAndKey("funder");
    consent.deadline = block.timestamp;
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(funderKey, guard.digestOf(consent));
    bytes memory signature = abi.encodePacked(r, s, v);
    hooked.hookNextTransfer(address(guard), abi.encodeCall(ILoanGuard.registerFunded, (consent, signature)), true);
    guard.rescue(guardId);
    _assertRefusedReentry(hooked);
    assertEq(guard.guardCount(), 1);
    vm.prank(address(hooked));
    assertEq(guard.registerFunded(consent, signature), 2);
  }

  function _buildHooked() private returns (HookERC20 hooked) {
    hooked = new HookERC20("HOOK", 18);
    _build(hooked, WAD);
  }

  function _assertRefusedReentry(HookERC20 hooked) private view {
    assertFalse(hooked.succeeded());
    assertEq(hooked.returned(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
  }
}
