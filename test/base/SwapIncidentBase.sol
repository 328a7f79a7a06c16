// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {SwapBase} from "./SwapBase.sol";

/// An attack on `swapper`, which is this project's until a test moves to a twin; both use this project's registry.
abstract contract SwapIncidentBase is SwapBase {
  /// The attack, written once. External, so that it is undone as a whole if it fails, as in a transaction.
  function attack() external virtual;

  function _moveTo(address swapper_) internal {
    swapper = SwapExecutor(swapper_);
    planId = _create(_swapTerms());
  }

  /// On this project's contract: the attack fails with exactly this error, and nobody has gained or lost a unit.
  function _assertAttackFails(bytes memory reason) internal {
    bytes memory before = _wealth();
    vm.expectRevert(reason);
    this.attack();
    assertEq(_wealth(), before, "an attack that failed has moved something");
    assertEq(usd.balanceOf(owner), FUNDS, "the owner's funds");
  }

  function _wealth() private view returns (bytes memory) {
    return abi.encode(
      [usd.balanceOf(owner), usd.balanceOf(stranger), usd.balanceOf(address(swapper))],
      [coin.balanceOf(recipient), coin.balanceOf(stranger), coin.balanceOf(address(swapper))]
    );
  }
}
