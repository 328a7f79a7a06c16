// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: a verdict is accepted for any amount.
contract SmallTicketTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _requireEnough(IPlanRegistry.Ticket calldata, uint256) internal pure override {}
}

/// At one USD, a price that is half fees is fair, and the verdict says so. The plan relies on verdicts, and buys for
/// 100 USD.
contract SmallTicketTest is IncidentBase {
  uint256 private constant HALF = 83_334;

  function attack() external override {
    IPlanRegistry.Terms memory terms = _laxTerms();
    terms.verdictSigner = signer;
    uint256 planId = _create(terms);
    IPlanRegistry.Ticket memory ticket = _ticketForOneUsd();
    executor.setAmountOut(HALF);
    executor.runOn(planId, 1, ticket, _sign(ticket));
  }

  /// IT-1: 100 USD are worth 166,666 units.
  function test_TheTwinsOwnerGetsHalf() public {
    _moveTo(address(new SmallTicketTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
    assertEq(coin.balanceOf(recipient), HALF);
  }

  /// IT-1, PR-25
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.TicketTooSmall.selector, 1e18, AMOUNT));
  }

  /// 120,000 USD for a coin of 60,000.
  function _ticketForOneUsd() private view returns (IPlanRegistry.Ticket memory ticket) {
    ticket = _ticketAtFloor();
    (ticket.maxPriceWad, ticket.maxAmountIn) = (120_000e28, 1e18);
  }
}
