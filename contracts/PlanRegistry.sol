// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SSTORE2} from "solady/utils/SSTORE2.sol";

import {Journal} from "./Journal.sol";
import {Nonces} from "./Nonces.sol";
import {IPlanExecutor} from "./interfaces/IPlanExecutor.sol";
import {IPlanRegistry, Verdict} from "./interfaces/IPlanRegistry.sol";
import {IRevocations} from "./interfaces/IRevocations.sol";
import {BoundedPrices} from "./libraries/BoundedPrices.sol";
import {ExactPull} from "./libraries/ExactPull.sol";
import {Floor} from "./libraries/Floor.sol";
import {PackedTerms} from "./libraries/PackedTerms.sol";
import {Signatures} from "./libraries/Signatures.sol";
import {SignedTypes} from "./libraries/SignedTypes.sol";
import {Slots} from "./libraries/Slots.sol";
import {SoundTerms} from "./libraries/SoundTerms.sol";

/// @title PlanRegistry
/// @notice Stores owners' plans, lets each plan's executor run it, and records every run and deferral.
/// @dev Ownerless and not upgradeable. No run leaves funds here: within one call, `payTo` moves one run's amount from
/// the owner to where the executor says, and `recordRun` forwards what the registry has received meanwhile to the
/// recipient.
///
/// Assumptions:
/// - Tokens: `balanceOf` is truthful. A run reverts unless the pull moves exactly one run's amount, so a tokenIn that
///   charges a fee on transfer is refused. For a tokenOut that charges one, only the amount received counts. (If such a
///   tokenOut also calls the executor back, the executor can make up the fee by other means.)
/// - Price sources given at construction answer honestly or revert. Any other source counts only together with a limit
///   price.
/// - Executors are not trusted. Any contract may be one; the floor, and the registry's own transfer, protect the owner
///   from it.
/// - Verdict signers: a plan that names a signer never runs without that signer's verdict. A plan without one relies on
///   its floor: its tickets are the executor's claims, which can raise that floor but not lower it. A signer that is a
///   contract is called without a gas cap; only its own plans bear the cost.
/// - Liveness: only a plan's executor can run it. If the executor stops, the plan stops and the owner keeps the funds.
contract PlanRegistry is Journal, Nonces, EIP712 {
  using ExactPull for IERC20;
  using SignedTypes for Creation;
  using SignedTypes for Ticket;
  using SafeCast for uint256;
  using SafeERC20 for IERC20;

  /// Limits how much an executor can write to an owner's plan.
  uint256 public constant MAX_DEFERRALS_PER_SLOT = 4;
  /// Limits the age of a verdict: an old one says little about the current price.
  uint256 public constant MAX_TICKET_SECONDS = 900;

  /// The LoanGuard of this deployment. No plan may deliver to it: tokens sent there could not be recovered.
  address public immutable loanGuard;
  IRevocations public immutable revocations;
  /// @inheritdoc IPlanRegistry
  mapping(address source => bool) public isPriceSource;
  /// @inheritdoc IPlanRegistry
  address[] public priceSources;

  /// Each version of a plan's terms is stored packed, as the code of its own contract (SSTORE2): it is written once, and
  /// reading code costs less than reading eight storage slots.
  mapping(uint256 planId => mapping(uint256 version => address pointer)) private _terms;
  mapping(uint256 planId => State) private _states;
  /// @inheritdoc IPlanRegistry
  uint256 public planCount;

  enum Stage {
    Idle,
    Open,
    Paying,
    Paid,
    Delivered
  }

  // The open run. At most one is open in the whole registry, and it ends with the transaction.
  Stage private transient _stage;
  uint256 private transient _openPlan;
  address private transient _openTerms;
  uint256 private transient _openFloor;
  bytes32 private transient _openEvidenceHash;
  /// The registry's tokenOut balance before the run: tokens sent here by mistake, which count as nobody's delivery.
  uint256 private transient _heldBefore;
  uint256 private transient _received;

  /// Closes every state-changing function while a run is open, so that neither an executor nor a token's callback can
  /// change the state that the run depends on. `payTo`, `recordRun` and the stop functions stay open. If stop functions
  /// were closed, a stranger could open a run of their own and submit an owner's signed cancellation inside it, where it
  /// would be used up without effect. A run does not write the plan's state once it is open, so a stop during a run is
  /// not overwritten.
  modifier whenNoRunOpen() {
    _requireNoRunOpen();
    _;
  }

  /// @param revocations_ The Revocations contract of this deployment.
  /// @param loanGuard_ The LoanGuard of this deployment.
  /// @param sources The sources that plans may use without a limit price, in the order in which limit prices are
  /// checked against them.
  constructor(IRevocations revocations_, address loanGuard_, address[] memory sources)
    EIP712("Bowline PlanRegistry", "1")
  {
    if (address(revocations_).code.length == 0) revert RevocationsRefused(address(revocations_));
    revocations = revocations_;
    if (loanGuard_.code.length == 0) revert LoanGuardRefused(loanGuard_);
    loanGuard = loanGuard_;
    priceSources = sources;
    for (uint256 i; i < sources.length; ++i) {
      if (sources[i].code.length == 0) revert PriceSourceRefused(sources[i]);
      isPriceSource[sources[i]] = true;
    }
  }

  /*//////////////////////////////////////////////////////////////
                            OWNER FUNCTIONS
  //////////////////////////////////////////////////////////////*/

  /// @inheritdoc IPlanRegistry
  function create(Terms calldata terms) external whenNoRunOpen returns (uint256 planId) {
    if (msg.sender != terms.owner) revert NotOwner(msg.sender, terms.owner);
    return _create(terms, revocations.epochOf(terms.owner));
  }

  /// @inheritdoc IPlanRegistry
  function createBySignature(Creation calldata creation, bytes calldata signature)
    external
    whenNoRunOpen
    returns (uint256 firstPlanId)
  {
    address owner = creation.owner;
    uint64 epoch = revocations.epochOf(owner);
    if (creation.plans.length == 0) revert PlansMissing();
    if (block.timestamp > creation.deadline) revert DeadlinePassed(creation.deadline, block.timestamp);
    if (creation.epoch != epoch) revert EpochPassed(creation.epoch, epoch);
    _useUpNonce(owner, creation.nonce);
    if (!Signatures.isBy(owner, digestOf(creation), signature)) revert SignatureRefused(owner);

    firstPlanId = planCount + 1;
    for (uint256 i; i < creation.plans.length; ++i) {
      if (creation.plans[i].owner != owner) revert OwnerDiffers(creation.plans[i].owner, owner);
      _create(creation.plans[i], epoch);
    }
  }

  /// @inheritdoc IPlanRegistry
  function edit(uint256 planId, uint256 expectedVersion, uint256 expectedRuns, Terms calldata terms)
    external
    whenNoRunOpen
  {
    State storage state = _ownedState(planId);
    _requireSeen(state, expectedVersion, expectedRuns);
    if (state.status == Status.Cancelled) revert PlanCancelledForGood();
    if (_isRevoked(msg.sender, state)) revert PlanRevoked(state.epoch);
    if (terms.owner != msg.sender) revert OwnerDiffers(terms.owner, msg.sender);
    // A finished plan stays finished, and a change of executor or tokens makes a different plan. Plan readers rely on
    // this: they may drop finished plans, and plans of other executors or tokens, for good.
    Terms memory current = _currentTerms(planId);
    if (terms.executor != current.executor) revert ExecutorRefused(terms.executor);
    if (terms.tokenIn != current.tokenIn || terms.tokenOut != current.tokenOut) {
      revert TokensRefused(terms.tokenIn, terms.tokenOut);
    }
    if (block.timestamp >= current.expiresAt) revert PlanExpired(current.expiresAt, block.timestamp);
    if (state.runs >= current.maxRuns) revert RunsUsedUp(state.runs, current.maxRuns);
    // Terms with no run left would make a plan that could neither run nor be edited again.
    if (state.runs >= terms.maxRuns) revert RunsUsedUp(state.runs, terms.maxRuns);

    uint16 version = ++state.version;
    _store(planId, version, terms);
    emit PlanEdited(planId, version, terms);
  }

  /// @inheritdoc IPlanRegistry
  function pause(uint256 planId) external {
    State storage state = _ownedState(planId);
    if (state.status != Status.Active) return;

    state.status = Status.Paused;
    emit PlanPaused(planId);
  }

  /// @inheritdoc IPlanRegistry
  function resume(uint256 planId, uint256 expectedVersion, uint256 expectedRuns) external whenNoRunOpen {
    State storage state = _ownedState(planId);
    if (state.status != Status.Paused) revert PlanNotPaused(state.status);
    if (_isRevoked(msg.sender, state)) revert PlanRevoked(state.epoch);
    _requireSeen(state, expectedVersion, expectedRuns);

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
                      A RUN: WHERE MONEY MOVES
  //////////////////////////////////////////////////////////////*/

  // Tokens move in two lines of this contract: `pullExactly` in `payTo`, from the owner, and `safeTransfer` in `_deliver`,
  // to the recipient.

  /// @inheritdoc IPlanRegistry
  function pullFunds(
    uint256 planId,
    uint256 expectedVersion,
    Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata data
  ) external whenNoRunOpen returns (uint256 amountOut) {
    State memory state = _states[planId];
    Terms memory terms = _executorsTerms(_pointerOf(planId, state.version));
    if (state.version != expectedVersion) revert VersionChanged(expectedVersion, state.version);
    uint40 slotStart = _openSlot(terms, state);
    if (ticket.verdict != Verdict.GO) revert VerdictNotGo(ticket.verdict);
    // The floor is computed before the pull, so the owner's own funds cannot be used to move the price.
    uint104 floor = Math.max(_floorUp(terms), _ticketFloorUp(terms, ticket, signature)).toUint104();

    state.cursor = slotStart + terms.periodSeconds;
    state.deferrals = 0;
    state.lastReason = 0;
    ++state.runs;
    ++state.records;
    _states[planId] = state;
    _openPlan = planId;
    _openTerms = _pointerOf(planId, state.version);
    _openFloor = floor;
    _openEvidenceHash = ticket.evidenceHash;
    _heldBefore = IERC20(terms.tokenOut).balanceOf(address(this));

    _stage = Stage.Open;
    IPlanExecutor(terms.executor)
      .onRunOpened(OpenRun(planId, terms.tokenIn, terms.tokenOut, terms.amountPerRun, floor), data);
    if (_stage != Stage.Delivered) revert RunNotRecorded(planId);
    _stage = Stage.Idle;

    return _received;
  }

  /// @inheritdoc IPlanRegistry
  function payTo(address payee) external {
    Stage stage = _stage;
    if (stage == Stage.Idle) revert NoRunOpen(_openPlan);
    if (stage != Stage.Open) revert RunAlreadyPaid(_openPlan);
    Terms memory terms = _executorsTerms(_openTerms);
    if (payee == address(this)) revert PayeeRefused(payee);
    // A token that calls back can neither get the same run paid twice nor record it yet.
    _stage = Stage.Paying;
    IERC20(terms.tokenIn).pullExactly(terms.owner, payee, terms.amountPerRun);
    _stage = Stage.Paid;
  }

  /// @inheritdoc IPlanRegistry
  function recordRun(uint256 planId) external returns (uint256 received) {
    Stage stage = _stage;
    if (stage == Stage.Idle || planId != _openPlan) revert NoRunOpen(planId);
    if (stage < Stage.Paid) revert RunNotPaid(planId);
    if (stage == Stage.Delivered) revert RunAlreadyRecorded(planId);
    Terms memory terms = _executorsTerms(_openTerms);
    // Set before the transfer, so a token that calls back cannot deliver the same run twice.
    _stage = Stage.Delivered;

    received = _deliver(IERC20(terms.tokenOut), terms.recipient);
    uint256 floor = _openFloor;
    if (received < floor) revert FloorNotMet(received, floor);

    _received = received;
    State storage state = _states[planId];
    uint256 record = state.records - 1;
    bytes32 evidenceHash = _openEvidenceHash;
    _writeRun(planId, record, state.version, terms.verdictSigner != address(0), evidenceHash, received, floor);
    emit RunRecorded(planId, record, terms.amountPerRun, received, floor, _slotNow(terms), evidenceHash);
  }

  /// Forwards what the registry has received of `token` since the run opened, and measures only that transfer. If the
  /// recipient's balance were measured over the whole run, an executor could count its payment to the owner's own
  /// resting order elsewhere as delivery. An order cannot have the registry as its recipient, since whatever arrives
  /// here is given away. For the same reason, at most the amount forwarded counts.
  function _deliver(IERC20 token, address recipient) private returns (uint256) {
    uint256 heldBefore = _heldBefore;
    uint256 amount = Math.saturatingSub(token.balanceOf(address(this)), heldBefore);
    uint256 balanceBefore = token.balanceOf(recipient);
    token.safeTransfer(recipient, amount);
    // A token that moves one unit less than requested would leave a remainder here that nobody could withdraw.
    uint256 left = Math.saturatingSub(token.balanceOf(address(this)), heldBefore);
    if (left != 0) revert LeftBehind(address(token), left);
    return Math.min(Math.saturatingSub(token.balanceOf(recipient), balanceBefore), amount);
  }

  /*//////////////////////////////////////////////////////////////
                               DEFERRALS
  //////////////////////////////////////////////////////////////*/

  /// @inheritdoc IPlanRegistry
  function recordDeferral(
    uint256 planId,
    uint256 expectedVersion,
    uint16 reason,
    Ticket calldata ticket,
    bytes calldata signature
  ) external whenNoRunOpen {
    State memory state = _states[planId];
    Terms memory terms = _executorsTerms(_pointerOf(planId, state.version));
    if (state.version != expectedVersion) revert VersionChanged(expectedVersion, state.version);
    uint40 slotStart = _openSlot(terms, state);
    bool isAttested = terms.verdictSigner != address(0) && signature.length != 0;
    if (isAttested) _requireAttested(terms, ticket, signature);
    if (slotStart > state.cursor) {
      // First deferral of a new slot. Moving the cursor forfeits nothing, because earlier slots have already passed.
      state.cursor = slotStart;
      state.deferrals = 0;
      state.lastReason = 0;
    }
    if (reason == 0) revert ReasonMissing();
    if (reason == state.lastReason) revert ReasonRepeated(reason);
    if (state.deferrals == MAX_DEFERRALS_PER_SLOT) revert DeferralsUsedUp(state.deferrals);

    uint256 record = state.records;
    ++state.deferrals;
    ++state.records;
    state.lastReason = reason;
    _states[planId] = state;
    _writeDeferral(planId, record, state.version, isAttested, ticket, reason);
    emit DeferralRecorded(planId, record, reason, ticket.verdict, ticket.evidenceHash, slotStart, isAttested);
  }

  /*//////////////////////////////////////////////////////////////
                                 VIEWS
  //////////////////////////////////////////////////////////////*/

  /// @inheritdoc IPlanRegistry
  function plan(uint256 planId) external view returns (Plan memory) {
    State memory state = _states[planId];
    Terms memory terms = PackedTerms.unpack(SSTORE2.read(_pointerOf(planId, state.version)));
    return Plan(terms, state, _isRevoked(terms.owner, state));
  }

  /// @inheritdoc IPlanRegistry
  function termsOf(uint256 planId, uint256 version) public view override returns (Terms memory) {
    return PackedTerms.unpack(SSTORE2.read(_pointerOf(planId, version)));
  }

  /// @inheritdoc IPlanRegistry
  function digestOf(Creation calldata creation) public view returns (bytes32) {
    return _hashTypedDataV4(creation.hash());
  }

  /// @inheritdoc IPlanRegistry
  function digestOf(Ticket calldata ticket) public view returns (bytes32) {
    return _hashTypedDataV4(ticket.hash());
  }

  // During a run its record is counted but not yet written, so a contract that reads it then would be misled.
  /// @inheritdoc IPlanRegistry
  function runs(uint256 planId, uint256 from, uint256 to) external view whenNoRunOpen returns (Run[] memory page) {
    to = Math.min(to, _states[planId].records);
    return from < to ? _read(planId, from, to) : page;
  }

  /*//////////////////////////////////////////////////////////////
                         CHECKS AND FLOORS
  //////////////////////////////////////////////////////////////*/

  function _create(Terms calldata terms, uint64 epoch) private returns (uint256 planId) {
    planId = ++planCount;
    State storage state = _states[planId];
    state.status = Status.Active;
    state.version = 1;
    state.epoch = epoch;
    _store(planId, 1, terms);
    emit PlanCreated(planId, terms.owner, terms.executor, epoch, terms);
  }

  function _store(uint256 planId, uint256 version, Terms calldata terms) private {
    // Tokens sent to Revocations could not be recovered, as with LoanGuard.
    if (terms.recipient == address(revocations)) revert RecipientRefused(terms.recipient);
    bool isBuiltIn = isPriceSource[terms.priceSource];
    SoundTerms.requireSound(terms, loanGuard, isBuiltIn);
    if (!isBuiltIn && !terms.farLimit) SoundTerms.requireNearLimit(terms, priceSources);
    _terms[planId][version] = SSTORE2.write(PackedTerms.pack(terms));
  }

  function _requireNoRunOpen() private view {
    if (_stage != Stage.Idle) revert RunOpen(_openPlan);
  }

  function _pointerOf(uint256 planId, uint256 version) private view returns (address pointer) {
    pointer = _terms[planId][version];
    if (pointer == address(0)) revert PlanUnknown(planId);
  }

  function _currentTerms(uint256 planId) private view returns (Terms memory terms) {
    return PackedTerms.unpack(SSTORE2.read(_pointerOf(planId, _states[planId].version)));
  }

  function _requireSeen(State storage state, uint256 expectedVersion, uint256 expectedRuns) private view {
    if (state.version != expectedVersion) revert VersionChanged(expectedVersion, state.version);
    if (state.runs != expectedRuns) revert RunsChanged(expectedRuns, state.runs);
  }

  function _isRevoked(address owner, State memory state) private view returns (bool) {
    return state.epoch != revocations.epochOf(owner);
  }

  function _executorsTerms(address pointer) private view returns (Terms memory terms) {
    terms = PackedTerms.unpack(SSTORE2.read(pointer));
    if (msg.sender != terms.executor) revert NotExecutor(msg.sender, terms.executor);
  }

  function _ownedState(uint256 planId) private view returns (State storage) {
    address owner = _currentTerms(planId).owner;
    if (msg.sender != owner) revert NotOwner(msg.sender, owner);
    return _states[planId];
  }

  /// Returns the start of the slot that may run now, or reverts with the reason why none may.
  function _openSlot(Terms memory terms, State memory state) private view returns (uint40 slotStart) {
    uint256 time = block.timestamp;
    if (state.status != Status.Active) revert PlanNotActive(state.status);
    if (_isRevoked(terms.owner, state)) revert PlanRevoked(state.epoch);
    if (time >= terms.expiresAt) revert PlanExpired(terms.expiresAt, time);
    if (state.runs >= terms.maxRuns) revert RunsUsedUp(state.runs, terms.maxRuns);
    if (time < terms.startAt) revert PlanNotStarted(terms.startAt, time);
    slotStart = _slotNow(terms);
    if (slotStart < state.cursor) revert SlotUsed(slotStart, state.cursor);
    if (time - slotStart >= terms.windowSeconds) revert SlotClosed(slotStart + terms.windowSeconds, time);
  }

  function _slotNow(Terms memory terms) private view returns (uint40) {
    return Slots.lastStart(block.timestamp.toUint40(), terms.startAt, terms.periodSeconds);
  }

  /// Returns the higher of the source's floor and the limit price's floor. Reverts if the source's price has not reached
  /// the trigger.
  function _floorUp(Terms memory terms) private view returns (uint256 floor) {
    if (terms.limitPriceWad != 0) floor = Floor.fromLimitUp(terms.amountPerRun, terms.limitPriceWad);
    if (terms.priceSource != address(0)) {
      (uint256 priceInWad, uint256 priceOutWad) = BoundedPrices.read(terms.priceSource, terms.tokenIn, terms.tokenOut);
      uint256 priceWad = Floor.priceDown(priceInWad, priceOutWad, 0);
      if (priceWad < terms.triggerPriceWad) revert TriggerNotReached(priceWad, terms.triggerPriceWad);
      floor = Math.max(floor, Floor.fromPricesUp(terms.amountPerRun, priceInWad, priceOutWad, terms.maxSlippageBps));
    }
  }

  /// Returns the minimum delivery by the ticket's price. Returns zero if the ticket names no price, which only a plan
  /// without a signer accepts.
  function _ticketFloorUp(Terms memory terms, Ticket calldata ticket, bytes calldata signature)
    private
    view
    returns (uint256)
  {
    if (terms.verdictSigner != address(0)) {
      _requireAttested(terms, ticket, signature);
      if (ticket.maxAmountIn < terms.amountPerRun) revert TicketTooSmall(ticket.maxAmountIn, terms.amountPerRun);
      if (ticket.maxPriceWad == 0) revert TicketPriceMissing();
    }
    return ticket.maxPriceWad == 0 ? 0 : Floor.fromLimitUp(terms.amountPerRun, ticket.maxPriceWad);
  }

  /// Requires a currently valid verdict for the plan's tokens, signed by the plan's verdict signer.
  function _requireAttested(Terms memory terms, Ticket calldata ticket, bytes calldata signature) private view {
    if (ticket.tokenIn != terms.tokenIn || ticket.tokenOut != terms.tokenOut) {
      revert TicketForOtherTokens(ticket.tokenIn, ticket.tokenOut);
    }
    bool isTimely = ticket.issuedAt <= block.timestamp && block.timestamp < ticket.expiresAt
      && ticket.expiresAt - ticket.issuedAt <= MAX_TICKET_SECONDS;
    if (!isTimely) revert TicketNotValid(ticket.issuedAt, ticket.expiresAt, block.timestamp);
    if (!Signatures.isBy(terms.verdictSigner, digestOf(ticket), signature)) {
      revert SignatureRefused(terms.verdictSigner);
    }
  }
}
