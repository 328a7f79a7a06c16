// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

import {Floor} from "../../contracts/libraries/Floor.sol";
import {Repayment} from "../../contracts/libraries/Repayment.sol";
import {Slots} from "../../contracts/libraries/Slots.sol";

/// @notice Runs the libraries on the same inputs every time: numbers of every width, the largest included.
/// lab/tools/vectors.mjs compares the results with vectors.json, which the agent's own arithmetic must match.
contract Vectors {
  Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
  uint256 private constant ROWS = 40;

  uint256 private drawn;

  /// @return json `{"<function>": [[input, …, output], …], …}` with numbers as decimal text.
  function run() external returns (string memory json) {
    json = string.concat("{", _table("Slots.indexAt", _indexAt));
    json = string.concat(json, ",", _table("Slots.startOf", _startOf));
    json = string.concat(json, ",", _table("Floor.fromLimitUp", _fromLimitUp));
    json = string.concat(json, ",", _table("Floor.fromPricesUp", _fromPricesUp));
    json = string.concat(json, ",", _table("Repayment.healthDown", _healthDown));
    json = string.concat(json, ",", _table("Repayment.debtAtDown", _debtAtDown));
    json = string.concat(json, ",", _table("Repayment.neededUp", _neededUp));
    json = string.concat(json, ",", _table("Repayment.leftOfDay", _leftOfDay));
    json = string.concat(json, ",", _table("Repayment.clamp", _clamp));
    json = string.concat(json, ",", _table("Repayment.debtAfter", _debtAfter), "}");
  }

  function _indexAt() private returns (uint256[] memory row) {
    row = _slot();
    row[3] = Slots.indexAt(uint40(row[0]), uint40(row[1]), uint32(row[2]));
  }

  /// Combines the two functions for a time as PlanRegistry does.
  function _startOf() private returns (uint256[] memory row) {
    row = _slot();
    uint40 index = Slots.indexAt(uint40(row[0]), uint40(row[1]), uint32(row[2]));
    row[3] = Slots.startOf(index, uint40(row[1]), uint32(row[2]));
  }

  function _slot() private returns (uint256[] memory row) {
    row = new uint256[](4);
    row[1] = _draw(40);
    row[0] = row[1] + _draw(40) % (type(uint40).max - row[1] + 1);
    row[2] = _positive(32);
  }

  function _fromLimitUp() private returns (uint256[] memory row) {
    row = new uint256[](3);
    row[0] = _draw(104);
    row[1] = _positive(128);
    row[2] = Floor.fromLimitUp(row[0], row[1]);
  }

  function _fromPricesUp() private returns (uint256[] memory row) {
    row = new uint256[](5);
    row[0] = _draw(104);
    row[1] = _draw(128);
    row[2] = _positive(128);
    row[3] = _draw(14) % 10_001;
    row[4] = Floor.fromPricesUp(row[0], row[1], row[2], row[3]);
  }

  function _healthDown() private returns (uint256[] memory row) {
    row = new uint256[](3);
    row[0] = _draw(128);
    row[1] = _draw(128);
    row[2] = Repayment.healthDown(row[0], row[1]);
  }

  function _debtAtDown() private returns (uint256[] memory row) {
    row = new uint256[](3);
    row[0] = _draw(128);
    row[1] = _positive(64);
    row[2] = Repayment.debtAtDown(row[0], row[1]);
  }

  function _neededUp() private returns (uint256[] memory row) {
    row = new uint256[](4);
    row[0] = _draw(128);
    row[1] = _draw(128);
    row[2] = _positive(128);
    row[3] = Repayment.neededUp(row[0], row[1], row[2]);
  }

  function _leftOfDay() private returns (uint256[] memory row) {
    row = new uint256[](3);
    row[0] = _draw(128);
    row[1] = _draw(128);
    row[2] = Repayment.leftOfDay(row[0], row[1]);
  }

  function _clamp() private returns (uint256[] memory row) {
    row = new uint256[](7);
    // Similar sizes, so that each is the lowest in some row.
    for (uint256 i; i < 6; ++i) {
      row[i] = _hash() >> 128;
    }
    row[6] = Repayment.clamp(row[0], row[1], row[2], row[3], row[4], row[5]);
  }

  function _debtAfter() private returns (uint256[] memory row) {
    row = new uint256[](5);
    row[1] = _draw(128);
    row[2] = _draw(128) % (row[1] + 1);
    row[3] = _draw(128);
    // Debts in other markets plus this one's.
    row[0] = _draw(128) + row[1] * row[3] / 1e18;
    row[4] = Repayment.debtAfter(row[0], row[1], row[2], row[3]);
  }

  function _table(string memory name, function() internal returns (uint256[] memory) makeRow)
    private
    returns (string memory table)
  {
    table = string.concat('"', name, '":[');
    for (uint256 i; i < ROWS; ++i) {
      uint256[] memory row = makeRow();
      table = string.concat(table, i == 0 ? '["' : ',["', VM.toString(row[0]));
      for (uint256 j = 1; j < row.length; ++j) {
        table = string.concat(table, '","', VM.toString(row[j]));
      }
      table = string.concat(table, '"]');
    }
    return string.concat(table, "]");
  }

  function _positive(uint256 bits) private returns (uint256 number) {
    number = _draw(bits);
    if (number == 0) number = 1;
  }

  /// Every width is equally likely, and one draw in eight is the largest number.
  function _draw(uint256 bits) private returns (uint256) {
    uint256 hash = _hash();
    uint256 most = (1 << bits) - 1;
    return hash % 8 == 0 ? most : (hash >> 128) & (most >> (hash >> 8) % (bits + 1));
  }

  function _hash() private returns (uint256) {
    return uint256(keccak256(abi.encode(drawn++)));
  }
}
