// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IRevocations} from "../../contracts/interfaces/IRevocations.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {PermitCaller} from "../mocks/PermitCaller.sol";
import {RelayedAccount} from "../mocks/RelayedAccount.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: the epoch is read again after the permits, and the plan gets the later one.
contract PermitRevocationTwin is SmallRegistry {
  IRevocations private immutable REVOCATIONS;
  mapping(uint256 planId => uint64) private _epochs;

  constructor(address source, IRevocations revocations) SmallRegistry(source) {
    REVOCATIONS = revocations;
  }

  function createBySignature(
    IPlanRegistry.Creation calldata creation,
    bytes calldata signature,
    IPlanRegistry.Permit[] calldata permits
  ) public override returns (uint256 planId) {
    require(creation.epoch == REVOCATIONS.epochOf(creation.owner), "epoch");
    planId = super.createBySignature(creation, signature, permits);
    _epochs[planId] = REVOCATIONS.epochOf(creation.owner);
  }

  function pullFunds(
    uint256 planId,
    uint256 expectedVersion,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata data
  ) public override returns (uint256) {
    require(_epochs[planId] == REVOCATIONS.epochOf(_terms[planId].owner), "revoked");
    return super.pullFunds(planId, expectedVersion, ticket, signature, data);
  }
}

/// The owner has signed a bad plan that nobody has submitted, notices it and signs a revocation of everything. The
/// stranger submits the plan with a permit for a token of their own, whose `permit` submits the revocation.
contract PermitRevocationTest is IncidentBase {
  RelayedAccount private account;

  function setUp() public override {
    super.setUp();
    account = new RelayedAccount(owner);
    owner = address(account);
    usd.mint(owner, FUNDS);
    vm.prank(owner);
    usd.approve(address(registry), type(uint256).max);
  }

  function attack() external override {
    IPlanRegistry.Creation memory creation = _creation(_laxTerms());
    bytes memory signature = _signed(registry.digestOf(creation));
    bytes memory revocation = abi.encodeCall(IRevocations.revokeAll, ());
    bytes memory submission = abi.encodeCall(
      RelayedAccount.submit,
      (address(revocations), revocation, _signed(account.digestOf(0, address(revocations), revocation)))
    );

    IPlanRegistry.Permit[] memory permits = new IPlanRegistry.Permit[](1);
    permits[0].token = address(new PermitCaller(address(account), submission));
    vm.prank(stranger);
    uint256 planId = registry.createBySignature(creation, signature, permits);
    assertNotEq(revocations.epochOf(owner), 0, "the owner has revoked");

    executor.setAmountOut(1);
    _run(planId);
  }

  /// IT-30
  function test_TheTwinsOwnerPaysAfterHavingRevoked() public {
    _moveTo(address(new PermitRevocationTwin(address(source), revocations)));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
    assertEq(coin.balanceOf(recipient), 1);
  }

  /// IT-30, PR-31, RV-1
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.PlanRevoked.selector, 0));
  }
}
