// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {World} from "./World.sol";

/// Owners use plans as owners do, and the market moves.
abstract contract Owners is World {
  mapping(uint256 planId => bool) public wasCancelled;
  mapping(uint256 planId => bool) public wasRevoked;
  mapping(uint256 planId => uint256) public runsWhenEnded;
  bytes internal _lastCreation;

  function create(uint256 seed) external rolls(seed) {
    _createAny();
  }

  /// Signed by the owner, submitted by anyone.
  function createSigned(uint256 seed) external rolls(seed) {
    if (_isFull()) return;
    Party memory owner = owners[_roll(2)];
    IPlanRegistry.Creation memory creation = _creation(owner);
    if (_oneIn(2)) creation.plans[0] = _terms(owner, creation.plans[0].executor);
    bool isNear = _isNear(creation.plans[0]);
    bytes memory signature = _sign(owner.key, registry.digestOf(creation));
    _lastCreation = abi.encode(creation, signature);
    bool isOff = owner.who == address(_ownersWallet) && _ownersWallet.isOff();
    vm.prank(STRANGER);
    try registry.createBySignature(creation, signature) returns (uint256 planId) {
      _noteCreated(planId, creation.plans[0]);
      _rule("PR-1: a plan signed by a wallet that accepts no signature", !isOff);
      _count("createSigned", true);
    } catch {
      // It may be valid later.
      delete _lastCreation;
      _count("createSigned", false);
      _rule("PR-1: a signed plan was refused", isOff || !isNear);
    }
  }

  /// Mostly of the plan's own tokens and executor: others are refused.
  function edit(uint256 seed) external rolls(seed) {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _any();
    if (planId == 0) return;
    IPlanRegistry.Terms memory terms = _edited(plan);
    vm.prank(plan.terms.owner);
    try registry.edit(planId, plan.state.version, plan.state.runs, terms) {
      maxPaid[planId] += uint256(terms.amountPerRun) * terms.maxRuns;
      _rule("PR-36: a far limit without the owner's word", _isNear(terms));
      _count("edit", true);
    } catch {
      _count("edit", false);
    }
  }

  /// Stop functions never fail. Those that end a plan are rare.
  function stop(uint256 seed) external rolls(seed) {
    uint256 dice = _roll(32);
    if (dice == 0) return _revokeAll(owners[_roll(3)].who);
    if (dice < 3) return _cancelAny();
    (uint256 planId, IPlanRegistry.Plan memory plan) = _any();
    if (planId == 0) return;
    bool isPaused = plan.state.status == IPlanRegistry.Status.Paused;
    if (!isPaused && dice > 10) return;
    vm.startPrank(plan.terms.owner);
    if (isPaused) {
      registry.resume(planId, plan.state.version, plan.state.runs);
    } else {
      try registry.pause(planId) {}
      catch {
        _rule("PR-20: a stop button has failed", false);
      }
      _count("pause", true);
    }
    vm.stopPrank();
  }

  /// Blocks come more often than once a second, so a time may repeat.
  function pass(uint256 seed) external rolls(seed) {
    uint256 dice = _roll(4);
    vm.roll(block.number + 1);
    if (dice != 0) vm.warp(block.timestamp + _between(1, dice == 1 ? 3 hours : 10 minutes));
  }

  function move(uint256 seed) external rolls(seed) {
    source.setPrice(address(tokens[1]), _between(54_000e28, 66_000e28));
    source.setPrice(address(tokens[2]), _between(500e18, 700e18));
  }

  /// A wallet accepts no signature for a while: the owner has changed its key.
  function turn(uint256 seed) external rolls(seed) {
    _ownersWallet.turn(_oneIn(4));
    _signersWallet.turn(_oneIn(4));
  }

  function _createAny() internal {
    if (_isFull()) return;
    Party memory owner = owners[_roll(3)];
    IPlanRegistry.Terms memory terms = _terms(owner, address(limbs[_roll(2)]));
    bool isNear = _isNear(terms);
    vm.prank(owner.who);
    try registry.create(terms) returns (uint256 planId) {
      _noteCreated(planId, terms);
      _count(isNear ? bytes32("create") : bytes32("create beyond the wall"), true);
    } catch {
      _rule("PR-36: a limit near the market was refused", !isNear);
      _count(isNear ? bytes32("create") : bytes32("create beyond the wall"), false);
    }
  }

  function _edited(IPlanRegistry.Plan memory plan) internal returns (IPlanRegistry.Terms memory terms) {
    uint256 which = plan.terms.owner == owners[0].who ? 0 : plan.terms.owner == owners[1].who ? 1 : 2;
    terms = _terms(owners[which], plan.terms.executor);
    if (terms.tokenIn == plan.terms.tokenIn || _oneIn(8)) return terms;
    // Of the other pair: only the schedule and the amount change.
    (terms.tokenIn, terms.tokenOut) = (plan.terms.tokenIn, plan.terms.tokenOut);
    (terms.priceSource, terms.limitPriceWad) = (plan.terms.priceSource, plan.terms.limitPriceWad);
    (terms.maxSlippageBps, terms.triggerPriceWad) = (plan.terms.maxSlippageBps, plan.terms.triggerPriceWad);
    terms.farLimit = plan.terms.farLimit;
    terms.amountPerRun = plan.terms.amountPerRun / 2 + 1;
  }

  function _cancelAny() private {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _any();
    if (planId == 0) return;
    vm.prank(plan.terms.owner);
    try registry.cancel(planId) {}
    catch {
      _rule("PR-20: a stop button has failed", false);
    }
    _count("cancel", true);
    _end(planId);
    wasCancelled[planId] = true;
  }

  function _revokeAll(address owner) private {
    vm.prank(owner);
    try revocations.revokeAll() {}
    catch {
      _rule("PR-20: a stop button has failed", false);
    }
    _count("revokeAll", true);
    for (uint256 planId = registry.planCount(); planId != 0; --planId) {
      if (registry.plan(planId).terms.owner != owner) continue;
      _end(planId);
      wasRevoked[planId] = true;
    }
  }

  function _end(uint256 planId) private {
    if (wasCancelled[planId] || wasRevoked[planId]) return;
    runsWhenEnded[planId] = registry.plan(planId).state.runs;
  }
}
