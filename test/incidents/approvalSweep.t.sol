// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: any caller may act for any owner.
contract ApprovalSweepTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _requireOwner(address) internal view override {}
}

/// Every owner with an allowance to the contract loses all of it to the first caller.
contract ApprovalSweepTest is IncidentBase {
  /// Worth 10,000 USD at the lax terms' price.
  uint256 private constant MIN_OUT = 30;

  function attack() external override {
    IPlanRegistry.Terms memory terms = _laxTerms();
    terms.amountPerRun = uint104(FUNDS);
    terms.recipient = stranger;
    executor.setAmountOut(MIN_OUT);
    vm.prank(stranger);
    uint256 planId = registry.create(terms);
    _run(planId);
  }

  /// IT-1
  function test_TheTwinsOwnerLosesTheWholeAllowance() public {
    _moveTo(address(new ApprovalSweepTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(owner), 0);
    assertEq(usd.balanceOf(address(executor)), FUNDS);
    assertEq(coin.balanceOf(stranger), MIN_OUT);
    assertEq(coin.balanceOf(recipient), 0);
  }

  /// IT-1, PR-1
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.NotOwner.selector, stranger, owner));
  }
}
