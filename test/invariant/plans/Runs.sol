// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {Moves} from "./Moves.sol";

/// Runs and deferrals by the attacker, who has every key of the agent, and what each of them must have been.
abstract contract Runs is Moves {
  /// The owners' payments and receipts in plans with a price source, at the prices of each run's moment, in USD with 36
  /// decimals, and the payments less the slippage that each plan permits.
  uint256 public receivedUsd;
  uint256 public minUsd;
  /// The plan that has run or deferred last.
  uint256 public touched;

  /// Near the least that is enough, where it matters, on a ticket that may have a flaw.
  function run(uint256 seed) external rolls(seed) {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _runnable();
    if (planId == 0) return _createAny();
    IPlanRegistry.Ticket memory ticket = _ticket(plan.terms, _oneIn(4));
    uint256 least = _least(plan.terms, ticket);
    uint256 dice = _roll(8);
    uint256 delivery =
      dice == 0 ? least - 1 : dice < 3 ? least : dice == 3 ? _roll(2 * least) : least + _roll(least / 50 + 2);
    _count("run", _run(planId, plan, ticket, _oneIn(12), delivery, _oneIn(2)));
  }

  /// Two runs in one block, of different plans, in both orders.
  function reorder(uint256 seed) external rolls(seed) {
    if (!_oneIn(3)) return;
    (uint256 one, IPlanRegistry.Plan memory first) = _runnable();
    (uint256 other, IPlanRegistry.Plan memory second) = _due(address(0));
    if (one == 0 || other == 0 || one == other || !_mayRun(first)) return;
    uint256 snapshot = vm.snapshotState();
    bool isFirst = _runHonestly(one, first);
    bool isSecond = _runHonestly(other, second);
    bytes32 picture = _picture(one, other);
    assert(vm.revertToStateAndDelete(snapshot));
    _rule("IN-36: the order decides whether a plan runs", isSecond == _runHonestly(other, second));
    _rule("IN-36: the order decides whether a plan runs", isFirst == _runHonestly(one, first));
    _rule("IN-36: the order of two plans' runs matters", picture == _picture(one, other));
    _count("two runs in either order", isFirst && isSecond);
  }

  /// On a ticket signed by the right signer or by somebody else.
  function deferOn(uint256 seed) external rolls(seed) {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _runnable();
    // Mostly of a plan with a signer.
    for (uint256 i; i < 3 && planId != 0 && plan.terms.verdictSigner == address(0); ++i) {
      (planId, plan) = _runnable();
    }
    if (planId == 0) return;
    IPlanRegistry.Terms memory terms = plan.terms;
    IPlanRegistry.Ticket memory ticket = _ticket(terms, _oneIn(4));
    bool isForged = _oneIn(6);
    bytes memory signature = _sign(isForged ? owners[0].key : SIGNER_KEY, registry.digestOf(ticket));
    bool isSigned = !isForged && _isSignerOn(terms) && _isForNow(terms, ticket);
    vm.prank(terms.executor);
    try registry.recordDeferral(planId, plan.state.version, uint16(_between(1, 9)), ticket, signature) {
      bool isAttested = registry.runs(planId, plan.state.records, type(uint256).max)[0].isAttested;
      _rule("PR-35: a deferral is marked wrongly", isAttested == (terms.verdictSigner != address(0)));
      _rule("PR-35: attested without the signer", !isAttested || isSigned);
      _rule("PR-5: the cursor has decreased", registry.plan(planId).state.cursor >= plan.state.cursor);
      _count("attested deferral", isAttested);
      touched = planId;
    } catch {
      _count("attested deferral", false);
    }
  }

  /// As often as possible, and sometimes with the same reason again.
  function defer(uint256 seed) external rolls(seed) {
    (uint256 planId, IPlanRegistry.Plan memory plan) = _runnable();
    if (planId == 0) return;
    IPlanRegistry.Ticket memory ticket;
    (uint256 reason, bool isSame) = (_roll(4), _oneIn(4));
    for (uint256 i; i < 6; ++i) {
      vm.prank(plan.terms.executor);
      try registry.recordDeferral(planId, plan.state.version, uint16(isSame ? reason : reason + i), ticket, "") {
        _count("deferral", true);
        touched = planId;
      } catch {
        _count("deferral", false);
      }
    }
    _rule("PR-5: the cursor has decreased", registry.plan(planId).state.cursor >= plan.state.cursor);
  }

  function _runHonestly(uint256 planId, IPlanRegistry.Plan memory plan) private returns (bool) {
    IPlanRegistry.Ticket memory ticket = _plainTicket(plan.terms);
    return _run(planId, plan, ticket, false, _least(plan.terms, ticket), false);
  }

  /// @param delivery tokenOut that the executor means to deliver.
  function _run(
    uint256 planId,
    IPlanRegistry.Plan memory plan,
    IPlanRegistry.Ticket memory ticket,
    bool isForged,
    uint256 delivery,
    bool isHostile
  ) private returns (bool succeeded) {
    bytes memory signature;
    if (plan.terms.verdictSigner != address(0)) {
      signature = _sign(isForged ? owners[0].key : SIGNER_KEY, registry.digestOf(ticket));
    }
    bool isPermitted = _mayRun(plan) && _isTriggered(plan.terms) && _isAnswered(plan.terms, ticket, isForged);
    _plan(plan.terms, delivery, isHostile);
    vm.prank(plan.terms.executor);
    try registry.pullFunds(planId, plan.state.version, ticket, signature, "") returns (uint256 received) {
      succeeded = true;
      _judge(planId, plan, ticket, isPermitted, received);
    } catch (bytes memory reason) {
      _requireRefused(reason);
      bool isDue = isPermitted && !isHostile && _isEnough(plan.terms, ticket, delivery);
      _rule("IN-34: a run that everything permits was refused", !isDue);
    }
    if (_mayRun(plan) && !_isTriggered(plan.terms)) _count("run before its trigger", succeeded);
    // Tokens move outside of runs, too.
    _isHostile = false;
  }

  function _judge(
    uint256 planId,
    IPlanRegistry.Plan memory before,
    IPlanRegistry.Ticket memory ticket,
    bool isPermitted,
    uint256 received
  ) private {
    IPlanRegistry.Terms memory terms = before.terms;
    IPlanRegistry.State memory state = registry.plan(planId).state;
    touched = planId;
    _rule("PR-24: a run that must not happen", isPermitted);
    _rule("IN-1: less than the terms or the ticket require", _isEnough(terms, ticket, received));
    _rule("PR-5: the cursor has decreased", state.cursor >= before.state.cursor);
    _rule("IN-33: not one run and one record", state.runs == before.state.runs + 1);
    _rule("IN-33: not one run and one record", state.records == before.state.records + 1);
    IPlanRegistry.Run memory done = registry.runs(planId, before.state.records, state.records)[0];
    _rule("IN-2: another amount on record", done.amountIn == terms.amountPerRun && done.amountOut == received);
    _rule("IN-2: the owner has paid another amount", _isAsInLedger(terms.tokenIn, terms.owner));
    _rule("IN-2: the recipient has received another amount", _isAsInLedger(terms.tokenOut, terms.recipient));
    _rule("IN-2: the registry has kept something", _isAsInLedger(terms.tokenIn, address(registry)));
    _rule("IN-2: the registry has kept something", _isAsInLedger(terms.tokenOut, address(registry)));
    if (terms.priceSource != address(source)) return;
    uint256 worth = terms.amountPerRun * source.priceWad(terms.tokenIn);
    receivedUsd += received * source.priceWad(terms.tokenOut);
    minUsd += worth * (10_000 - terms.maxSlippageBps) / 10_000;
  }

  /// Whether the ticket permits the run, and the signer, if the plan has one, has signed it.
  function _isAnswered(IPlanRegistry.Terms memory terms, IPlanRegistry.Ticket memory ticket, bool isForged)
    private
    view
    returns (bool)
  {
    if (ticket.verdict != Verdict.GO) return false;
    if (terms.verdictSigner == address(0)) return true;
    if (isForged || !_isSignerOn(terms) || !_isForNow(terms, ticket)) return false;
    return ticket.maxAmountIn >= terms.amountPerRun && ticket.maxPriceWad != 0;
  }

  function _isSignerOn(IPlanRegistry.Terms memory terms) private view returns (bool) {
    return terms.verdictSigner != address(_signersWallet) || !_signersWallet.isOff();
  }

  function _isForNow(IPlanRegistry.Terms memory terms, IPlanRegistry.Ticket memory ticket) private view returns (bool) {
    return ticket.tokenIn == terms.tokenIn && ticket.tokenOut == terms.tokenOut && ticket.issuedAt <= block.timestamp
      && block.timestamp < ticket.expiresAt && ticket.expiresAt - ticket.issuedAt <= 900;
  }

  /// Covers the run, at any price.
  function _plainTicket(IPlanRegistry.Terms memory terms) private view returns (IPlanRegistry.Ticket memory) {
    return IPlanRegistry.Ticket({
      tokenIn: terms.tokenIn,
      tokenOut: terms.tokenOut,
      verdict: Verdict.GO,
      maxPriceWad: type(uint128).max,
      maxAmountIn: terms.amountPerRun,
      issuedAt: uint64(block.timestamp),
      expiresAt: uint64(block.timestamp + 120),
      evidenceHash: keccak256(abi.encode(terms.owner, block.timestamp))
    });
  }

  /// Half of them hold the run to the market's price. A flaw: another verdict, other tokens, another time or a smaller
  /// amount.
  function _ticket(IPlanRegistry.Terms memory terms, bool isFlawed)
    private
    returns (IPlanRegistry.Ticket memory ticket)
  {
    ticket = _plainTicket(terms);
    if (_oneIn(2)) ticket.maxPriceWad = _marketPriceWad(terms.tokenIn, terms.tokenOut);
    if (_oneIn(2)) ticket.issuedAt -= 780;
    if (!isFlawed) return ticket;
    uint256 flaw = _roll(9);
    if (flaw == 0) ticket.tokenIn = terms.tokenOut;
    if (flaw == 1) ticket.tokenOut = terms.tokenIn;
    if (flaw == 2) ticket.issuedAt = uint64(block.timestamp + 1);
    if (flaw == 3) ticket.expiresAt = uint64(block.timestamp);
    if (flaw == 4) ticket.issuedAt = uint64(block.timestamp - 781);
    if (flaw == 5) ticket.maxAmountIn = terms.amountPerRun - 1;
    if (flaw == 6) ticket.maxPriceWad = 0;
    if (flaw > 6) ticket.verdict = _oneIn(2) ? Verdict.CAUTION : Verdict.NO_GO;
  }

  /// What two runs leave: both plans, their records, and all that their parties hold.
  function _picture(uint256 one, uint256 other) private view returns (bytes32) {
    bytes32 held;
    for (uint256 i; i < accounts.length; ++i) {
      for (uint256 j; j < 3; ++j) {
        held = keccak256(abi.encode(held, tokens[j].balanceOf(accounts[i])));
      }
    }
    return keccak256(abi.encode(held, _newest(one), _newest(other)));
  }

  function _newest(uint256 planId) private view returns (bytes32) {
    IPlanRegistry.State memory state = registry.plan(planId).state;
    return
      keccak256(abi.encode(state, registry.runs(planId, state.records == 0 ? 0 : state.records - 1, state.records)));
  }
}
