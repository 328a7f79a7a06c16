// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {INonces} from "../../../contracts/interfaces/INonces.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {ContractSigner} from "../../mocks/ContractSigner.sol";

/// A guard with a funder other than the borrower.
contract LoanGuardRegisterFundedTest is GuardBase {
  address private funder;
  uint256 private funderKey;

  function setUp() public override {
    super.setUp();
    (funder, funderKey) = makeAddrAndKey("funder");
    token.mint(funder, 10_000e18);
    vm.prank(funder);
    token.approve(address(guard), type(uint256).max);
  }

  /// LG-13: the funder's tokens are taken, not the borrower's.
  function test_aRescueTakesTheFundersTokens() public {
    uint256 guardId = _registerFunded(_consent());
    _endanger();
    vm.prank(stranger);
    assertEq(guard.rescue(guardId), NEEDED);
    assertEq(token.balanceOf(funder), 10_000e18 - NEEDED);
    assertEq(token.balanceOf(borrower), 10_000e18);
    assertEq(_debt(borrower), 1_000e18 - NEEDED);
  }

  /// LG-13: what the market does not take returns to the funder.
  function test_theFunderHasTheRestBack() public {
    uint256 guardId = _registerFunded(_consent());
    _endanger();
    lending.setMaxTaken(100e18, false);
    assertEq(guard.rescue(guardId), 100e18);
    assertEq(token.balanceOf(funder), 9_900e18);
    assertEq(token.balanceOf(borrower), 10_000e18);
  }

  /// LG-13: the funder's allowance and balance are the bounds.
  function test_refusesWithoutTheFundersAllowanceOrBalance() public {
    uint256 guardId = _registerFunded(_consent());
    _endanger();
    vm.prank(funder);
    token.approve(address(guard), 5);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.AllowanceTooLow.selector, 5, 1e18));
    guard.rescue(guardId);

    vm.startPrank(funder);
    token.approve(address(guard), type(uint256).max);
    token.transfer(stranger, 10_000e18 - 7);
    vm.stopPrank();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.BalanceTooLow.selector, 7, 1e18));
    guard.rescue(guardId);
  }

  /// LG-14: without a signature, the borrower can name only themselves as funder.
  function test_register_refusesAnotherFunder() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.FunderRefused.selector, funder));
    vm.prank(borrower);
    guard.register(_consent().terms);
  }

  /// LG-14: nobody else may put a guard on a borrower's loan.
  function testFuzz_refusesAnyCallerButTheBorrower(address caller) public {
    vm.assume(caller != borrower);
    ILoanGuard.Consent memory consent = _consent();
    bytes memory signature = _sign(consent);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotBorrower.selector, caller, borrower));
    vm.prank(caller);
    guard.registerFunded(consent, signature);
  }

  /// LG-14: the funder signs every part of the guard.
  function testFuzz_refusesWhatTheFunderHasNotSigned(uint8 field) public {
    ILoanGuard.Consent memory consent = _consent();
    bytes memory signature = _sign(consent);
    field = field % 13;
    ILoanGuard.Terms memory terms = consent.terms;
    if (field == 0) terms.market = bytes32("another");
    if (field == 1) terms.adapter = stranger;
    if (field == 2) terms.keeper = stranger;
    if (field == 3) ++terms.triggerHealthWad;
    if (field == 4) ++terms.targetHealthWad;
    if (field == 5) ++terms.capPerRescue;
    if (field == 6) ++terms.capPerDay;
    if (field == 7) ++terms.minRepay;
    if (field == 8) --terms.cooldownSeconds;
    if (field == 9) ++terms.expiresAt;
    if (field == 10) ++consent.nonce;
    if (field == 11) ++consent.deadline;
    if (field == 12) terms.priceSource = address(source);
    _expectRefused(consent, signature, abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, funder));
  }

  /// LG-14: for this chain and this guard.
  function test_refusesASignatureForAnotherChain() public {
    ILoanGuard.Consent memory consent = _consent();
    bytes memory signature = _sign(consent);
    vm.chainId(97);
    _expectRefused(consent, signature, abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, funder));
  }

  /// LG-14: nobody can sign for the zero address.
  function test_refusesNobodyAsFunder() public {
    ILoanGuard.Consent memory consent = _consent();
    consent.terms.funder = address(0);
    _expectRefused(consent, "", abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, address(0)));
  }

  /// LG-14: a contract may fund (ERC-1271).
  function test_aContractMayFund() public {
    ILoanGuard.Consent memory consent = _consent();
    consent.terms.funder = address(new ContractSigner(funder));
    uint256 guardId = _registerFunded(consent);
    assertEq(guard.guard(guardId).terms.funder, consent.terms.funder);
  }

  /// LG-15
  function test_aConsentIsGoodOnce() public {
    ILoanGuard.Consent memory consent = _consent();
    bytes memory signature = _sign(consent);
    _registerFunded(consent);
    _expectRefused(consent, signature, abi.encodeWithSelector(INonces.NonceUsedUp.selector, funder, consent.nonce));
  }

  /// LG-15
  function test_aConsentCanBeCancelledBeforeItIsUsed() public {
    ILoanGuard.Consent memory consent = _consent();
    vm.expectEmit(address(guard));
    emit INonces.NonceCancelled(funder, consent.nonce);
    vm.prank(funder);
    guard.cancelNonce(consent.nonce);
    assertTrue(guard.isNonceUsedUp(funder, consent.nonce));
    _expectRefused(consent, _sign(consent), abi.encodeWithSelector(INonces.NonceUsedUp.selector, funder, consent.nonce));
  }

  /// LG-15: through its last second.
  function test_aConsentEndsAfterItsDeadline() public {
    ILoanGuard.Consent memory consent = _consent();
    bytes memory signature = _sign(consent);
    vm.warp(consent.deadline + 1);
    _expectRefused(
      consent,
      signature,
      abi.encodeWithSelector(ILoanGuard.DeadlinePassed.selector, consent.deadline, consent.deadline + 1)
    );
    vm.warp(consent.deadline);
    _registerFunded(consent);
  }

  /// LG-15: a revocation by either party voids an earlier consent.
  function test_aConsentOfAnotherEpochIsRefused() public {
    ILoanGuard.Consent memory consent = _consent();
    bytes memory signature = _sign(consent);
    address[2] memory revokers = [borrower, funder];
    for (uint256 i; i < 2; ++i) {
      uint256 snapshot = vm.snapshotState();
      vm.prank(revokers[i]);
      revocations.revokeAll();
      _expectRefused(
        consent, signature, abi.encodeWithSelector(ILoanGuard.EpochPassed.selector, 0, revocations.epochOf(revokers[i]))
      );
      assertTrue(vm.revertToState(snapshot));
    }
  }

  /// LG-15: nobody can replace its epochs with the current ones.
  function test_aConsentSaysOfWhichEpochsItIs() public {
    address[2] memory revokers = [borrower, funder];
    for (uint256 i; i < 2; ++i) {
      ILoanGuard.Consent memory consent = _consent();
      bytes memory signature = _sign(consent);
      uint256 snapshot = vm.snapshotState();
      vm.prank(revokers[i]);
      revocations.revokeAll();
      consent.borrowerEpoch = revocations.epochOf(borrower);
      consent.funderEpoch = revocations.epochOf(funder);
      _expectRefused(consent, signature, abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, funder));
      assertTrue(vm.revertToState(snapshot));
    }
  }

  /// LG-15: each alone, for good; after a cancellation a new consent is required.
  function test_theFunderCanWithdrawAlone() public {
    uint256 guardId = _registerFunded(_consent());
    _endanger();
    vm.prank(funder);
    guard.cancel(guardId);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardNotActive.selector, ILoanGuard.Status.Cancelled));
    guard.rescue(guardId);
    assertEq(token.balanceOf(funder), 10_000e18);
  }

  /// LG-15
  function test_eithersRevocationStopsIt() public {
    uint256 guardId = _registerFunded(_consent());
    _endanger();
    address[2] memory revokers = [borrower, funder];
    for (uint256 i; i < 2; ++i) {
      uint256 snapshot = vm.snapshotState();
      assertFalse(guard.guard(guardId).isRevoked);
      vm.prank(revokers[i]);
      revocations.revokeAll();
      assertTrue(guard.guard(guardId).isRevoked);
      vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardRevoked.selector, guardId));
      guard.rescue(guardId);
      assertTrue(vm.revertToState(snapshot));
    }
    vm.prank(stranger);
    revocations.revokeAll();
    guard.rescue(guardId);
  }

  /// Signed by the funder for the base guard, valid for an hour.
  function _consent() private view returns (ILoanGuard.Consent memory consent) {
    consent.terms = _terms();
    consent.terms.funder = funder;
    consent.nonce = 77;
    consent.deadline = START + 1 hours;
  }

  function _sign(ILoanGuard.Consent memory consent) private view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(funderKey, guard.digestOf(consent));
    return abi.encodePacked(r, s, v);
  }

  function _registerFunded(ILoanGuard.Consent memory consent) private returns (uint256 guardId) {
    bytes memory signature = _sign(consent);
    vm.expectEmit(address(guard));
    emit ILoanGuard.GuardRegistered(
      guard.guardCount() + 1,
      borrower,
      consent.terms.funder,
      consent.terms,
      address(token),
      consent.borrowerEpoch,
      consent.funderEpoch
    );
    vm.prank(borrower);
    guardId = guard.registerFunded(consent, signature);
    assertEq(abi.encode(guard.guard(guardId).terms), abi.encode(consent.terms));
  }

  function _expectRefused(ILoanGuard.Consent memory consent, bytes memory signature, bytes memory reason) private {
    uint256 count = guard.guardCount();
    vm.expectRevert(reason);
    vm.prank(borrower);
    guard.registerFunded(consent, signature);
    assertEq(guard.guardCount(), count);
  }
}
