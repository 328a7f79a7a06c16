// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {SignedTypes} from "../../contracts/libraries/SignedTypes.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {Product} from "../base/Product.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: the signed message does not name the contract.
contract ReplayContractTwin is SmallRegistry {
  using SignedTypes for IPlanRegistry.Creation;

  constructor(address source) SmallRegistry(source) {}

  function digestOf(IPlanRegistry.Creation calldata creation) public view override returns (bytes32) {
    return keccak256(abi.encode(block.chainid, creation.hash()));
  }
}

/// The owner signs a plan for one deployment and uses it there. The next deployment, with the same allowance from the
/// owner, accepts the signature again.
contract ReplayContractTest is IncidentBase {
  PlanRegistry private earlier;

  function attack() external override {
    IPlanRegistry.Creation memory creation = _creation(_terms());
    bytes memory signature = _signed(earlier.digestOf(creation));
    vm.prank(stranger);
    earlier.createBySignature(creation, signature);
    _run(_submit(creation, signature));
  }

  /// IT-1
  function test_TheTwinsOwnerPaysOnBoth() public {
    earlier = PlanRegistry(address(new ReplayContractTwin(address(source))));
    _moveTo(address(new ReplayContractTwin(address(source))));
    this.attack();
    assertEq(earlier.planCount(), 1);
    assertEq(registry.planCount(), 1);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
  }

  /// IT-1, PR-29
  function test_RevertWhen_TriedOnOurs() public {
    address[] memory sources = new address[](1);
    sources[0] = address(source);
    earlier = Product.planRegistry(revocations, loanGuard, sources);
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, owner));
    assertEq(registry.planCount(), 0);
  }
}
