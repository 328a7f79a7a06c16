// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CommonBase} from "forge-std/Base.sol";
import {StdUtils} from "forge-std/StdUtils.sol";

import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {Revocations} from "../../contracts/Revocations.sol";
import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {TestExecutor} from "../mocks/TestExecutor.sol";

/// An owner who uses plans as owners do, a market that moves, and an attacker who is the executor. The attacker chooses
/// the time, the order, the claim or ticket and the delivery, and tries to act in the owner's name.
contract PlanHandler is CommonBase, StdUtils {
  PlanRegistry public immutable registry;
  Revocations public immutable revocations;
  TestExecutor public immutable executor;
  MockERC20 public immutable usd;
  MockERC20 public immutable coin;
  MockPriceSource public immutable source;
  address public immutable owner;
  address public immutable recipient;
  address public immutable verdictSigner;
  address public immutable stranger = address(uint160(uint256(keccak256("stranger"))));
  uint256 private immutable _signerKey;
  uint256 private immutable _ownerKey;

  uint256 private constant MAX_PLANS = 8;

  /// The owner's payments and receipts in plans with a price source, at the prices of each run's moment, in USD with 36
  /// decimals: the handler measures slippage against these.
  uint256 public paidUsd;
  uint256 public receivedUsd;
  /// The same payments, less the slippage that each plan permits.
  uint256 public minUsd;
  /// Counters of violations.
  uint256 public ranWhenStopped;
  uint256 public ranUnsigned;
  uint256 public ranBeyondItsTicket;
  uint256 public ranTooDear;
  uint256 public ranAgainstItsVerdict;
  uint256 public attestedFalsely;
  uint256 public madeByOthers;
  uint256 public cursorFell;
  uint256 public stopFailed;

  mapping(uint256 planId => uint256) public maxPaid;
  mapping(uint256 planId => bytes32) public firstTerms;
  mapping(uint256 planId => bool) public wasCancelled;
  mapping(uint256 planId => bool) public wasRevoked;
  mapping(uint256 planId => uint256) public runsWhenEnded;
  /// The total paid and delivered by all runs, and the plan used last.
  uint256 public amountIn;
  uint256 public amountOut;
  uint256 public touched;
  /// Counters of successful actions: a campaign in which nothing runs would prove nothing.
  uint256 public runsDone;
  uint256 public deferralsDone;
  uint256 public editsDone;
  uint256 public signedDone;
  uint256 public attestedDone;
  uint256 private _nonce;
  bytes private _lastCreation;

  constructor(
    PlanRegistry registry_,
    TestExecutor executor_,
    MockERC20 usd_,
    MockERC20 coin_,
    MockPriceSource source_,
    address owner_,
    address recipient_,
    uint256 signerKey,
    uint256 ownerKey
  ) {
    registry = registry_;
    revocations = Revocations(address(registry_.revocations()));
    executor = executor_;
    usd = usd_;
    coin = coin_;
    source = source_;
    owner = owner_;
    recipient = recipient_;
    _signerKey = signerKey;
    _ownerKey = ownerKey;
    verdictSigner = vm.addr(signerKey);
  }

  /*//////////////////////////////////////////////////////////////
                              THE OWNER
  //////////////////////////////////////////////////////////////*/

  function create(uint256 seed) external {
    if (registry.planCount() == MAX_PLANS) return;
    IPlanRegistry.Terms memory terms = _terms(seed);
    vm.prank(owner);
    _noteCreated(registry.create(terms), terms);
  }

  /// Signed by the owner, submitted by anyone.
  function createSigned(uint256 seed) external {
    if (registry.planCount() == MAX_PLANS) return;
    IPlanRegistry.Creation memory creation = _creation(seed);
    bytes memory signature = _sign(_ownerKey, registry.digestOf(creation));
    uint256 planId = registry.createBySignature(creation, signature, new IPlanRegistry.Permit[](0));
    _noteCreated(planId, creation.plans[0]);
    _lastCreation = abi.encode(creation, signature);
    ++signedDone;
  }

  function edit(uint256 plan, uint256 seed) external {
    if (plan % 4 != 0) return;
    uint256 planId = _pick(plan / 4);
    if (planId == 0) return;
    IPlanRegistry.State memory state = registry.plan(planId).state;
    IPlanRegistry.Terms memory terms = _terms(seed);
    vm.prank(owner);
    try registry.edit(planId, state.version, state.runs, terms) {
      uint256 most = uint256(terms.amountPerRun) * terms.maxRuns;
      maxPaid[planId] += most;
      ++editsDone;
    } catch {}
  }

  function pause(uint256 plan) external {
    if (plan % 8 != 0) return;
    uint256 planId = _pick(plan / 8);
    if (planId == 0) return;
    vm.prank(owner);
    try registry.pause(planId) {}
    catch {
      ++stopFailed;
    }
  }

  function resume(uint256 plan) external {
    uint256 planId = _pick(plan);
    if (planId == 0) return;
    IPlanRegistry.State memory state = registry.plan(planId).state;
    vm.prank(owner);
    try registry.resume(planId, state.version, state.runs) {} catch {}
  }

  function cancel(uint256 plan) external {
    // Rare, because a cancelled plan does nothing more.
    if (plan % 128 != 0) return;
    uint256 planId = _pick(plan / 128);
    if (planId == 0) return;
    vm.prank(owner);
    try registry.cancel(planId) {}
    catch {
      ++stopFailed;
    }
    _end(planId);
    wasCancelled[planId] = true;
  }

  /// Rare, because no existing plan runs after it.
  function revokeAll(uint256 dice) external {
    if (dice % 512 != 0) return;
    vm.prank(owner);
    try revocations.revokeAll() {}
    catch {
      ++stopFailed;
    }
    for (uint256 planId = 1; planId <= registry.planCount(); ++planId) {
      _end(planId);
      wasRevoked[planId] = true;
    }
  }

  /*//////////////////////////////////////////////////////////////
                             THE ATTACKER
  //////////////////////////////////////////////////////////////*/

  /// Any claim, any amount, with or without the verdict signer's signature.
  function run(uint256 plan, uint256 delivered, uint256 dice) external {
    uint256 planId = _pick(plan);
    if (planId == 0) return;
    IPlanRegistry.Plan memory before = registry.plan(planId);
    // Mostly near the fair price, where it matters.
    uint256 fair = uint256(before.terms.amountPerRun) * source.priceWad(address(usd)) / source.priceWad(address(coin));
    delivered = dice % 4 == 0 ? bound(delivered, 0, 2 * fair) : bound(delivered, fair * 98 / 100, fair * 101 / 100);
    executor.setAmountOut(delivered);
    IPlanRegistry.Ticket memory ticket = _ticket(dice, before.terms.amountPerRun);
    bool isSigned = dice % 3 != 0;
    try executor.runOn(planId, before.state.version, ticket, isSigned ? _sign(ticket) : bytes("")) {
      _note(planId, before, delivered, ticket, isSigned);
    } catch {}
  }

  /// On a ticket signed by the right signer or by somebody else.
  function deferOn(uint256 plan, uint256 dice) external {
    uint256 planId = _pick(plan);
    if (planId == 0) return;
    IPlanRegistry.Plan memory before = registry.plan(planId);
    IPlanRegistry.Ticket memory ticket = _ticket(dice, before.terms.amountPerRun);
    bool isSigned = dice % 3 != 0;
    bytes memory signature = _sign(isSigned ? _signerKey : _ownerKey, registry.digestOf(ticket));
    try executor.deferOn(planId, before.state.version, uint16(1 + dice % 9), ticket, signature) {
      bool isAttested = registry.runs(planId, before.state.records, type(uint256).max)[0].isAttested;
      if (isAttested != (before.terms.verdictSigner != address(0))) ++attestedFalsely;
      if (isAttested && !(isSigned && _isForNow(ticket))) ++attestedFalsely;
      if (isAttested) ++attestedDone;
      touched = planId;
    } catch {}
  }

  /// The owner's signed request again; outside its time; with one change; or signed by somebody else.
  function forge(uint256 dice) external {
    IPlanRegistry.Creation memory creation;
    bytes memory signature;
    if (dice % 8 == 0) {
      if (_lastCreation.length == 0) return;
      (creation, signature) = abi.decode(_lastCreation, (IPlanRegistry.Creation, bytes));
    } else {
      creation = _creation(dice);
      if (dice % 8 == 1) creation.deadline = block.timestamp - 1;
      if (dice % 8 == 2) ++creation.epoch;
      signature = _sign(dice % 8 == 3 ? _signerKey : _ownerKey, registry.digestOf(creation));
      // Of another epoch, or altered to name this one.
      if (dice % 16 == 2) --creation.epoch;
      if (dice % 8 == 4) creation.plans[0].recipient = stranger;
      if (dice % 8 == 5) ++creation.plans[0].amountPerRun;
      if (dice % 8 == 6) creation.nonce = ++_nonce;
      if (dice % 8 == 7) creation.plans[0].maxSlippageBps = 1_000;
    }
    vm.prank(stranger);
    try registry.createBySignature(creation, signature, new IPlanRegistry.Permit[](0)) {
      ++madeByOthers;
    } catch {}
  }

  /// Without signatures: a plan in the owner's name, the owner's plans, and an own plan edited to be the owner's.
  function intrude(uint256 plan, uint256 dice) external {
    uint256 planId = _pick(plan);
    if (planId == 0) return;
    IPlanRegistry.State memory state = registry.plan(planId).state;
    IPlanRegistry.Terms memory terms = _terms(dice);
    bytes[5] memory calls = [
      abi.encodeCall(registry.create, (terms)),
      abi.encodeCall(registry.edit, (planId, state.version, state.runs, terms)),
      abi.encodeCall(registry.resume, (planId, state.version, state.runs)),
      abi.encodeCall(registry.pause, (planId)),
      abi.encodeCall(registry.cancel, (planId))
    ];
    uint256 snapshot = vm.snapshotState();
    vm.startPrank(stranger);
    (bool succeeded,) = address(registry).call(calls[dice % 5]);
    terms.owner = stranger;
    uint256 own = registry.create(terms);
    terms.owner = owner;
    (bool turned,) = address(registry).call(abi.encodeCall(registry.edit, (own, 1, 0, terms)));
    vm.stopPrank();
    assert(vm.revertToStateAndDelete(snapshot));
    if (succeeded || turned) ++madeByOthers;
  }

  function defer(uint256 plan, uint16 reason) external {
    uint256 planId = _pick(plan);
    if (planId == 0) return;
    uint256 cursor = registry.plan(planId).state.cursor;
    // As often as possible, and sometimes with the same reason again.
    for (uint256 i; i < 6; ++i) {
      uint16 each = uint16(bound(reason, 0, 6) + (reason % 5 == 0 ? 0 : i));
      try executor.defer(planId, each, TestExecutor.Claim(Verdict.NO_GO, bytes32(0))) {
        ++deferralsDone;
        touched = planId;
      } catch {}
    }
    if (registry.plan(planId).state.cursor < cursor) ++cursorFell;
  }

  /*//////////////////////////////////////////////////////////////
                              THE WORLD
  //////////////////////////////////////////////////////////////*/

  function pass(uint256 time) external {
    vm.warp(block.timestamp + bound(time, 1, 3 hours));
    vm.roll(block.number + 1);
  }

  function move(uint256 price) external {
    source.setPrice(address(coin), bound(price, 30_000e28, 120_000e28));
  }

  /*//////////////////////////////////////////////////////////////
                                PRIVATE
  //////////////////////////////////////////////////////////////*/

  function _noteCreated(uint256 planId, IPlanRegistry.Terms memory terms) private {
    firstTerms[planId] = keccak256(abi.encode(terms));
    maxPaid[planId] = uint256(terms.amountPerRun) * terms.maxRuns;
  }

  function _note(
    uint256 planId,
    IPlanRegistry.Plan memory before,
    uint256 delivered,
    IPlanRegistry.Ticket memory ticket,
    bool isSigned
  ) private {
    ++runsDone;
    touched = planId;
    amountIn += before.terms.amountPerRun;
    amountOut += delivered;
    IPlanRegistry.State memory state = registry.plan(planId).state;
    if (state.cursor < before.state.cursor) ++cursorFell;
    if (before.state.status != IPlanRegistry.Status.Active || before.isRevoked) ++ranWhenStopped;
    if (ticket.verdict != Verdict.GO) ++ranAgainstItsVerdict;
    uint256 amount = before.terms.amountPerRun;
    bool keepsItsPrice = delivered * ticket.maxPriceWad >= amount * 1e18;
    if (before.terms.verdictSigner != address(0)) {
      if (!isSigned) ++ranUnsigned;
      if (ticket.maxAmountIn < amount || !keepsItsPrice || !_isForNow(ticket)) ++ranBeyondItsTicket;
    } else if (ticket.maxPriceWad != 0 && !keepsItsPrice) {
      ++ranBeyondItsTicket;
    }
    uint256 limitPriceWad = before.terms.limitPriceWad;
    if (limitPriceWad != 0 && delivered * limitPriceWad < uint256(before.terms.amountPerRun) * 1e18) {
      ++ranTooDear;
    }
    if (before.terms.priceSource == address(0)) return;
    uint256 worth = uint256(before.terms.amountPerRun) * source.priceWad(address(usd));
    uint256 delivery = delivered * source.priceWad(address(coin));
    uint256 least = worth * (10_000 - before.terms.maxSlippageBps) / 10_000;
    if (delivery < least) ++ranTooDear;
    paidUsd += worth;
    receivedUsd += delivery;
    minUsd += least;
  }

  function _end(uint256 planId) private {
    if (wasCancelled[planId] || wasRevoked[planId]) return;
    runsWhenEnded[planId] = registry.plan(planId).state.runs;
  }

  function _sign(IPlanRegistry.Ticket memory ticket) private view returns (bytes memory) {
    return _sign(_signerKey, registry.digestOf(ticket));
  }

  function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
    return abi.encodePacked(r, s, v);
  }

  function _isForNow(IPlanRegistry.Ticket memory ticket) private view returns (bool) {
    return ticket.tokenIn == address(usd) && ticket.tokenOut == address(coin) && ticket.issuedAt <= block.timestamp
      && block.timestamp < ticket.expiresAt && ticket.expiresAt - ticket.issuedAt <= 900;
  }

  /// Half of them cover any run. Some hold it to the market's price, and some are for other tokens, another time or a
  /// smaller amount.
  function _ticket(uint256 dice, uint256 amount) private view returns (IPlanRegistry.Ticket memory ticket) {
    ticket = IPlanRegistry.Ticket({
      tokenIn: address(usd),
      tokenOut: address(coin),
      verdict: dice % 7 == 0 ? Verdict(dice % 3) : Verdict.GO,
      maxPriceWad: type(uint128).max,
      maxAmountIn: type(uint104).max,
      issuedAt: uint64(block.timestamp),
      expiresAt: uint64(block.timestamp) + 120,
      evidenceHash: bytes32(dice)
    });
    uint256 flaw = uint256(keccak256(abi.encode(dice))) % 20;
    if (flaw == 0) ticket.tokenIn = address(coin);
    if (flaw == 1) ticket.tokenOut = address(usd);
    if (flaw == 2) ++ticket.issuedAt;
    if (flaw == 3) ticket.expiresAt = uint64(block.timestamp);
    if (flaw == 4) ticket.issuedAt -= 781;
    if (flaw == 5) ticket.maxAmountIn = amount - 1;
    if (flaw == 6) ticket.maxPriceWad = 0;
    if (flaw > 6 && flaw < 11) {
      ticket.maxPriceWad = _marketPriceWad();
    }
  }

  /// tokenIn base units per 1e18 tokenOut base units.
  function _marketPriceWad() private view returns (uint256) {
    return source.priceWad(address(coin)) * 1e18 / source.priceWad(address(usd));
  }

  function _creation(uint256 seed) private returns (IPlanRegistry.Creation memory creation) {
    creation.owner = owner;
    creation.plans = new IPlanRegistry.Terms[](1);
    creation.plans[0] = _terms(seed);
    creation.nonce = ++_nonce;
    creation.deadline = block.timestamp + 1 days;
    creation.epoch = revocations.epochOf(owner);
  }

  function _pick(uint256 plan) private view returns (uint256) {
    uint256 count = registry.planCount();
    return count == 0 ? 0 : 1 + plan % count;
  }

  function _terms(uint256 seed) private view returns (IPlanRegistry.Terms memory) {
    uint32 period = uint32(bound(uint256(keccak256(abi.encode(seed, 1))), 60, 3 hours));
    // Bound by the source, by a limit price near the market's, or by both.
    uint256 bounds = uint256(keccak256(abi.encode(seed, 8))) % 4 % 3;
    uint256 percent = bound(uint256(keccak256(abi.encode(seed, 9))), 95, 115);
    return IPlanRegistry.Terms({
      owner: owner,
      recipient: recipient,
      executor: address(executor),
      verdictSigner: seed % 3 == 0 ? verdictSigner : address(0),
      tokenIn: address(usd),
      tokenOut: address(coin),
      amountPerRun: uint104(bound(uint256(keccak256(abi.encode(seed, 2))), 1e18, 1_000e18)),
      startAt: uint40(block.timestamp - bound(uint256(keccak256(abi.encode(seed, 3))), 0, 2 days)),
      periodSeconds: period,
      windowSeconds: uint32(bound(uint256(keccak256(abi.encode(seed, 4))), period / 2, period)),
      maxRuns: uint32(bound(uint256(keccak256(abi.encode(seed, 5))), 1, 40)),
      expiresAt: uint40(block.timestamp + bound(uint256(keccak256(abi.encode(seed, 6))), 1 days, 40 days)),
      priceSource: bounds == 2 ? address(0) : address(source),
      limitPriceWad: bounds == 0 ? 0 : uint128(_marketPriceWad() * percent / 100),
      maxSlippageBps: bounds == 2 ? 0 : uint16(bound(uint256(keccak256(abi.encode(seed, 7))), 0, 500))
    });
  }
}
