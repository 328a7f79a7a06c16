// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: the slot is marked as used in memory but never written back.
contract SlotTwiceTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _takeSlot(uint256 planId, uint256 slot) internal view override {
    uint256 next = _nextSlot[planId];
    require(slot >= next, "slot used");
    next = slot + 1;
  }
}

/// A day's purchase runs repeatedly on the same day.
contract SlotTwiceTest is IncidentBase {
  function attack() external override {
    uint256 planId = _create(_terms());
    for (uint256 i; i < 3; ++i) {
      _run(planId);
    }
  }

  /// IT-1: 200 more than the slot permits.
  function test_TheTwinsOwnerPaysThreeTimes() public {
    _moveTo(address(new SlotTwiceTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - 3 * AMOUNT);
    assertEq(usd.balanceOf(address(executor)), 3 * AMOUNT);
  }

  /// IT-1, PR-5
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.SlotUsed.selector, START, START + PERIOD));
  }
}
