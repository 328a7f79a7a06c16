// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {TestExecutor} from "./TestExecutor.sol";

/// An executor that makes other calls in its callback, before and after it delivers. It records their replies and goes on
/// if they fail, as an attacker would. It can also leave out its payment or its delivery.
contract ScriptedExecutor is TestExecutor {
  struct Step {
    address target;
    bytes call;
  }

  struct Reply {
    bool succeeded;
    bytes returned;
  }

  bool public delivers = true;
  bool public isPaidFirst = true;
  Step[] private _before;
  Step[] private _after;
  Reply[] private _replies;

  constructor(IPlanRegistry registry_) TestExecutor(registry_) {}

  function keepEverything() external {
    delivers = false;
  }

  function leavePayment() external {
    isPaidFirst = false;
  }

  function beforeDelivery(address target, bytes calldata call) external {
    _before.push(Step(target, call));
  }

  function afterDelivery(address target, bytes calldata call) external {
    _after.push(Step(target, call));
  }

  function onRunOpened(IPlanRegistry.OpenRun calldata run_, bytes calldata) external override {
    if (isPaidFirst) registry.payTo(address(this));
    _perform(_before);
    if (delivers) _deliver(run_);
    _perform(_after);
  }

  function reply(uint256 step) external view returns (Reply memory) {
    return _replies[step];
  }

  function _perform(Step[] storage steps) private {
    for (uint256 i; i < steps.length; ++i) {
      (bool succeeded, bytes memory returned) = steps[i].target.call(steps[i].call);
      _replies.push(Reply(succeeded, returned));
    }
  }
}
