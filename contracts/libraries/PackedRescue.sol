// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";
import {Repayment} from "./Repayment.sol";

/// @title The record of a rescue in one storage slot
/// @notice Health is stored in billionths, rounded down, in 40 bits: up to 1,099.5. A higher health is stored as the
/// highest value below "no debt". The rescue's event carries all digits.
library PackedRescue {
  using SafeCast for uint256;

  uint256 private constant UNIT = 1e9;
  uint40 private constant NO_DEBT = type(uint40).max;

  struct Record {
    /// Total of the UTC day up to and including this rescue, which the next rescue's daily cap needs.
    uint128 takenInDay;
    uint40 time;
    ILoanGuard.Outcome outcome;
    uint40 healthBefore;
    uint40 healthAfter;
  }

  /// @param takenInDay Total of the UTC day, including this rescue.
  function pack(ILoanGuard.Rescue memory rescue, uint128 takenInDay) internal pure returns (Record memory) {
    return Record({
      takenInDay: takenInDay,
      time: rescue.time,
      outcome: rescue.outcome,
      healthBefore: _packed(rescue.healthBeforeWad),
      healthAfter: _packed(rescue.healthAfterWad)
    });
  }

  /// @param before The record of the guard's previous rescue; empty for its first.
  function unpack(Record memory record, Record memory before) internal pure returns (ILoanGuard.Rescue memory) {
    uint128 takenBefore = dayOf(before) == dayOf(record) ? before.takenInDay : 0;
    return ILoanGuard.Rescue({
      repaid: record.takenInDay - takenBefore,
      time: record.time,
      outcome: record.outcome,
      healthBeforeWad: _unpacked(record.healthBefore),
      healthAfterWad: _unpacked(record.healthAfter)
    });
  }

  /// @notice The rescue's UTC day, as unix time / 86,400.
  function dayOf(Record memory record) internal pure returns (uint32) {
    return uint256(record.time / 1 days).toUint32();
  }

  function _packed(uint256 healthWad) private pure returns (uint40) {
    return healthWad == Repayment.NO_DEBT_HEALTH ? NO_DEBT : Math.min(healthWad / UNIT, NO_DEBT - 1).toUint40();
  }

  function _unpacked(uint40 health) private pure returns (uint128) {
    return (health == NO_DEBT ? Repayment.NO_DEBT_HEALTH : health * UNIT).toUint128();
  }
}
