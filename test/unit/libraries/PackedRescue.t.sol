// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {PackedRescue} from "../../../contracts/libraries/PackedRescue.sol";

contract PackedRescueTest is Test {
  using PackedRescue for ILoanGuard.Rescue;
  using PackedRescue for PackedRescue.Record;

  uint256 private constant HIGHEST = (2 ** 40 - 2) * 1e9;

  PackedRescue.Record private _record;
  /// Before a guard's first rescue.
  PackedRescue.Record private _none;

  /// LG-10: everything comes back, healths to a billionth.
  function testFuzz_pack_keepsARescueInOneSlot(
    uint128 repaid,
    uint40 time,
    bool isFull,
    uint128 healthBeforeWad,
    uint128 healthAfterWad
  ) public {
    ILoanGuard.Outcome outcome = isFull ? ILoanGuard.Outcome.Full : ILoanGuard.Outcome.Partial;
    ILoanGuard.Rescue memory rescue = ILoanGuard.Rescue(repaid, time, outcome, healthBeforeWad, healthAfterWad);
    _record = rescue.pack(repaid);
    ILoanGuard.Rescue memory read = _record.unpack(_none);
    assertEq(read.repaid, rescue.repaid);
    assertEq(read.time, rescue.time);
    assertEq(uint8(read.outcome), uint8(rescue.outcome));
    assertEq(read.healthBeforeWad, _kept(rescue.healthBeforeWad));
    assertEq(read.healthAfterWad, _kept(rescue.healthAfterWad));
    bytes32 slot;
    bytes32 next;
    assembly {
      slot := sload(_record.slot)
      next := sload(add(_record.slot, 1))
    }
    assertTrue(slot != 0 && next == 0);
  }

  /// LG-10: what a rescue repaid is what it added to the total of its UTC day.
  function testFuzz_unpack_tellsRescuesOfADayApart(uint64 first, uint64 second, uint32 time, uint32 later) public pure {
    vm.assume(time >= 1 days);
    uint40 then = uint40(time) + later;
    bool isSameDay = time / 1 days == then / 1 days;
    ILoanGuard.Rescue memory before = ILoanGuard.Rescue(first, time, ILoanGuard.Outcome.Partial, 1e18, 1e18);
    ILoanGuard.Rescue memory rescue = ILoanGuard.Rescue(second, then, ILoanGuard.Outcome.Full, 1e18, 1e18);
    uint128 takenInDay = uint128(second) + (isSameDay ? first : 0);
    assertEq(abi.encode(rescue.pack(takenInDay).unpack(before.pack(first))), abi.encode(rescue));
  }

  /// LG-10: an account without debt differs from one with the highest health.
  function test_pack_tellsNoDebtFromTheHighestHealth() public pure {
    uint128[4] memory healths = [uint128(HIGHEST), uint128(HIGHEST) + 1e9, type(uint128).max - 1, type(uint128).max];
    PackedRescue.Record memory none;
    for (uint256 i; i < 4; ++i) {
      ILoanGuard.Rescue memory rescue;
      rescue.healthAfterWad = healths[i];
      assertEq(rescue.pack(0).unpack(none).healthAfterWad, i < 3 ? HIGHEST : type(uint128).max);
    }
  }

  function _kept(uint256 healthWad) private pure returns (uint256) {
    if (healthWad == type(uint128).max) return healthWad;
    return healthWad > HIGHEST ? HIGHEST : healthWad / 1e9 * 1e9;
  }
}
