// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {LoudToken} from "../LoudToken.sol";
import {Owners} from "./Owners.sol";

/// What the attacker's executors do while a run is open: before each step, and out of the tokens that the step moves.
abstract contract Moves is Owners {
  /// Where a run is.
  enum Place {
    None,
    Opened,
    Paying,
    Paid,
    Delivering,
    Recorded
  }

  // The open run, as the attacker has planned it.
  Place private transient _place;
  bool internal transient _isHostile;
  bool private transient _isMoving;
  /// tokenOut that the executor means to deliver.
  uint256 internal transient _delivery;
  /// tokenOut that the registry has received in this run.
  uint256 internal transient _sentOut;
  address private transient _openOwner;
  address private transient _openRecipient;
  IPlanRegistry.OpenRun private _open;
  address private transient _limb;

  constructor() {
    _expect("pay twice");
    _expect("pay by another");
    _expect("pay the payer");
    _expect("record before it is paid");
    _expect("record twice");
    _expect("record another plan");
    _expect("record by another");
    _expect("defer inside a run");
    _expect("create inside a run");
    _expect("create by signature inside a run");
    _expect("edit inside a run");
    _expect("resume inside a run");
    _expect("stop another's plan");
    _expect("run inside a run");
    _expect("another executor's run inside");
    _expect("take without leave");
    _expect("flash loan");
  }

  function _plan(IPlanRegistry.Terms memory terms, uint256 delivery, bool isHostile) internal {
    (_openOwner, _openRecipient) = (terms.owner, terms.recipient);
    (_delivery, _isHostile, _sentOut, _place) = (delivery, isHostile, 0, Place.None);
  }

  function onRunOpened(IPlanRegistry.OpenRun calldata run) external {
    // A run inside a run: `_forbid` says so once it succeeds.
    if (_place != Place.None) return _finishInside(run);
    (_open, _limb) = (run, msg.sender);
    (address borrower, address lent, uint256 loan) = _borrow();
    _moves(Place.Opened);
    _pay();
    _moves(Place.Paid);
    _deliver();
    _moves(Place.Paid);
    _record();
    _moves(Place.Recorded);
    if (loan != 0) _send(lent, borrower, LENDER, loan);
    _place = Place.None;
  }

  /// Out of a token, while it moves.
  function onMoved(address, address) external {
    if (_isMoving || !_isHostile) return;
    if (_place == Place.Paying || _place == Place.Delivering) _moves(_place);
  }

  function _pay() private {
    (address limb, address owner) = (_limb, _openOwner);
    address payee = _isHostile && _oneIn(4) ? [LENDER, STRANGER, address(limbs[0]), address(registry)][_roll(4)] : limb;
    _place = Place.Paying;
    vm.prank(limb);
    registry.payTo(payee);
    _moved(_open.tokenIn, owner, payee, _open.amountIn);
  }

  function _deliver() private {
    uint256 delivery = _delivery;
    uint256 first = _isHostile ? _roll(delivery + 1) : 0;
    if (first != 0) _sendOut(first);
    if (_isHostile && _oneIn(8)) {
      // The rest goes to the recipient, past the registry.
      return _send(_open.tokenOut, _limb, _openRecipient, delivery - first);
    }
    _sendOut(delivery - first);
  }

  function _record() private {
    _place = Place.Delivering;
    vm.prank(_limb);
    uint256 received = registry.recordRun(_open.planId);
    _rule("IN-2: something else counts as delivered", received == _sentOut);
    _moved(_open.tokenOut, address(registry), _openRecipient, _sentOut);
  }

  function _sendOut(uint256 amount) private {
    _sentOut += amount;
    _send(_open.tokenOut, _limb, address(registry), amount);
  }

  /// A flash loan for the length of the run, so that balances are inflated while the registry measures them: of the
  /// executor, of a recipient that the attacker owns, or of somebody else.
  function _borrow() private returns (address borrower, address token, uint256 amount) {
    if (!_isHostile || !_oneIn(4)) return (borrower, token, 0);
    borrower = _openOwner == owners[2].who ? _openRecipient : _oneIn(2) ? _limb : STRANGER;
    token = _oneIn(2) ? _open.tokenIn : _open.tokenOut;
    amount = _between(1, STOCK / 2);
    _send(token, LENDER, borrower, amount);
    _count("flash loan", true);
  }

  function _moves(Place place) private {
    _place = place;
    if (!_isHostile || _oneIn(3)) return;
    _isMoving = true;
    _move(place, _roll(18));
    _isMoving = false;
    _place = place;
  }

  function _move(Place place, uint256 which) private {
    (address limb, uint256 planId) = (_limb, _open.planId);
    address other = _oneIn(2) ? STRANGER : address(limbs[0]) == limb ? address(limbs[1]) : address(limbs[0]);
    if (which == 0 && place >= Place.Paying) _forbid("pay twice", limb, abi.encodeCall(registry.payTo, (limb)));
    if (which == 1) _forbid("pay by another", other, abi.encodeCall(registry.payTo, (other)));
    if (which == 2 && place == Place.Opened) {
      _forbid("pay the payer", limb, abi.encodeCall(registry.payTo, (_openOwner)));
    }
    if (which == 3 && place <= Place.Paying) {
      // So that nothing but the missing payment refuses it.
      _sendOut(_open.floor);
      _forbid("record before it is paid", limb, abi.encodeCall(registry.recordRun, (planId)));
    }
    if (which == 4 && place >= Place.Delivering) {
      _forbid("record twice", limb, abi.encodeCall(registry.recordRun, (planId)));
    }
    if (which == 5) {
      (uint256 another,) = _any();
      if (another != planId) _forbid("record another plan", limb, abi.encodeCall(registry.recordRun, (another)));
    }
    if (which == 6) _forbid("record by another", other, abi.encodeCall(registry.recordRun, (planId)));
    if (which == 7) _runInside("run inside a run", limb);
    if (which == 8) {
      _runInside("another executor's run inside", address(limbs[0]) == limb ? address(limbs[1]) : address(limbs[0]));
    }
    if (which == 9) _deferInside();
    if (which == 10) _createInside();
    if (which == 11) _createSignedInside();
    if (which == 12) _editInside();
    if (which == 13) _resumeInside();
    if (which == 14) _stopAnothers(limb);
    if (which == 15) _take(limb);
    if (which > 15) _give(place);
  }

  function _runInside(bytes32 name, address limb) private {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _due(limb);
    if (planId == 0 || plan.terms.verdictSigner != address(0)) return;
    IPlanRegistry.Ticket memory ticket;
    ticket.verdict = Verdict.GO;
    _forbid(name, limb, abi.encodeCall(registry.pullFunds, (planId, plan.state.version, ticket, "", "")));
  }

  function _deferInside() private {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _due(address(0));
    if (planId == 0) return;
    IPlanRegistry.Ticket memory ticket;
    bytes memory call = abi.encodeCall(
      registry.recordDeferral, (planId, plan.state.version, uint16(plan.state.lastReason + 1), ticket, "")
    );
    _forbid("defer inside a run", plan.terms.executor, call);
  }

  function _createInside() private {
    Party memory attacker = owners[2];
    IPlanRegistry.Terms memory terms = _nearTerms(attacker, _limb);
    _forbid("create inside a run", attacker.who, abi.encodeCall(registry.create, (terms)));
  }

  function _createSignedInside() private {
    IPlanRegistry.Creation memory creation = _creation(owners[0]);
    bytes memory signature = _sign(owners[0].key, registry.digestOf(creation));
    bytes memory call = abi.encodeCall(registry.createBySignature, (creation, signature));
    _forbid("create by signature inside a run", STRANGER, call);
  }

  /// Of a plan of the attacker's own: this one, if it is.
  function _editInside() private {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _own();
    if (planId == 0) return;
    IPlanRegistry.Terms memory terms = plan.terms;
    (terms.amountPerRun, terms.maxRuns, terms.expiresAt) = (terms.amountPerRun + 1, 100, type(uint40).max);
    bytes memory call = abi.encodeCall(registry.edit, (planId, plan.state.version, plan.state.runs, terms));
    _forbid("edit inside a run", plan.terms.owner, call);
  }

  /// A pause is accepted.
  function _resumeInside() private {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _own();
    if (planId == 0) return;
    vm.prank(plan.terms.owner);
    registry.pause(planId);
    bytes memory call = abi.encodeCall(registry.resume, (planId, plan.state.version, plan.state.runs));
    _forbid("resume inside a run", plan.terms.owner, call);
  }

  function _stopAnothers(address limb) private {
    (uint256 planId,) = _any();
    if (planId == 0) return;
    bool isPause = _oneIn(2);
    bytes memory call = isPause ? abi.encodeCall(registry.pause, (planId)) : abi.encodeCall(registry.cancel, (planId));
    _forbid("stop another's plan", limb, call);
  }

  /// From the owner and from the registry, without their leave.
  function _take(address limb) private {
    LoudToken token = LoudToken(_oneIn(2) ? _open.tokenIn : _open.tokenOut);
    address from = _oneIn(2) ? _openOwner : address(registry);
    vm.prank(limb);
    try token.transferFrom(from, limb, 1) {
      revert MovePassed("take without leave");
    } catch {
      _count("take without leave", false);
    }
  }

  /// Tokens are left where they count as nobody's delivery, or more is delivered.
  function _give(Place place) private {
    uint256 amount = _between(1, 1e18);
    if (place == Place.Paid && _oneIn(2)) return _sendOut(amount);
    bool isDelivered = place == Place.Opened || place == Place.Paying || place == Place.Paid;
    if (isDelivered || _oneIn(2)) return _send(_open.tokenIn, _limb, address(registry), amount);
    // A unit for the payer inside the payment makes it inexact.
    if (place == Place.Recorded) return _send(_open.tokenOut, _limb, address(registry), amount);
    _send(_open.tokenOut, _limb, _openRecipient, amount);
  }

  /// A plan of the attacker's own: the open one, if it is.
  function _own() private returns (uint256 planId, IPlanRegistry.Plan memory plan) {
    planId = _open.planId;
    if (_openOwner != owners[2].who) (planId,) = _any();
    if (planId == 0) return (0, plan);
    plan = registry.plan(planId);
    if (plan.terms.owner != owners[2].who || _hasEnded(plan)) return (0, plan);
  }

  function _finishInside(IPlanRegistry.OpenRun calldata run) private {
    vm.startPrank(msg.sender);
    registry.payTo(msg.sender);
    LoudToken(run.tokenOut).transfer(address(registry), run.floor);
    registry.recordRun(run.planId);
    vm.stopPrank();
  }

  function _forbid(bytes32 name, address from, bytes memory call) internal {
    vm.prank(from);
    (bool succeeded,) = address(registry).call(call);
    _count(name, succeeded);
    if (!succeeded) return;
    if (_place != Place.None) revert MovePassed(name);
    _requireRefused(abi.encodeWithSelector(MovePassed.selector, name));
  }
}
