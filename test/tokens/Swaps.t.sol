// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanPath} from "./PlanPath.sol";

contract SwapPaysTest is PlanPath {
  function _heading() internal pure virtual override returns (string memory) {
    return "swap pays";
  }

  function _prepare() internal virtual override {
    router.setAmountOut(102e18);
    _plan(odd, other, address(swapper), address(router));
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return _swapCall(odd, other);
  }

  function _ends() internal view virtual override returns (address, address) {
    return (owner, address(swapper));
  }

  function _assertMoved(uint256[] memory before) internal view virtual override {
    _assertPaid(before, 100 * unit, 5);
  }
}

/// The router takes a half. The other half returns to the owner.
contract SwapGivesBackTest is SwapPaysTest {
  function _heading() internal pure override returns (string memory) {
    return "swap gives back";
  }

  function _prepare() internal override {
    super._prepare();
    router.setTakenBps(5_000);
  }

  function _ends() internal view override returns (address, address) {
    return (address(swapper), owner);
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertPaid(before, 50 * unit, 5);
  }
}

contract SwapReceivesTest is PlanPath {
  function _heading() internal pure override returns (string memory) {
    return "swap receives";
  }

  function _prepare() internal override {
    router.setAmountOut(102 * unit);
    _plan(other, odd, address(swapper), address(router));
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return _swapCall(other, odd);
  }

  function _ends() internal view override returns (address, address) {
    return (address(swapper), recipient);
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertDelivered(before);
  }
}
