// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Revocations} from "../../contracts/Revocations.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IRevocations} from "../../contracts/interfaces/IRevocations.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {Product} from "../base/Product.sol";

/// The mistake: the next epoch is predictable.
contract SequentialEpochsTwin is IRevocations {
  mapping(address owner => uint64) public epochOf;

  function revokeAll() external {
    emit AllRevoked(msg.sender, ++epochOf[msg.sender]);
  }
}

/// A page makes its visitor sign a plan for the next epoch, which is not valid yet. The visitor notices the phishing
/// and revokes everything, and the revocation makes the signature valid.
contract SequentialEpochsTest is IncidentBase {
  uint64 private constant STEP = 0x9abcdef0;

  function setUp() public override {
    super.setUp();
    vm.roll(1_000);
    vm.setBlockhash(999, bytes32(uint256(0x123456789abcdef0)));
  }

  function attack() external override {
    IPlanRegistry.Creation memory creation = _creation(_laxTerms());
    creation.epoch = revocations.epochOf(owner) + 1;
    bytes memory signature = _signed(registry.digestOf(creation));
    vm.prank(owner);
    revocations.revokeAll();
    executor.setAmountOut(1);
    _run(_submit(creation, signature));
  }

  /// IT-1: this project's own registry, with sequential epochs.
  function test_TheTwinsOwnerPaysForHavingRevoked() public {
    revocations = Revocations(address(new SequentialEpochsTwin()));
    _moveTo(address(Product.planRegistry(revocations, loanGuard, new address[](0))));
    _assertAttackPaysForOneUnit();
  }

  /// IT-1, PR-31
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.EpochPassed.selector, 1, 1 + STEP));
  }
}
