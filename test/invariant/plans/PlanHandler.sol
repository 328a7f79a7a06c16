// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../../contracts/PlanRegistry.sol";
import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {Runs} from "./Runs.sol";
import {World} from "./World.sol";

/// All of the above, and an attacker who tries to act in the owners' names.
contract PlanHandler is Runs {
  constructor(PlanRegistry registry_, MockPriceSource source_) World(registry_, source_) {}

  /// An owner's signed request again; outside its time; with one change; or signed by somebody else.
  function forge(uint256 seed) external rolls(seed) {
    IPlanRegistry.Creation memory creation;
    bytes memory signature;
    uint256 dice = _roll(8);
    if (dice == 0) {
      if (_lastCreation.length == 0) return;
      (creation, signature) = abi.decode(_lastCreation, (IPlanRegistry.Creation, bytes));
    } else {
      creation = _creation(owners[_roll(2)]);
      if (dice == 1) creation.deadline = block.timestamp - 1;
      if (dice == 2) ++creation.epoch;
      uint256 key = creation.owner == owners[0].who ? owners[0].key : owners[1].key;
      signature = _sign(dice == 3 ? SIGNER_KEY : key, registry.digestOf(creation));
      // Of another epoch, or altered to name this one.
      if (dice == 2 && _oneIn(2)) --creation.epoch;
      if (dice == 4) creation.plans[0].recipient = STRANGER;
      if (dice == 5) ++creation.plans[0].amountPerRun;
      if (dice == 6) creation.nonce = ++_nonce;
      if (dice == 7) creation.plans[0].expiresAt += 1;
    }
    bytes memory call = abi.encodeCall(registry.createBySignature, (creation, signature));
    _forbid("forged signature", STRANGER, call);
  }

  /// Without signatures: a plan in an owner's name, an owner's plan, another's executor, and an own plan edited to be an
  /// owner's.
  function intrude(uint256 seed) external rolls(seed) {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _any();
    if (planId == 0) return;
    (IPlanRegistry.Terms memory terms, IPlanRegistry.State memory state) = (plan.terms, plan.state);
    IPlanRegistry.Ticket memory ticket;
    ticket.verdict = Verdict.GO;
    uint256 dice = _roll(8);
    bytes memory call;
    if (dice == 0) call = abi.encodeCall(registry.create, (terms));
    if (dice == 1) call = abi.encodeCall(registry.edit, (planId, state.version, state.runs, terms));
    if (dice == 2) call = abi.encodeCall(registry.resume, (planId, state.version, state.runs));
    if (dice == 3) call = abi.encodeCall(registry.pause, (planId));
    if (dice == 4) call = abi.encodeCall(registry.cancel, (planId));
    if (dice == 5) call = abi.encodeCall(registry.recordDeferral, (planId, state.version, 10, ticket, ""));
    if (dice == 6) call = abi.encodeCall(registry.pullFunds, (planId, state.version, ticket, "", ""));
    address other = address(limbs[terms.executor == address(limbs[0]) ? 1 : 0]);
    if (dice < 7) return _forbid("in another's name", dice > 4 ? other : STRANGER, call);
    (address owner, address own) = (terms.owner, owners[2].who);
    if (owner != own) return;
    terms.owner = owners[_roll(2)].who;
    _forbid("give a plan away", own, abi.encodeCall(registry.edit, (planId, state.version, state.runs, terms)));
  }
}
