// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {Puppet} from "../../mocks/Puppet.sol";
import {ScriptedExecutor} from "../../mocks/ScriptedExecutor.sol";

/// PR-15: one test for each entry that is closed during a run. Each call would succeed outside of a run: the attacker
/// runs two of the owner's plans, and owns two itself.
contract PlanRegistryReentrancyTest is PlanBase {
  ScriptedExecutor private attacker;
  uint256 private planId;
  uint256 private otherId;
  uint256 private activeId;
  uint256 private pausedId;

  function setUp() public override {
    super.setUp();
    attacker = _scripted();
    planId = _planFor(attacker);
    otherId = _planFor(attacker);
    IPlanRegistry.Terms memory terms = _terms();
    terms.owner = address(attacker);
    activeId = _create(terms);
    pausedId = _create(terms);
    vm.prank(address(attacker));
    registry.pause(pausedId);
  }

  function test_RefusesPullFundsOfAnotherPlan() public {
    _assertShutDuringARun(abi.encodeCall(registry.pullFunds, (otherId, 1, _unsigned(_go()), "", "")));
  }

  function test_RefusesPullFundsOfTheSamePlan() public {
    _assertShutDuringARun(abi.encodeCall(registry.pullFunds, (planId, 1, _unsigned(_go()), "", "")));
  }

  function test_RefusesCreate() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.owner = address(attacker);
    _assertShutDuringARun(abi.encodeCall(registry.create, (terms)));
  }

  function test_RefusesCreateBySignature() public {
    IPlanRegistry.Creation memory creation;
    uint256 key;
    (creation.owner, key) = makeAddrAndKey("signing owner");
    creation.plans = new IPlanRegistry.Terms[](1);
    creation.plans[0] = _terms();
    creation.plans[0].owner = creation.owner;
    creation.deadline = block.timestamp;
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, registry.digestOf(creation));
    _assertShutDuringARun(abi.encodeCall(registry.createBySignature, (creation, abi.encodePacked(r, s, v))));
    assertFalse(registry.isNonceUsedUp(creation.owner, creation.nonce));
  }

  function test_RefusesEdit() public {
    IPlanRegistry.Terms memory terms = _terms();
    terms.owner = address(attacker);
    _assertShutDuringARun(abi.encodeCall(registry.edit, (activeId, 1, 0, terms)));
  }

  function test_RefusesResume() public {
    _assertShutDuringARun(abi.encodeCall(registry.resume, (pausedId, 1, 0)));
  }

  function test_RefusesRecordDeferral() public {
    _assertShutDuringARun(abi.encodeCall(registry.recordDeferral, (otherId, 1, 1, _unsigned(_go()), "")));
  }

  /// PR-20: the stop functions work during somebody else's run.
  function test_TheStopButtonsWorkDuringARun() public {
    attacker.beforeDelivery(address(registry), abi.encodeCall(registry.pause, (activeId)));
    attacker.afterDelivery(address(registry), abi.encodeCall(registry.cancel, (pausedId)));

    attacker.run(planId, _go(), "");

    assertEq(uint8(_state(activeId).status), uint8(IPlanRegistry.Status.Paused));
    assertEq(uint8(_state(pausedId).status), uint8(IPlanRegistry.Status.Cancelled));
    assertEq(_history(planId).length, 1);
  }

  /// PR-20: and during the plan's own run, which completes as usual and is the last.
  function test_AnOwnerCanCancelOutOfATokensHook() public {
    HookERC20 hooked = new HookERC20("HOOK", 18);
    Puppet account = new Puppet();
    owner = address(account);
    hooked.mint(owner, 2 * AMOUNT);
    uint256 id = _planOf(address(hooked), address(coin));
    bytes memory call = abi.encodeCall(registry.cancel, (id));
    hooked.hookNextTransfer(owner, abi.encodeCall(account.act, (address(registry), call)), false);

    _run(id);

    assertEq(uint8(_state(id).status), uint8(IPlanRegistry.Status.Cancelled));
    assertEq(_history(id).length, 1);
    assertEq(coin.balanceOf(recipient), FLOOR);
    vm.warp(START + PERIOD);
    _assertRefused(
      executor, id, abi.encodeWithSelector(IPlanRegistry.PlanNotActive.selector, IPlanRegistry.Status.Cancelled)
    );
  }

  /// PR-14: during the payment nothing can be delivered, and nothing can be paid again.
  function test_RefusesTheExecutorOutOfThePayment() public {
    bytes[2] memory early;
    bytes[2] memory reasons;
    HookERC20 hooked = new HookERC20("HOOK", 18);
    hooked.mint(owner, 2 * AMOUNT);
    for (uint256 i; i < 2; ++i) {
      uint256 id = _planOf(address(hooked), address(coin));
      early[0] = abi.encodeCall(registry.recordRun, (id));
      early[1] = abi.encodeCall(registry.payTo, (address(executor)));
      reasons[0] = abi.encodeWithSelector(IPlanRegistry.RunNotPaid.selector, id);
      reasons[1] = abi.encodeWithSelector(IPlanRegistry.RunAlreadyPaid.selector, id);
      hooked.hookNextTransfer(address(executor), abi.encodeCall(executor.act, (address(registry), early[i])), true);

      _run(id);

      assertFalse(hooked.succeeded());
      assertEq(hooked.returned(), reasons[i]);
      assertEq(coin.balanceOf(recipient), (i + 1) * FLOOR);
      assertEq(_history(id).length, 1);
    }
  }

  /// PR-12, PR-14: a delivery whose own transfer delivers again counts once.
  function test_RefusesRecordRunOutOfTheDelivery() public {
    HookERC20 hooked = new HookERC20("HOOK", 8);
    hooked.mint(address(executor), 10 * FLOOR);
    uint256 id = _planOf(address(usd), address(hooked));
    bytes memory again = abi.encodeCall(registry.recordRun, (id));
    bytes memory reason = abi.encodeWithSelector(IPlanRegistry.RunAlreadyRecorded.selector, id);

    hooked.hookTransferTo(recipient, address(executor), abi.encodeCall(executor.act, (address(registry), again)), false);
    _assertRefused(executor, id, reason);

    hooked.hookTransferTo(recipient, address(executor), abi.encodeCall(executor.act, (address(registry), again)), true);
    _run(id);
    assertFalse(hooked.succeeded());
    assertEq(hooked.returned(), reason);
    assertEq(hooked.balanceOf(recipient), FLOOR);
    assertEq(_history(id).length, 1);
  }

  /// The call succeeds outside of a run. During a run, before and after the delivery, it reverts with its named error
  /// and changes nothing.
  function _assertShutDuringARun(bytes memory call) private {
    uint256 outside = vm.snapshotState();
    attacker.act(address(registry), call);
    vm.revertToState(outside);

    bytes memory others = _others();
    attacker.beforeDelivery(address(registry), call);
    attacker.afterDelivery(address(registry), call);
    attacker.run(planId, _go(), "");
    for (uint256 step; step < 2; ++step) {
      assertFalse(attacker.reply(step).succeeded, "entered during a run");
      assertEq(attacker.reply(step).returned, abi.encodeWithSelector(IPlanRegistry.RunOpen.selector, planId));
    }
    assertEq(_others(), others);
    assertEq(_history(planId).length, 1);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
  }

  function _others() private view returns (bytes memory) {
    return abi.encode(
      registry.planCount(),
      abi.encode(registry.plan(otherId), registry.plan(activeId), registry.plan(pausedId)),
      _history(otherId)
    );
  }
}
