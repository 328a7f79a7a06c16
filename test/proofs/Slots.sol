// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Slots} from "../../contracts/libraries/Slots.sol";
import {hint} from "./hint.sol";

// mutants.json says in words what each contract proves. `npm run lab -- prove` proves its assertion for all inputs with the
// compiler's model checker.

contract PF1 {
  function noTimeIsBeforeItsSlot(uint40 time, uint40 startAt, uint32 period) external pure {
    require(time >= startAt && period > 0);
    uint40 index = Slots.indexAt(time, startAt, period);
    assert(Slots.startOf(index, startAt, period) <= time);
  }
}

contract PF2 {
  function everyTimeIsBeforeTheNextSlot(uint40 time, uint40 startAt, uint32 period) external pure {
    require(time >= startAt && period > 0);
    uint40 index = Slots.indexAt(time, startAt, period);
    assert(uint256(Slots.startOf(index, startAt, period)) + period > time);
  }
}

contract PF3 {
  function everySecondOfASlotHasItsNumber(uint40 time, uint40 startAt, uint32 period, uint40 index) external pure {
    uint256 start = uint256(startAt) + uint256(index) * period;
    require(start <= time && time < start + period);
    uint256 found = Slots.indexAt(time, startAt, period);
    if (found < index) hint((index - found - 1) * period);
    if (found > index) hint((found - index - 1) * period);
    assert(found == index);
  }
}

contract PF4 {
  function theCursorAfterARunIsTheNextSlot(uint40 time, uint40 startAt, uint32 period) external pure {
    require(time >= startAt && period > 0);
    uint40 index = Slots.indexAt(time, startAt, period);
    assert(Slots.startOf(index, startAt, period) + period == Slots.startOf(index + 1, startAt, period));
  }
}

contract PF5 {
  function noLaterTimeHasAnEarlierSlot(uint40 time, uint40 later, uint40 startAt, uint32 period) external pure {
    require(time >= startAt && later >= time && period > 0);
    uint256 index = Slots.indexAt(time, startAt, period);
    uint256 laterIndex = Slots.indexAt(later, startAt, period);
    hint(index > laterIndex ? (index - laterIndex - 1) * period : 0);
    assert(index <= laterIndex);
  }
}

contract PF6 {
  uint40 private immutable startAt;
  uint32 private immutable period;
  uint40 private cursor;
  uint40 private lastTime;

  constructor(uint40 startAt_, uint32 period_) {
    require(period_ > 0);
    startAt = startAt_;
    period = period_;
  }

  /// PlanRegistry's two lines about the cursor, for any number of runs at any times.
  function everyRunIsLaterThanTheSlotsOfAllBefore(uint40 time) external {
    require(time >= startAt);
    uint40 start = Slots.startOf(Slots.indexAt(time, startAt, period), startAt, period);
    require(start >= cursor);
    assert(time >= cursor && (cursor == 0 || lastTime < cursor));
    cursor = start + period;
    lastTime = time;
  }
}
