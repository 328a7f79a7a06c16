// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {Slots} from "../../../contracts/libraries/Slots.sol";

contract SlotsTest is Test {
  /// PR-5: startAt + k · period for the largest whole k.
  function testFuzz_StartOfLiesOnTheGrid(uint40 time, uint40 startAt, uint32 period) public pure {
    startAt = uint40(bound(startAt, 0, time));
    period = uint32(bound(period, 1, type(uint32).max));
    uint256 slotStart = _startAt(time, startAt, period);
    uint256 k = (uint256(time) - startAt) / period;
    assertEq(slotStart, startAt + k * period);
    assertLe(slotStart, time);
    assertGt(slotStart + period, time);
  }

  /// PR-5
  function test_ASlotBeginsWithItsFirstSecond() public pure {
    assertEq(_startAt(1_000, 1_000, 60), 1_000);
    assertEq(_startAt(1_059, 1_000, 60), 1_000);
    assertEq(_startAt(1_060, 1_000, 60), 1_060);
    assertEq(_startAt(type(uint40).max, 0, type(uint32).max), 256 * uint40(type(uint32).max));
  }

  /// Start of the slot at a time, computed as in PlanRegistry.
  function _startAt(uint40 time, uint40 startAt, uint32 period) private pure returns (uint40) {
    return Slots.startOf(Slots.indexAt(time, startAt, period), startAt, period);
  }
}
