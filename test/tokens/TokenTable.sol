// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Vm} from "forge-std/Vm.sol";

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IQuoteDesk} from "../../contracts/interfaces/IQuoteDesk.sol";
import {ExactPull} from "../../contracts/libraries/ExactPull.sol";
import {BlockingERC20, NoZeroERC20} from "./OddTokens.sol";

/// TK-1: reads the table in docs/reference/tokens.md instead of repeating it, so that table and tests cannot disagree.
library TokenTable {
  Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

  error NotInTheTable(string name);

  /// The first column without its heading.
  function behaviours() internal view returns (string[] memory names) {
    string[][] memory rows = _rows();
    names = new string[](rows.length - 1);
    for (uint256 i; i < names.length; ++i) {
      names[i] = rows[i + 1][0];
    }
  }

  function cell(string memory behaviour, string memory path) internal view returns (string memory) {
    string[][] memory rows = _rows();
    return rows[_indexOf(behaviours(), behaviour) + 1][_indexOf(rows[0], path)];
  }

  function paths() internal view returns (string[] memory) {
    return _rows()[0];
  }

  /// The selector of the error named in a cell.
  function selectorOf(string memory name) internal pure returns (bytes4) {
    if (same(name, "PullInexact")) return ExactPull.PullInexact.selector;
    if (same(name, "FloorNotMet")) return IPlanRegistry.FloorNotMet.selector;
    if (same(name, "DeliveryInexact")) return IQuoteDesk.DeliveryInexact.selector;
    if (same(name, "DebtFellWrong")) return ILoanGuard.DebtFellWrong.selector;
    if (same(name, "LeftBehind")) return IPlanRegistry.LeftBehind.selector;
    if (same(name, "SafeERC20FailedOperation")) return SafeERC20.SafeERC20FailedOperation.selector;
    if (same(name, "ERC20InsufficientBalance")) return IERC20Errors.ERC20InsufficientBalance.selector;
    // PancakeSwap's pool has not been paid what it asked for.
    if (same(name, "IIA")) return bytes4(keccak256("Error(string)"));
    if (same(name, "Blocked")) return BlockingERC20.Blocked.selector;
    if (same(name, "Paused")) return BlockingERC20.Paused.selector;
    if (same(name, "ZeroRefused")) return NoZeroERC20.ZeroRefused.selector;
    revert NotInTheTable(name);
  }

  function same(string memory a, string memory b) internal pure returns (bool) {
    return keccak256(bytes(a)) == keccak256(bytes(b));
  }

  function _indexOf(string[] memory names, string memory name) private pure returns (uint256 i) {
    while (i < names.length && !same(names[i], name)) ++i;
    if (i == names.length) revert NotInTheTable(name);
  }

  /// The cells of all lines that start with a bar, except the line below the heading.
  function _rows() private view returns (string[][] memory rows) {
    string[] memory lines = VM.split(VM.readFile("docs/reference/tokens.md"), "\n");
    rows = new string[][](lines.length);
    uint256 count;
    for (uint256 i; i < lines.length; ++i) {
      bytes memory line = bytes(lines[i]);
      if (line.length < 3 || line[0] != "|" || line[2] == "-") continue;
      rows[count++] = _cells(lines[i]);
    }
    assembly ("memory-safe") {
      mstore(rows, count)
    }
  }

  function _cells(string memory line) private pure returns (string[] memory cells) {
    string[] memory parts = VM.split(line, "|");
    cells = new string[](parts.length - 2);
    for (uint256 i; i < cells.length; ++i) {
      cells[i] = VM.trim(parts[i + 1]);
    }
  }
}
