// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";
import {Repayment} from "./Repayment.sol";

/// @title The record of a rescue in one storage slot
/// @notice Healths are stored in billionths, rounded down, in 40 bits: up to 1,099.5. A higher health is stored as the
/// highest below "no debt". The event of a rescue carries all digits.
library PackedRescue {
  using SafeCast for uint256;

  uint256 private constant UNIT = 1e9;
  uint40 private constant NO_DEBT = type(uint40).max;

  struct Record {
    uint128 repaid;
    uint40 time;
    ILoanGuard.Outcome outcome;
    uint40 healthBefore;
    uint40 healthAfter;
  }

  function pack(ILoanGuard.Rescue memory rescue) internal pure returns (Record memory) {
    return Record({
      repaid: rescue.repaid,
      time: rescue.time,
      outcome: rescue.outcome,
      healthBefore: _packed(rescue.healthBeforeWad),
      healthAfter: _packed(rescue.healthAfterWad)
    });
  }

  function unpack(Record memory record) internal pure returns (ILoanGuard.Rescue memory) {
    return ILoanGuard.Rescue({
      repaid: record.repaid,
      time: record.time,
      outcome: record.outcome,
      healthBeforeWad: _unpacked(record.healthBefore),
      healthAfterWad: _unpacked(record.healthAfter)
    });
  }

  function _packed(uint256 healthWad) private pure returns (uint40) {
    return healthWad == Repayment.NO_DEBT_HEALTH ? NO_DEBT : Math.min(healthWad / UNIT, NO_DEBT - 1).toUint40();
  }

  function _unpacked(uint40 health) private pure returns (uint128) {
    return (health == NO_DEBT ? Repayment.NO_DEBT_HEALTH : health * UNIT).toUint128();
  }
}
