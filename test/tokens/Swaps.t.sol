// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "../mocks/MockERC20.sol";
import {PlanPath} from "./PlanPath.sol";

contract SwapPaysTest is PlanPath {
  function _heading() internal pure override returns (string memory) {
    return "swap pays";
  }

  function _prepare() internal override {
    pool = _poolOf(odd, other);
    _plan(odd, other, address(swapper));
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return _swapCall(_path(address(odd), address(other)));
  }

  function _ends() internal view override returns (address, address) {
    return (owner, address(pool));
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertPaid(before, 100 * unit, 5);
  }
}

/// One pool pays the token to the executor, which pays the next pool.
contract SwapPassesTest is PlanPath {
  MockERC20 private last = new MockERC20("LAST", 18);

  function _heading() internal pure override returns (string memory) {
    return "swap passes on";
  }

  function _prepare() internal override {
    pool = _poolOf(other, odd);
    nextPool = _poolOf(odd, last);
    _plan(other, last, address(swapper));
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return _swapCall(abi.encodePacked(other, FEE, odd, FEE, last));
  }

  function _ends() internal view override returns (address, address) {
    return (address(swapper), address(nextPool));
  }

  function _assertMoved(uint256[] memory before) internal view override {
    assertGe(before[5] - odd.balanceOf(address(pool)), 102 * unit, "the first pool paid");
    assertGe(odd.balanceOf(address(nextPool)) - before[7], 102 * unit, "the next pool received");
    assertEq(_lastRun().amountOut, 102e18);
  }
}

contract SwapReceivesTest is PlanPath {
  function _heading() internal pure override returns (string memory) {
    return "swap receives";
  }

  function _prepare() internal override {
    pool = _poolOf(other, odd);
    _plan(other, odd, address(swapper));
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return _swapCall(_path(address(other), address(odd)));
  }

  function _ends() internal view override returns (address, address) {
    return (address(pool), recipient);
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertDelivered(before);
  }
}
