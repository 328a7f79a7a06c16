// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AgenticCommerce} from "./AgenticCommerce.sol";
import {IJobHook} from "./IJobHook.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// A hostile buyer's accomplice: a hook that does as instructed after a step, and an evaluator that decides at will.
contract Accomplice is IJobHook, IERC165 {
  enum Habit {
    Quiet,
    Refusing,
    Burning,
    Reentering
  }

  error NotToday();

  Habit private _habit;

  function take(Habit habit) external {
    _habit = habit;
  }

  function beforeAction(uint256, bytes4, bytes calldata) external {}

  function afterAction(uint256 jobId, bytes4, bytes calldata) external {
    if (_habit == Habit.Refusing) revert NotToday();
    if (_habit == Habit.Reentering) AgenticCommerce(msg.sender).claimRefund(jobId);
    if (_habit == Habit.Burning) {
      while (gasleft() > 0) {}
    }
  }

  function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
    return interfaceId == type(IJobHook).interfaceId || interfaceId == type(IERC165).interfaceId;
  }

  function reject(AgenticCommerce commerce, uint256 jobId) external {
    commerce.reject(jobId, "", "");
  }
}
