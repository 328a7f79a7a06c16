// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {ContractSigner} from "../../mocks/ContractSigner.sol";

/// A plan whose runs need a verdict signed by its own signer.
contract PlanRegistryTicketTest is PlanBase {
  uint256 private planId;

  function setUp() public override {
    super.setUp();
    planId = _create(_signedTerms());
  }

  function _signedTerms() private view returns (IPlanRegistry.Terms memory terms) {
    terms = _terms();
    terms.verdictSigner = signer;
  }

  function _assertTicketRefused(IPlanRegistry.Ticket memory ticket, bytes memory reason) private {
    bytes memory signature = _sign(ticket);
    bytes memory before = _picture(planId);
    vm.expectRevert(reason);
    executor.runOn(planId, 1, ticket, signature);
    assertEq(_picture(planId), before, "a refused run has changed something");
  }

  /// PR-24: the same ticket may serve plan after plan; the record has its evidence.
  function test_RunsOnASignedVerdict() public {
    uint256 other = _create(_signedTerms());
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    bytes memory signature = _sign(ticket);
    executor.runOn(planId, 1, ticket, signature);
    executor.runOn(other, 1, ticket, signature);
    assertEq(_history(planId)[0].evidencePrefix, bytes19(EVIDENCE));
    assertEq(_state(other).runs, 1);
  }

  /// PR-24: the executor's own claim is not enough.
  function test_RevertWhen_Unsigned() public {
    _assertRefused(executor, planId, abi.encodeWithSelector(IPlanRegistry.TicketForOtherTokens.selector, 0, 0));
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, signer));
    executor.runOn(planId, 1, ticket, "");
  }

  /// PR-24: every field is signed.
  function testFuzz_RevertWhen_AnythingIsChanged(uint8 field, uint64 by) public {
    by = uint64(bound(by, 1, 60));
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    bytes memory signature = _sign(ticket);
    field = field % 4;
    if (field == 0) ticket.maxPriceWad += by;
    if (field == 1) ticket.maxAmountIn += by;
    if (field == 2) ticket.expiresAt += by;
    if (field == 3) ticket.evidenceHash = bytes32(uint256(by));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, signer));
    executor.runOn(planId, 1, ticket, signature);
  }

  /// PR-25
  function test_RevertWhen_TheTicketIsForOtherTokens() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    (ticket.tokenIn, ticket.tokenOut) = (ticket.tokenOut, ticket.tokenIn);
    _assertTicketRefused(
      ticket, abi.encodeWithSelector(IPlanRegistry.TicketForOtherTokens.selector, ticket.tokenIn, ticket.tokenOut)
    );
  }

  /// PR-25: one token in common is not enough.
  function test_RevertWhen_OneTokenOfTheTicketIsAnother() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    ticket.tokenOut = stranger;
    _assertTicketRefused(
      ticket, abi.encodeWithSelector(IPlanRegistry.TicketForOtherTokens.selector, ticket.tokenIn, stranger)
    );
    (ticket.tokenIn, ticket.tokenOut) = (stranger, address(coin));
    _assertTicketRefused(
      ticket, abi.encodeWithSelector(IPlanRegistry.TicketForOtherTokens.selector, stranger, address(coin))
    );
  }

  /// PR-25: a verdict on a small amount does not cover a large one.
  function test_RevertWhen_TheTicketIsForLess() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    ticket.maxAmountIn = AMOUNT - 1;
    _assertTicketRefused(ticket, abi.encodeWithSelector(IPlanRegistry.TicketTooSmall.selector, AMOUNT - 1, AMOUNT));
  }

  /// PR-25
  function test_RevertWhen_TheVerdictIsNotGo() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    ticket.verdict = Verdict.CAUTION;
    _assertTicketRefused(ticket, abi.encodeWithSelector(IPlanRegistry.VerdictNotGo.selector, Verdict.CAUTION));
  }

  /// PR-25: from its issue through its last second.
  function test_HoldsFromItsIssueToItsExpiry() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    ticket.expiresAt = ticket.issuedAt + 900;
    bytes memory signature = _sign(ticket);
    vm.warp(ticket.expiresAt - 1);
    executor.runOn(planId, 1, ticket, signature);
  }

  /// PR-25
  function test_RevertWhen_TheTicketIsEarlyLateOrLong() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    _assertNotValid(ticket, uint64(START) + 1, uint64(START) + 100);
    _assertNotValid(ticket, uint64(START) - 10, uint64(START));
    _assertNotValid(ticket, uint64(START), uint64(START) + 901);
    _assertNotValid(ticket, uint64(START), uint64(START) - 1);
  }

  function _assertNotValid(IPlanRegistry.Ticket memory ticket, uint64 issuedAt, uint64 expiresAt) private {
    (ticket.issuedAt, ticket.expiresAt) = (issuedAt, expiresAt);
    _assertTicketRefused(
      ticket, abi.encodeWithSelector(IPlanRegistry.TicketNotValid.selector, issuedAt, expiresAt, block.timestamp)
    );
  }

  /// PR-27: its price is a second floor, rounded up.
  function test_RevertWhen_TheDeliveryIsWorseThanTheVerdictsPrice() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    // The same money must buy one unit more.
    ticket.maxPriceWad = uint256(AMOUNT) * 1e18 / (FLOOR + 1);
    uint256 least = (uint256(AMOUNT) * 1e18 + ticket.maxPriceWad - 1) / ticket.maxPriceWad;
    assertGt(least, FLOOR);
    _assertTicketRefused(ticket, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR, least));
    executor.setAmountOut(least);
    assertEq(executor.runOn(planId, 1, ticket, _sign(ticket)), least);
    assertEq(_history(planId)[0].floor, least);
  }

  /// PR-27: a higher price does not lower the plan's own floor.
  function test_RevertWhen_TheTicketsPriceIsWorseThanThePlans() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    ticket.maxPriceWad *= 2;
    executor.setAmountOut(FLOOR - 1);
    _assertTicketRefused(ticket, abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - 1, FLOOR));
    ticket.maxPriceWad = 0;
    _assertTicketRefused(ticket, abi.encodeWithSelector(IPlanRegistry.TicketPriceMissing.selector));
  }

  /// PR-24
  function test_ARunOnASignedVerdictIsAttested() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    executor.runOn(planId, 1, ticket, _sign(ticket));
    assertTrue(_history(planId)[0].isAttested);
  }

  /// PR-35: any verdict, whatever its price and amount, which a deferral ignores.
  function testFuzz_ADeferralMayCarryASignedVerdict(uint8 verdict) public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    ticket.verdict = Verdict(bound(verdict, 0, 3));
    (ticket.maxPriceWad, ticket.maxAmountIn) = (0, 0);
    executor.deferOn(planId, 1, 5, ticket, _sign(ticket));
    IPlanRegistry.Run memory record = _history(planId)[0];
    assertTrue(record.isAttested);
    assertEq(uint8(record.verdict), uint8(ticket.verdict));
    assertEq(record.evidencePrefix, bytes19(EVIDENCE));
  }

  /// PR-35: without a signature it is the executor's claim, and the record says so; a plan without a signer has only
  /// claims.
  function test_ADeferralWithoutASignatureIsAClaim() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    executor.deferOn(planId, 1, 5, ticket, "");
    assertFalse(_history(planId)[0].isAttested);
    uint256 unsigned = _create(_terms());
    executor.deferOn(unsigned, 1, 5, ticket, _sign(ticket));
    assertFalse(_history(unsigned)[0].isAttested);
  }

  /// PR-35: a signature must be valid, for these tokens and this time.
  function test_RevertWhen_TheVerdictOfADeferralIsNotTheSigners() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    bytes memory signature = _sign(ticket);
    ticket.verdict = Verdict.NO_GO;
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, signer));
    executor.deferOn(planId, 1, 5, ticket, signature);

    ticket = _ticketAtFloor();
    vm.warp(ticket.expiresAt);
    vm.expectRevert(
      abi.encodeWithSelector(IPlanRegistry.TicketNotValid.selector, ticket.issuedAt, ticket.expiresAt, block.timestamp)
    );
    executor.deferOn(planId, 1, 5, ticket, signature);

    ticket.tokenIn = address(coin);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.TicketForOtherTokens.selector, coin, coin));
    executor.deferOn(planId, 1, 5, ticket, signature);
    assertEq(_history(planId).length, 0);
  }

  /// PR-35: a deferral based on superseded terms is refused.
  function test_RevertWhen_ADeferralNamesAnotherVersion() public {
    IPlanRegistry.Terms memory terms = _signedTerms();
    terms.maxSlippageBps = 40;
    vm.prank(owner);
    registry.edit(planId, 1, 0, terms);
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.VersionChanged.selector, 1, 2));
    executor.deferOn(planId, 1, 5, ticket, "");
    executor.deferOn(planId, 2, 5, ticket, "");
    assertEq(_history(planId)[0].version, 2);
  }

  /// PR-24: for this registry on this chain.
  function test_RevertWhen_SignedForAnotherChain() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    bytes memory signature = _sign(ticket);
    vm.chainId(97);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, signer));
    executor.runOn(planId, 1, ticket, signature);
  }

  /// PR-24: a contract may sign (ERC-1271).
  function test_AContractMaySign() public {
    ContractSigner contractSigner = new ContractSigner(signer);
    IPlanRegistry.Terms memory terms = _terms();
    terms.verdictSigner = address(contractSigner);
    uint256 id = _create(terms);
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    executor.runOn(id, 1, ticket, _sign(ticket));
    assertEq(_state(id).runs, 1);
  }

  /// PR-24: the same signature mirrored to the other half of the curve is invalid.
  function test_RevertWhen_TheSignatureIsMirrored() public {
    IPlanRegistry.Ticket memory ticket = _ticketAtFloor();
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(signerKey, registry.digestOf(ticket));
    uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    bytes memory mirrored = abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, signer));
    executor.runOn(planId, 1, ticket, mirrored);
  }
}
