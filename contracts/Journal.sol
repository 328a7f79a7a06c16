// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IPlanRegistry, Verdict} from "./interfaces/IPlanRegistry.sol";
import {Slots} from "./libraries/Slots.sol";

/// @title Journal
/// @notice Stores each plan's records: two storage slots per run, one per deferral. The remaining fields follow from
/// the terms of the record's version.
abstract contract Journal is IPlanRegistry {
  using SafeCast for uint256;

  struct Record {
    uint40 time;
    Outcome outcome;
    uint16 version;
    uint16 reason;
    Verdict verdict;
    bool isAttested;
    bytes19 evidencePrefix;
  }

  /// A run's second slot.
  struct Delivery {
    uint104 amountOut;
    uint104 floor;
  }

  mapping(uint256 planId => mapping(uint256 record => Record)) private _records;
  mapping(uint256 planId => mapping(uint256 record => Delivery)) private _deliveries;

  function _writeRun(
    uint256 planId,
    uint256 record,
    uint16 version,
    bool isAttested,
    bytes32 evidenceHash,
    uint256 amountOut,
    uint256 floor
  ) internal {
    _records[planId][record] = Record({
      time: block.timestamp.toUint40(),
      outcome: Outcome.Executed,
      version: version,
      reason: 0,
      verdict: Verdict.GO,
      isAttested: isAttested,
      evidencePrefix: bytes19(evidenceHash)
    });
    _deliveries[planId][record] = Delivery(amountOut.toUint104(), floor.toUint104());
  }

  function _writeDeferral(
    uint256 planId,
    uint256 record,
    uint16 version,
    bool isAttested,
    Ticket calldata ticket,
    uint16 reason
  ) internal {
    _records[planId][record] = Record({
      time: block.timestamp.toUint40(),
      outcome: Outcome.Deferred,
      version: version,
      reason: reason,
      verdict: ticket.verdict,
      isAttested: isAttested,
      evidencePrefix: bytes19(ticket.evidenceHash)
    });
  }

  /// Records `from` to `to`, which must exist.
  function _read(uint256 planId, uint256 from, uint256 to) internal view returns (Run[] memory page) {
    page = new Run[](to - from);
    Terms memory terms;
    uint256 version;
    for (uint256 i; i < page.length; ++i) {
      Record memory record = _records[planId][from + i];
      Delivery memory delivery = _deliveries[planId][from + i];
      if (record.version != version) (version, terms) = (record.version, termsOf(planId, record.version));
      page[i] = Run({
        time: record.time,
        outcome: record.outcome,
        slotStart: Slots.lastStart(record.time, terms.startAt, terms.periodSeconds),
        version: record.version,
        reason: record.reason,
        verdict: record.verdict,
        isAttested: record.isAttested,
        floor: delivery.floor,
        amountIn: record.outcome == Outcome.Executed ? terms.amountPerRun : 0,
        amountOut: delivery.amountOut,
        evidencePrefix: record.evidencePrefix
      });
    }
  }

  /// @inheritdoc IPlanRegistry
  function termsOf(uint256 planId, uint256 version) public view virtual returns (Terms memory);
}
