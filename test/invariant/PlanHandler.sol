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

/// An owner who does with plans whatever owners do, a market that moves, and an attacker who is the executor: it chooses
/// when, in which order, on what claim, and how much it delivers.
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
  uint256 private immutable _signerKey;

  uint256 private constant MOST_PLANS = 6;

  /// What the owner paid and received, by prices of the moment of each run, in USD with 36 decimals: slippage is measured
  /// against these, by the handler's own sums.
  uint256 public paidUsd;
  uint256 public receivedUsd;
  /// The same of what was paid, less what each plan permits.
  uint256 public leastUsd;
  /// Things that must never happen, counted.
  uint256 public ranWhenStopped;
  uint256 public ranUnsigned;
  uint256 public ranAgainstItsVerdict;
  uint256 public cursorFell;
  uint256 public stopFailed;

  mapping(uint256 planId => uint256) public mostPaid;
  mapping(uint256 planId => bytes32) public firstTerms;
  mapping(uint256 planId => bool) public wasCancelled;
  mapping(uint256 planId => bool) public wasRevoked;
  mapping(uint256 planId => uint256) public runsWhenEnded;
  /// What every run together has taken and delivered, and the plan that was acted on last.
  uint256 public amountIn;
  uint256 public amountOut;
  uint256 public touched;
  /// How often each of these went through: a campaign in which nothing ever runs would prove nothing.
  uint256 public runsDone;
  uint256 public deferralsDone;
  uint256 public editsDone;

  constructor(
    PlanRegistry registry_,
    TestExecutor executor_,
    MockERC20 usd_,
    MockERC20 coin_,
    MockPriceSource source_,
    address owner_,
    address recipient_,
    uint256 signerKey
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
    verdictSigner = vm.addr(signerKey);
  }

  /*//////////////////////////////////////////////////////////////
                              THE OWNER
  //////////////////////////////////////////////////////////////*/

  function create(uint256 seed) external {
    if (registry.planCount() == MOST_PLANS) return;
    IPlanRegistry.Terms memory terms = _terms(seed);
    vm.prank(owner);
    uint256 planId = registry.create(terms);
    firstTerms[planId] = keccak256(abi.encode(terms));
    mostPaid[planId] = uint256(terms.amountPerRun) * terms.maxRuns;
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
      mostPaid[planId] += most;
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
    // Seldom: a plan that has ended does nothing more.
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

  /// Seldom: nothing that is there runs after it.
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

  /// Any claim, any amount, signed by the verdict's signer or not.
  function run(uint256 plan, uint256 delivered, uint256 dice) external {
    uint256 planId = _pick(plan);
    if (planId == 0) return;
    IPlanRegistry.Plan memory before = registry.plan(planId);
    // Mostly near what is fair, where it matters.
    uint256 fair = uint256(before.terms.amountPerRun) * source.priceWad(address(usd)) / source.priceWad(address(coin));
    delivered = dice % 4 == 0 ? bound(delivered, 0, 2 * fair) : bound(delivered, fair * 98 / 100, fair * 101 / 100);
    executor.setAmountOut(delivered);
    IPlanRegistry.Ticket memory ticket = IPlanRegistry.Ticket({
      tokenIn: address(usd),
      tokenOut: address(coin),
      verdict: dice % 7 == 0 ? Verdict(dice % 3) : Verdict.GO,
      maxPriceWad: type(uint128).max,
      maxAmountIn: type(uint104).max,
      issuedAt: uint64(block.timestamp),
      expiresAt: uint64(block.timestamp) + 120,
      evidenceHash: bytes32(dice)
    });
    bool isSigned = dice % 3 != 0;
    try executor.runOn(planId, before.state.version, ticket, isSigned ? _sign(ticket) : bytes("")) {
      _note(planId, before, delivered, ticket.verdict, isSigned);
    } catch {}
  }

  function defer(uint256 plan, uint16 reason) external {
    uint256 planId = _pick(plan);
    if (planId == 0) return;
    uint256 cursor = registry.plan(planId).state.cursor;
    // As often as it can, and sometimes for the same reason again.
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

  function _note(uint256 planId, IPlanRegistry.Plan memory before, uint256 delivered, Verdict verdict, bool isSigned)
    private
  {
    ++runsDone;
    touched = planId;
    amountIn += before.terms.amountPerRun;
    amountOut += delivered;
    IPlanRegistry.State memory state = registry.plan(planId).state;
    if (state.cursor < before.state.cursor) ++cursorFell;
    if (before.state.status != IPlanRegistry.Status.Active || before.isRevoked) ++ranWhenStopped;
    if (verdict != Verdict.GO) ++ranAgainstItsVerdict;
    if (before.terms.verdictSigner != address(0) && !isSigned) ++ranUnsigned;
    uint256 worth = uint256(before.terms.amountPerRun) * source.priceWad(address(usd));
    paidUsd += worth;
    receivedUsd += delivered * source.priceWad(address(coin));
    leastUsd += worth * (10_000 - before.terms.maxSlippageBps) / 10_000;
  }

  function _end(uint256 planId) private {
    if (wasCancelled[planId] || wasRevoked[planId]) return;
    runsWhenEnded[planId] = registry.plan(planId).state.runs;
  }

  function _sign(IPlanRegistry.Ticket memory ticket) private view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(_signerKey, registry.digestOf(ticket));
    return abi.encodePacked(r, s, v);
  }

  function _pick(uint256 plan) private view returns (uint256) {
    uint256 count = registry.planCount();
    return count == 0 ? 0 : 1 + plan % count;
  }

  function _terms(uint256 seed) private view returns (IPlanRegistry.Terms memory) {
    uint32 period = uint32(bound(uint256(keccak256(abi.encode(seed, 1))), 60, 3 hours));
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
      priceSource: address(source),
      limitPriceWad: 0,
      maxSlippageBps: uint16(bound(uint256(keccak256(abi.encode(seed, 7))), 0, 500))
    });
  }
}
