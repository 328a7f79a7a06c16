// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {ITickets, TicketGate} from "../../../packages/sdk/solidity/TicketGate.sol";
import {PlanBase} from "../../base/PlanBase.sol";

contract Gate is TicketGate {
  constructor(ITickets registry, address signer) TicketGate(registry, signer) {}

  function demand(
    ITickets.Ticket calldata ticket,
    bytes calldata signature,
    address tokenIn,
    uint256 amountIn,
    address tokenOut,
    uint256 minAmountOut
  ) external view {
    _demandGo(ticket, signature, tokenIn, amountIn, tokenOut, minAmountOut);
  }
}

/// The gate that integrators inherit, on the real registry.
contract TicketGateTest is PlanBase {
  address private _signer;
  uint256 private _key;
  Gate private _gate;

  function setUp() public override {
    super.setUp();
    (_signer, _key) = makeAddrAndKey("verdict signer");
    _gate = new Gate(ITickets(address(registry)), _signer);
  }

  /// 60,000 USD for a coin, as the price source has it.
  function _ticket() private view returns (ITickets.Ticket memory) {
    return ITickets.Ticket({
      tokenIn: address(usd),
      tokenOut: address(coin),
      verdict: ITickets.Verdict.GO,
      maxPriceWad: 60_000e28,
      maxAmountIn: 100e18,
      issuedAt: START,
      expiresAt: START + 120,
      evidenceHash: EVIDENCE
    });
  }

  function _sign(ITickets.Ticket memory ticket, uint256 key) private view returns (bytes memory) {
    IPlanRegistry.Ticket memory same = abi.decode(abi.encode(ticket), (IPlanRegistry.Ticket));
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, registry.digestOf(same));
    return abi.encodePacked(r, s, v);
  }

  function _demand(ITickets.Ticket memory ticket, uint256 key, uint256 amountIn, uint256 minAmountOut) private view {
    _gate.demand(ticket, _sign(ticket, key), address(usd), amountIn, address(coin), minAmountOut);
  }

  /// SD-10
  function test_aFreshGoOfTheSignerOpensIt() public {
    // ⌈100 / 60,000 · 1e8⌉ base units.
    _demand(_ticket(), _key, 100e18, 166_667);
    vm.warp(START + 119);
    _demand(_ticket(), _key, 1, 1);
  }

  /// SD-10: each word of a ticket is demanded.
  function test_nothingElseDoes() public {
    ITickets.Ticket memory ticket = _ticket();
    bytes memory signature = _sign(ticket, _key);
    vm.expectRevert(TicketGate.TicketForOtherTrade.selector);
    _gate.demand(ticket, signature, address(coin), 1, address(usd), 1);
    vm.expectRevert(TicketGate.TicketForOtherTrade.selector);
    _gate.demand(ticket, signature, address(usd), 1, address(this), 1);

    for (uint8 verdict; verdict < uint8(ITickets.Verdict.GO); ++verdict) {
      ticket = _ticket();
      ticket.verdict = ITickets.Verdict(verdict);
      vm.expectRevert(abi.encodeWithSelector(TicketGate.TicketNotGo.selector, ticket.verdict));
      this.demandOf(ticket, _key, 1, 1);
    }

    ticket = _ticket();
    vm.expectRevert(abi.encodeWithSelector(TicketGate.TicketTooSmall.selector, 100e18, 100e18 + 1));
    this.demandOf(ticket, _key, 100e18 + 1, 166_668);
    vm.expectRevert(abi.encodeWithSelector(TicketGate.TicketPriceExceeded.selector, 60_000e28, 100e18, 166_666));
    this.demandOf(ticket, _key, 100e18, 166_666);
    vm.expectRevert(abi.encodeWithSelector(TicketGate.TicketPriceExceeded.selector, 60_000e28, 1, 0));
    this.demandOf(ticket, _key, 1, 0);

    vm.expectRevert(abi.encodeWithSelector(TicketGate.TicketSignatureRefused.selector, _signer));
    this.demandOf(ticket, 0xbad, 1, 1);
    ticket.evidenceHash = "other";
    vm.expectRevert(abi.encodeWithSelector(TicketGate.TicketSignatureRefused.selector, _signer));
    _gate.demand(ticket, signature, address(usd), 1, address(coin), 1);
  }

  /// SD-10
  function test_notBeforeItIsIssuedNorAfterItEnds() public {
    for (uint256 time = START - 1; time <= START + 120; time += 121) {
      vm.warp(time);
      vm.expectRevert(abi.encodeWithSelector(TicketGate.TicketNotValid.selector, START, START + 120, time));
      this.demandOf(_ticket(), _key, 1, 1);
    }
  }

  /// SD-10: what the gate lets through is what the registry would let through, and the words mean the same there.
  function test_itsWordsAreTheRegistrys() public pure {
    assertEq(uint8(ITickets.Verdict.NO_DATA), uint8(Verdict.NO_DATA));
    assertEq(uint8(ITickets.Verdict.NO_GO), uint8(Verdict.NO_GO));
    assertEq(uint8(ITickets.Verdict.CAUTION), uint8(Verdict.CAUTION));
    assertEq(uint8(ITickets.Verdict.GO), uint8(Verdict.GO));
  }

  /// An external call, so that the revert expected is the gate's and not that of computing the signature.
  function demandOf(ITickets.Ticket memory ticket, uint256 key, uint256 amountIn, uint256 minAmountOut) external view {
    _demand(ticket, key, amountIn, minAmountOut);
  }
}
