// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {ScriptedExecutor} from "../mocks/ScriptedExecutor.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: an open run may be paid more than once.
contract PaidTwiceTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _requireUnpaid() internal view override {}
}

/// The thief has the run paid until the allowance is used up, and delivers once.
contract PaidTwiceTest is IncidentBase {
  ScriptedExecutor private thief;

  function attack() external override {
    uint256 planId = _planFor(thief);
    for (uint256 i = 1; i < FUNDS / AMOUNT; ++i) {
      thief.beforeDelivery(address(registry), abi.encodeCall(registry.payTo, (address(thief))));
    }
    thief.runOn(planId, 1, _unsigned(_go()), "");
  }

  /// IT-1: all 10,000 USD for coins worth 100.
  function test_TheTwinsOwnerPaysAHundredTimes() public {
    _moveTo(address(new PaidTwiceTwin(address(source))));
    thief = _scripted();
    this.attack();
    assertEq(usd.balanceOf(owner), 0);
    assertEq(usd.balanceOf(address(thief)), FUNDS);
    assertEq(coin.balanceOf(recipient), FLOOR);
  }

  /// IT-1, PR-14: the first payment is the only one, and the run completes.
  function test_OursPaysOnce() public {
    thief = _scripted();
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(coin.balanceOf(recipient), FLOOR);
    for (uint256 i; i < FUNDS / AMOUNT - 1; ++i) {
      assertFalse(thief.reply(i).succeeded);
      assertEq(thief.reply(i).returned, abi.encodeWithSelector(IPlanRegistry.RunAlreadyPaid.selector, 1));
    }
  }
}
