// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanPath} from "./PlanPath.sol";

contract PlanPaysTest is PlanPath {
  function _heading() internal pure override returns (string memory) {
    return "plan pays";
  }

  function _prepare() internal override {
    executor.setAmountOut(102e18);
    _plan(odd, other, address(executor));
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return _runCall();
  }

  function _ends() internal view override returns (address, address) {
    return (owner, address(executor));
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertPaid(before, 100 * unit, 2);
  }
}

contract PlanReceivesTest is PlanPath {
  function _heading() internal pure override returns (string memory) {
    return "plan receives";
  }

  function _prepare() internal override {
    executor.setAmountOut(namesTheLargest ? type(uint256).max : 102 * unit);
    _plan(other, odd, address(executor));
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return _runCall();
  }

  function _ends() internal view override returns (address, address) {
    return (address(executor), recipient);
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertDelivered(before);
  }
}
