// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INonces} from "../../contracts/interfaces/INonces.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Signatures} from "../../contracts/libraries/Signatures.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: a used signature is still valid.
contract ReplayVersionTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _useUp(IPlanRegistry.Creation calldata creation, bytes calldata signature) internal view override {
    require(Signatures.isBy(creation.owner, digestOf(creation), signature), "signature");
  }
}

/// The owner edits the plan down to a single base unit. Somebody who kept the signature creates the first version
/// again, next to the second.
contract ReplayVersionTest is IncidentBase {
  function attack() external override {
    IPlanRegistry.Creation memory creation = _creation(_terms());
    bytes memory signature = _signed(registry.digestOf(creation));
    uint256 planId = _submit(creation, signature);
    IPlanRegistry.Terms memory lowered = _terms();
    lowered.amountPerRun = 1;
    vm.prank(owner);
    registry.edit(planId, 1, 0, lowered);
    _run(_submit(creation, signature));
  }

  /// IT-1
  function test_TheTwinsOwnerPaysByTermsThatWereEditedAway() public {
    _moveTo(address(new ReplayVersionTwin(address(source))));
    this.attack();
    assertEq(registry.plan(1).terms.amountPerRun, 1);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
  }

  /// IT-1, PR-28, PR-31
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(INonces.NonceUsedUp.selector, owner, 7));
  }
}
