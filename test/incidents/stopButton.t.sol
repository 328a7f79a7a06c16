// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {RelayedAccount} from "../mocks/RelayedAccount.sol";
import {ScriptedExecutor} from "../mocks/ScriptedExecutor.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: the stop function is locked like all others while a run is open.
contract StopButtonTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function cancel(uint256 planId) external override {
    _requireNoneOpen();
    _requireOwner(_terms[planId].owner);
    _isCancelled[planId] = true;
  }
}

/// The owner notices that the plan is bad and signs its cancellation. The stranger submits it during a run of their
/// own, and has the plan run afterwards.
contract StopButtonTest is IncidentBase {
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
    uint256 planId = _create(_laxTerms());
    bytes memory cancellation = abi.encodeCall(IPlanRegistry.cancel, (planId));
    bytes memory signature = _signed(account.digestOf(0, address(registry), cancellation));

    ScriptedExecutor thief = _scripted();
    uint256 worthless = _worthlessPlan(thief);
    thief.beforeDelivery(address(account), abi.encodeCall(account.submit, (address(registry), cancellation, signature)));
    thief.runOn(worthless, 1, _unsigned(_go()), "");
    assertEq(account.nonce(), 1, "the owner's signature is used up");

    executor.setAmountOut(1);
    _run(planId);
  }

  /// IT-1
  function test_TheTwinsOwnerPaysAfterHavingStopped() public {
    _moveTo(address(new StopButtonTwin(address(source))));
    _assertAttackPaysForOneUnit();
  }

  /// IT-1, PR-20
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.PlanNotActive.selector, IPlanRegistry.Status.Cancelled));
  }
}
