// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {ScriptedExecutor} from "../mocks/ScriptedExecutor.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: a run may start while another is open, and both use the same storage.
contract ReentrancyTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _requireNoneOpen() internal view override {}
}

/// Holding the owner's funds, the thief runs their own worthless plan and pays for that: the registry takes it as
/// payment for the owner's run.
contract ReentrancyTest is IncidentBase {
  uint256 private constant OWNERS_PLAN = 1;
  ScriptedExecutor private thief;

  function attack() external override {
    uint256 planId = _planFor(thief);
    bytes memory decoy = abi.encodeCall(executor.runOn, (_worthlessPlan(executor), 1, _unsigned(_go()), ""));
    thief.keepEverything();
    thief.beforeDelivery(address(executor), decoy);
    _runAsThief(planId);
  }

  /// IT-1
  function test_TheTwinsOwnerPaysForNothing() public {
    _moveTo(address(new ReentrancyTwin(address(source))));
    thief = _scripted();
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(thief)), AMOUNT);
    assertEq(coin.balanceOf(recipient), 0);
  }

  /// IT-1, PR-14, PR-15: the nested run is refused, so the first stays unpaid and reverts.
  function test_RevertWhen_TriedOnOurs() public {
    thief = _scripted();
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.RunNotRecorded.selector, OWNERS_PLAN));
  }

  /// IT-1, PR-15: the refusal is visible if the first run is paid for anyway.
  function test_OursRefusesTheRunWithinTheRun() public {
    thief = _scripted();
    uint256 planId = _planFor(thief);
    uint256 decoy = _worthlessPlan(executor);
    thief.beforeDelivery(address(executor), abi.encodeCall(executor.runOn, (decoy, 1, _unsigned(_go()), "")));
    _runAsThief(planId);
    assertFalse(thief.reply(0).succeeded);
    assertEq(thief.reply(0).returned, abi.encodeWithSelector(IPlanRegistry.RunOpen.selector, planId));
    assertEq(_state(decoy).runs, 0);
    assertEq(coin.balanceOf(recipient), FLOOR);
  }

  function _runAsThief(uint256 planId) private {
    thief.runOn(planId, 1, _unsigned(_go()), "");
  }
}
