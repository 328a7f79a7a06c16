// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SSTORE2} from "solady/utils/SSTORE2.sol";

import {IFundsReceiver} from "./interfaces/IFundsReceiver.sol";
import {IPlanRegistry, Verdict} from "./interfaces/IPlanRegistry.sol";
import {BoundedPrices} from "./libraries/BoundedPrices.sol";
import {ExactPull} from "./libraries/ExactPull.sol";
import {Floor} from "./libraries/Floor.sol";
import {Slots} from "./libraries/Slots.sol";
import {SoundTerms} from "./libraries/SoundTerms.sol";

/// @title PlanRegistry
/// @notice Ownerless and not upgradeable. It holds no funds: they pass from owner to executor to recipient within one call.
///
/// What it assumes:
/// - Tokens: `balanceOf` tells the truth, and a transfer moves what it says or the run is refused. A tokenIn that takes a
///   fee on transfer is refused; a tokenOut that does is measured by what arrives. (One that takes a fee and also calls
///   the executor back lets it make up for the fee by other means.)
/// - Price sources given at construction answer honestly or revert. Any other source counts only beside a limit price.
/// - Executors: nothing. Any contract may be one; the floor and the registry's own transfer protect the owner from it.
/// - Liveness: only a plan's executor can run it. If it stops, the plan stops and the owner's funds stay where they are.
contract PlanRegistry is IPlanRegistry {
  using ExactPull for IERC20;
  using SafeCast for uint256;
  using SafeERC20 for IERC20;

  /// Bounds what an executor can write on an owner's plan.
  uint256 public constant MOST_DEFERRALS_PER_SLOT = 4;

  /// The guard, to which no plan may deliver: a token sent there would be nobody's.
  address public immutable loanGuard;
  /// @inheritdoc IPlanRegistry
  mapping(address source => bool) public isPriceSource;
  /// @inheritdoc IPlanRegistry
  uint256 public planCount;

  /// Terms lie in the code of a contract of their own: written once, cheaper to read than six storage slots.
  mapping(uint256 planId => address pointer) private _terms;
  mapping(uint256 planId => State) private _states;
  mapping(uint256 planId => mapping(uint256 record => Run)) private _runs;

  enum Stage {
    Idle,
    Pulling,
    Owed,
    Delivered
  }

  // The open run, of which there is at most one in the whole registry. Gone when the transaction ends.
  Stage private transient _stage;
  uint256 private transient _openPlan;
  uint104 private transient _openFloor;
  bytes32 private transient _openEvidenceHash;

  /// While a run is open every state-changing entry is closed, so that neither an executor nor a token's own callbacks can
  /// change the ground that the run stands on. Open are `recordRun`, and the stop buttons: a stranger could hold a run of
  /// their own open and submit an owner's signed cancellation inside it, which would be used up in vain. A run never writes
  /// a plan's state after the pull, so that stopping it in the middle loses nothing.
  modifier whenNoRunOpen() {
    if (_stage != Stage.Idle) revert RunOpen(_openPlan);
    _;
  }

  /// @param loanGuard_ The LoanGuard of this deployment.
  /// @param priceSources The sources that plans may rely on without a limit price.
  constructor(address loanGuard_, address[] memory priceSources) {
    if (loanGuard_.code.length == 0) revert LoanGuardRefused(loanGuard_);
    loanGuard = loanGuard_;
    for (uint256 i; i < priceSources.length; ++i) {
      if (priceSources[i].code.length == 0) revert PriceSourceRefused(priceSources[i]);
      isPriceSource[priceSources[i]] = true;
    }
  }

  /*//////////////////////////////////////////////////////////////
                          THE OWNER'S ENTRIES
  //////////////////////////////////////////////////////////////*/

  /// @inheritdoc IPlanRegistry
  function create(Terms calldata terms) external whenNoRunOpen returns (uint256 planId) {
    if (msg.sender != terms.owner) revert NotOwner(msg.sender, terms.owner);
    SoundTerms.requireSound(terms, loanGuard, isPriceSource[terms.priceSource]);

    planId = ++planCount;
    _terms[planId] = SSTORE2.write(abi.encode(terms));
    _states[planId].status = Status.Active;

    emit PlanCreated(planId, terms.owner, terms.executor);
  }

  /// @inheritdoc IPlanRegistry
  function pause(uint256 planId) external {
    State storage state = _ownedState(planId);
    if (state.status != Status.Active) return;

    state.status = Status.Paused;
    emit PlanPaused(planId);
  }

  /// @inheritdoc IPlanRegistry
  function resume(uint256 planId, uint256 expectedRuns) external whenNoRunOpen {
    State storage state = _ownedState(planId);
    if (state.status != Status.Paused) revert PlanNotPaused(state.status);
    if (state.runs != expectedRuns) revert RunsChanged(expectedRuns, state.runs);

    state.status = Status.Active;
    emit PlanResumed(planId);
  }

  /// @inheritdoc IPlanRegistry
  function cancel(uint256 planId) external {
    State storage state = _ownedState(planId);
    if (state.status == Status.Cancelled) return;

    state.status = Status.Cancelled;
    emit PlanCancelled(planId);
  }

  /*//////////////////////////////////////////////////////////////
                         THE EXECUTOR'S ENTRIES
  //////////////////////////////////////////////////////////////*/

  /// @inheritdoc IPlanRegistry
  function pullFunds(uint256 planId, Claim calldata claim, bytes calldata data)
    external
    whenNoRunOpen
    returns (uint256 amountOut)
  {
    Terms memory terms = _executorsTerms(planId);
    State memory state = _states[planId];
    uint40 slotStart = _openSlot(terms, state);
    if (claim.verdict != Verdict.GO) revert VerdictNotGo(claim.verdict);
    // Before the pull, so that no price can be moved with the owner's own funds.
    uint104 floor = _floorUp(terms).toUint104();

    state.cursor = slotStart + terms.periodSeconds;
    state.deferrals = 0;
    state.lastReason = 0;
    ++state.runs;
    ++state.records;
    _states[planId] = state;
    _openPlan = planId;
    _openFloor = floor;
    _openEvidenceHash = claim.evidenceHash;

    _stage = Stage.Pulling;
    IERC20(terms.tokenIn).pullExactly(terms.owner, terms.executor, terms.amountPerRun);
    _stage = Stage.Owed;
    IFundsReceiver(terms.executor)
      .onFundsPulled(Pull(planId, terms.tokenIn, terms.tokenOut, terms.amountPerRun, floor), data);
    if (_stage != Stage.Delivered) revert RunNotRecorded(planId);
    _stage = Stage.Idle;

    amountOut = _runs[planId][state.records - 1].amountOut;
  }

  /// @inheritdoc IPlanRegistry
  function recordRun(uint256 planId, uint256 amountOut) external returns (uint256 received) {
    if (_stage < Stage.Owed || planId != _openPlan) revert NoRunOpen(planId);
    if (_stage == Stage.Delivered) revert RunAlreadyRecorded(planId);
    Terms memory terms = _executorsTerms(planId);
    State memory state = _states[planId];
    uint40 slotStart = state.cursor - terms.periodSeconds;
    // Set before the transfer: a token that calls back must not deliver the same run twice.
    _stage = Stage.Delivered;

    received = _deliver(IERC20(terms.tokenOut), terms.executor, terms.recipient, amountOut);
    if (received < _openFloor) revert FloorNotMet(received, _openFloor);

    uint256 record = state.records - 1;
    _runs[planId][record] = Run({
      amountIn: terms.amountPerRun,
      amountOut: received.toUint104(),
      time: _time(),
      outcome: Outcome.Executed,
      floor: _openFloor,
      slotStart: slotStart,
      reason: 0,
      verdict: Verdict.GO,
      evidenceHash: _openEvidenceHash
    });
    emit RunRecorded(planId, record, terms.amountPerRun, received, _openFloor, slotStart);
  }

  /// @inheritdoc IPlanRegistry
  function recordDeferral(uint256 planId, uint16 reason, Claim calldata claim) external whenNoRunOpen {
    Terms memory terms = _executorsTerms(planId);
    State memory state = _states[planId];
    uint40 slotStart = _openSlot(terms, state);
    if (slotStart > state.cursor) {
      // The first deferral of a new slot. Earlier slots are past, so that this gives nothing away.
      state.cursor = slotStart;
      state.deferrals = 0;
      state.lastReason = 0;
    }
    if (reason == 0) revert ReasonMissing();
    if (reason == state.lastReason) revert ReasonRepeated(reason);
    if (state.deferrals == MOST_DEFERRALS_PER_SLOT) revert DeferralsUsedUp(state.deferrals);

    uint256 record = state.records;
    ++state.deferrals;
    ++state.records;
    state.lastReason = reason;
    _states[planId] = state;
    _runs[planId][record] = Run({
      amountIn: 0,
      amountOut: 0,
      time: _time(),
      outcome: Outcome.Deferred,
      floor: 0,
      slotStart: slotStart,
      reason: reason,
      verdict: claim.verdict,
      evidenceHash: claim.evidenceHash
    });
    emit DeferralRecorded(planId, record, reason, claim.verdict, claim.evidenceHash, slotStart);
  }

  /*//////////////////////////////////////////////////////////////
                                 VIEWS
  //////////////////////////////////////////////////////////////*/

  /// @inheritdoc IPlanRegistry
  function plan(uint256 planId) external view returns (Plan memory) {
    return Plan(_termsOf(planId), _states[planId]);
  }

  /// @inheritdoc IPlanRegistry
  function runs(uint256 planId, uint256 from, uint256 to) external view returns (Run[] memory page) {
    to = Math.min(to, _states[planId].records);
    if (from >= to) return page;
    page = new Run[](to - from);
    for (uint256 i; i < page.length; ++i) {
      page[i] = _runs[planId][from + i];
    }
  }

  /*//////////////////////////////////////////////////////////////
                           WHO, WHEN, HOW MUCH
  //////////////////////////////////////////////////////////////*/

  function _termsOf(uint256 planId) private view returns (Terms memory) {
    address pointer = _terms[planId];
    if (pointer == address(0)) revert PlanUnknown(planId);
    return abi.decode(SSTORE2.read(pointer), (Terms));
  }

  function _executorsTerms(uint256 planId) private view returns (Terms memory terms) {
    terms = _termsOf(planId);
    if (msg.sender != terms.executor) revert NotExecutor(msg.sender, terms.executor);
  }

  function _ownedState(uint256 planId) private view returns (State storage) {
    address owner = _termsOf(planId).owner;
    if (msg.sender != owner) revert NotOwner(msg.sender, owner);
    return _states[planId];
  }

  /// Start of the slot that may run now, or the reason why none may.
  function _openSlot(Terms memory terms, State memory state) private view returns (uint40 slotStart) {
    uint40 time = _time();
    if (state.status != Status.Active) revert PlanNotActive(state.status);
    if (time >= terms.expiresAt) revert PlanExpired(terms.expiresAt, time);
    if (state.runs >= terms.maxRuns) revert RunsUsedUp(state.runs, terms.maxRuns);
    if (time < terms.startAt) revert PlanNotStarted(terms.startAt, time);
    uint40 index = Slots.indexAt(time, terms.startAt, terms.periodSeconds);
    slotStart = Slots.startOf(index, terms.startAt, terms.periodSeconds);
    if (slotStart < state.cursor) revert SlotUsed(slotStart, state.cursor);
    if (time - slotStart >= terms.windowSeconds) revert SlotClosed(slotStart + terms.windowSeconds, time);
  }

  function _time() private view returns (uint40) {
    return block.timestamp.toUint40();
  }

  /// The higher of the source's floor and the limit price's.
  function _floorUp(Terms memory terms) private view returns (uint256 floor) {
    if (terms.limitPriceWad != 0) floor = Floor.fromLimitUp(terms.amountPerRun, terms.limitPriceWad);
    if (terms.priceSource != address(0)) {
      (uint256 priceInWad, uint256 priceOutWad) = BoundedPrices.read(terms.priceSource, terms.tokenIn, terms.tokenOut);
      floor = Math.max(floor, Floor.fromPricesUp(terms.amountPerRun, priceInWad, priceOutWad, terms.maxSlippageBps));
    }
  }

  /*//////////////////////////////////////////////////////////////
                            THE DELIVERY
  //////////////////////////////////////////////////////////////*/

  /// Measures around this one transfer: over the whole callback, an executor could count what it paid for the owner's
  /// own resting order elsewhere as delivery. Counts no more than was sent, for the same reason.
  function _deliver(IERC20 token, address executor, address recipient, uint256 amount) private returns (uint256) {
    uint256 balanceBefore = token.balanceOf(recipient);
    token.safeTransferFrom(executor, recipient, amount);
    return Math.min(Math.saturatingSub(token.balanceOf(recipient), balanceBefore), amount);
  }
}
