// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {SignedTypes} from "../../contracts/libraries/SignedTypes.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: the signed message does not name the chain.
contract ReplayChainTwin is SmallRegistry {
  using SignedTypes for IPlanRegistry.Creation;

  constructor(address source) SmallRegistry(source) {}

  function digestOf(IPlanRegistry.Creation calldata creation) public view override returns (bytes32) {
    return keccak256(abi.encode(address(this), creation.hash()));
  }
}

/// On a test chain, where nothing has value, the owner tries a plan that accepts any price. The same addresses on the
/// main chain hold the owner's money.
contract ReplayChainTest is IncidentBase {
  function attack() external override {
    IPlanRegistry.Creation memory creation = _creation(_laxTerms());
    vm.chainId(97);
    bytes memory signature = _signed(registry.digestOf(creation));
    vm.chainId(56);
    uint256 planId = _submit(creation, signature);
    executor.setAmountOut(1);
    _run(planId);
  }

  /// IT-1
  function test_TheTwinsOwnerPaysOnTheMainChain() public {
    _moveTo(address(new ReplayChainTwin(address(source))));
    _assertAttackPaysForOneUnit();
  }

  /// IT-1, PR-29
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, owner));
  }
}
