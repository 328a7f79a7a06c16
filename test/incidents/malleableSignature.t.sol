// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: signatures are distinguished by their bytes, and both halves of the curve are valid.
contract MalleableSignatureTwin is SmallRegistry {
  mapping(bytes32 signatureHash => bool) private _isSeen;

  constructor(address source) SmallRegistry(source) {}

  function _useUp(IPlanRegistry.Creation calldata creation, bytes calldata signature) internal override {
    require(!_isSeen[keccak256(signature)], "used up");
    _isSeen[keccak256(signature)] = true;
    (bytes32 r, bytes32 s, uint8 v) = (bytes32(signature[:32]), bytes32(signature[32:64]), uint8(signature[64]));
    require(ecrecover(digestOf(creation), v, r, s) == creation.owner, "signature");
  }
}

/// From one signature, anyone can make a second one for the same message. Both are submitted.
contract MalleableSignatureTest is IncidentBase {
  uint256 private constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;

  function attack() external override {
    IPlanRegistry.Creation memory creation = _creation(_terms());
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(ownerKey, registry.digestOf(creation));
    bytes memory mirrored = abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
    _run(_submit(creation, mirrored));
    _run(_submit(creation, abi.encodePacked(r, s, v)));
  }

  /// IT-1
  function test_TheTwinsOwnerPaysTwiceForOneSignature() public {
    _moveTo(address(new MalleableSignatureTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - 2 * AMOUNT);
    assertEq(usd.balanceOf(address(executor)), 2 * AMOUNT);
  }

  /// IT-1, PR-24, PR-29
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, owner));
  }
}
