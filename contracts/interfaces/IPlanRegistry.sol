// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INonces} from "./INonces.sol";

/// @notice The result of the price checks for one trade. The zero value fails closed.
enum Verdict {
  NO_DATA,
  NO_GO,
  CAUTION,
  GO
}

/// @title Standing permissions to buy, and the record of their runs
/// @notice An owner creates a plan: "buy this asset, this much, this often, only at a fair price". The plan's executor
/// runs it. The registry does not trust executors. It takes exactly one slot's amount per slot of a fixed time grid,
/// moves the delivery to the recipient itself, and reverts the whole run unless the delivery reaches a floor computed
/// before the pull. Plans and their full history can be read from state alone.
///
/// Times are unix seconds. Amounts are base units of the token named. `Wad` is a fixed-point number with 18 decimals.
interface IPlanRegistry is INonces {
  enum Status {
    None,
    Active,
    Paused,
    Cancelled
  }

  enum Outcome {
    None,
    Executed,
    Deferred
  }

  /// @notice What the owner permits. A version never changes; an edit adds a new one.
  struct Terms {
    /// The account whose tokenIn is pulled, through its allowance to the registry.
    address owner;
    /// The account that receives tokenOut.
    address recipient;
    /// The only contract that may pull this plan's funds. It must have code.
    address executor;
    /// The signer whose verdict every run needs, as a signed ticket; zero if the executor's claim is enough.
    address verdictSigner;
    address tokenIn;
    address tokenOut;
    /// tokenIn base units that each run takes, exactly; above 0.
    uint104 amountPerRun;
    /// Start of the first slot. Slot k starts at startAt + k * periodSeconds.
    uint40 startAt;
    /// Time between slot starts; at least 60.
    uint32 periodSeconds;
    /// How long a slot stays open after its start (exclusive): 1 to periodSeconds. If it equals periodSeconds, two runs
    /// can follow each other directly: one at the end of its slot, one at the start of the next.
    uint32 windowSeconds;
    /// Total number of runs; at least 1.
    uint32 maxRuns;
    /// First second at which the plan has expired; must be in the future and after startAt.
    uint40 expiresAt;
    /// Source of the fair price: one that the registry was deployed with, or any contract if limitPriceWad is also set,
    /// or zero if only limitPriceWad is set.
    address priceSource;
    /// Maximum tokenIn base units paid per 1e18 tokenOut base units; zero for no limit. Unless priceSource is one that
    /// the registry was deployed with, this limit alone protects the owner: unless farLimit is set, it may be at most
    /// 10 % worse than the price of such a source.
    uint128 limitPriceWad;
    /// Maximum shortfall of a delivery below the source's price, in basis points; at most 1_000, and zero without a
    /// source.
    uint16 maxSlippageBps;
    /// Whether the owner accepts a limit price that is far from the market, or that no source can judge. A wallet should
    /// show it as "allows any price". No effect with a source that the registry was deployed with.
    bool farLimit;
    /// A run is possible only while the source's price, in tokenIn base units per 1e18 tokenOut base units, is at or above
    /// this: sells after a fall (stop loss) or buys after a rise. Zero for none. Needs a source, and a limit price must
    /// not be below it.
    uint128 triggerPriceWad;
  }

  /// @notice A plan's state, in one storage slot.
  struct State {
    Status status;
    /// No run may start in a slot that starts before this time. It prevents replays: it never decreases.
    uint40 cursor;
    /// Number of executed runs.
    uint32 runs;
    /// Number of records: executed runs and deferrals.
    uint32 records;
    /// Number of deferrals in the slot at the cursor, and the reason of the latest one.
    uint8 deferrals;
    uint16 lastReason;
    /// Version of the current terms; the first is 1.
    uint16 version;
    /// The owner's epoch when the plan was created. The plan is revoked once the owner's epoch has advanced.
    uint64 epoch;
  }

  struct Plan {
    Terms terms;
    State state;
    /// Whether the owner has revoked everything since the plan was created.
    bool isRevoked;
  }

  /// @notice An owner's signed request (EIP-712) that lets anyone create plans in the owner's name.
  struct Creation {
    address owner;
    /// At least one plan. Each must have this owner.
    Terms[] plans;
    /// Chosen by the owner, in any order. Each nonce is valid for one signature.
    uint256 nonce;
    /// Last second at which it may be submitted.
    uint256 deadline;
    /// The owner's current epoch. A revocation voids every signature that has not been submitted.
    uint64 epoch;
  }

  /// @notice A verdict on a trade, signed (EIP-712) by a plan's verdict signer. One ticket may serve several plans and
  /// slots. For a plan without a signer it is the executor's claim: only `verdict`, `maxPriceWad` and `evidenceHash`
  /// count, and the registry ignores tokens, amount, times and signature. The price can raise the plan's floor but
  /// never lower it.
  struct Ticket {
    address tokenIn;
    address tokenOut;
    Verdict verdict;
    /// Maximum price at which the verdict holds, in tokenIn base units per 1e18 tokenOut base units. The run must
    /// deliver at least ⌈amountPerRun · 1e18 / maxPriceWad⌉, or the plan's own floor if that is higher. Zero names no
    /// price: a plan with a signer refuses the ticket, and a plan without one uses only its own floor.
    uint256 maxPriceWad;
    /// Maximum tokenIn base units that one run may pay on this ticket.
    uint256 maxAmountIn;
    /// Time of the chain state that was judged.
    uint64 issuedAt;
    /// First second at which the ticket has expired; at most 900 s after issuedAt.
    uint64 expiresAt;
    bytes32 evidenceHash;
  }

  /// @notice One record of a plan's history.
  struct Run {
    uint40 time;
    Outcome outcome;
    uint40 slotStart;
    /// Version of the terms in force.
    uint16 version;
    /// Why the slot was deferred, as a number chosen by the executor, which the registry does not interpret; zero for a
    /// run.
    uint16 reason;
    Verdict verdict;
    /// Whether the plan's verdict signer signed the verdict and the evidence hash. If false, they are the executor's
    /// claim. The reason is always the executor's claim.
    bool isAttested;
    /// Minimum tokenOut that this run had to deliver, from the plan or from the ticket's price; zero for a deferral.
    uint104 floor;
    /// tokenIn that left the owner; zero for a deferral.
    uint104 amountIn;
    /// tokenOut that the recipient received; zero for a deferral.
    uint104 amountOut;
    /// First 19 bytes of the evidence document's keccak256 hash; the event carries all 32.
    bytes19 evidencePrefix;
  }

  /// @notice An open run: the executor may have `amountIn` paid once, and owes at least `floor`.
  struct OpenRun {
    uint256 planId;
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    uint256 floor;
  }

  // Plans and their records can be rebuilt from these events alone, with the times of their blocks and, for `isRevoked`,
  // `IRevocations.AllRevoked`. A run is attested if the terms of its version name a verdict signer.
  event PlanCreated(uint256 indexed planId, address indexed owner, address indexed executor, uint64 epoch, Terms terms);
  event PlanEdited(uint256 indexed planId, uint256 version, Terms terms);
  event PlanPaused(uint256 indexed planId);
  event PlanResumed(uint256 indexed planId);
  event PlanCancelled(uint256 indexed planId);
  event RunRecorded(
    uint256 indexed planId,
    uint256 indexed record,
    uint256 amountIn,
    uint256 amountOut,
    uint256 floor,
    uint256 slotStart,
    bytes32 evidenceHash
  );
  event DeferralRecorded(
    uint256 indexed planId,
    uint256 indexed record,
    uint16 reason,
    Verdict verdict,
    bytes32 evidenceHash,
    uint256 slotStart,
    bool isAttested
  );

  error PlanUnknown(uint256 planId);
  error NotOwner(address caller, address owner);
  error NotExecutor(address caller, address executor);

  error RevocationsRefused(address revocations);
  error LoanGuardRefused(address loanGuard);
  error RecipientRefused(address recipient);
  error ExecutorRefused(address executor);
  error TokensRefused(address tokenIn, address tokenOut);
  error AmountRefused(uint256 amountPerRun);
  error PeriodRefused(uint256 periodSeconds, uint256 minSeconds);
  error WindowRefused(uint256 windowSeconds, uint256 periodSeconds);
  error MaxRunsRefused(uint256 maxRuns);
  error ExpiryRefused(uint256 expiresAt, uint256 startAt, uint256 time);
  error PriceSourceRefused(address priceSource);
  error PriceBoundMissing();
  error SlippageRefused(uint256 maxSlippageBps, uint256 maxBps);
  error LimitTooFar(uint256 limitPriceWad, uint256 maxPriceWad);
  error LimitUnchecked(address tokenIn, address tokenOut);
  error TriggerPriceRefused(uint256 triggerPriceWad, uint256 limitPriceWad);

  error PlansMissing();
  error OwnerDiffers(address owner, address signer);
  error DeadlinePassed(uint256 deadline, uint256 time);
  error EpochPassed(uint64 signed, uint64 epoch);
  error SignatureRefused(address signer);

  error TicketForOtherTokens(address tokenIn, address tokenOut);
  error TicketTooSmall(uint256 maxAmountIn, uint256 amountPerRun);
  error TicketNotValid(uint64 issuedAt, uint64 expiresAt, uint256 time);
  error TicketPriceMissing();

  error PlanRevoked(uint64 epoch);
  error PlanCancelledForGood();
  error VersionChanged(uint256 expectedVersion, uint256 version);
  error PlanNotActive(Status status);
  error PlanNotPaused(Status status);
  error RunsChanged(uint256 expectedRuns, uint256 runs);
  error PlanExpired(uint256 expiresAt, uint256 time);
  error RunsUsedUp(uint256 runs, uint256 maxRuns);
  error PlanNotStarted(uint256 startAt, uint256 time);
  error SlotClosed(uint256 closedAt, uint256 time);
  error SlotUsed(uint256 slotStart, uint256 cursor);

  error RunOpen(uint256 planId);
  error NoRunOpen(uint256 planId);
  error PayeeRefused(address payee);
  error RunAlreadyPaid(uint256 planId);
  error RunNotPaid(uint256 planId);
  error RunAlreadyRecorded(uint256 planId);
  error RunNotRecorded(uint256 planId);
  error VerdictNotGo(Verdict verdict);
  error TriggerNotReached(uint256 priceWad, uint256 triggerPriceWad);
  error FloorNotMet(uint256 received, uint256 floor);
  error LeftBehind(address token, uint256 amount);

  error ReasonMissing();
  error ReasonRepeated(uint256 reason);
  error DeferralsUsedUp(uint256 deferrals);

  /// @notice Creates a plan. The caller is its owner, who must allow the registry to take tokenIn, before or after this
  /// call.
  /// @return planId The plan's number; the first is 1.
  function create(Terms calldata terms) external returns (uint256 planId);

  /// @notice Creates plans that an owner has signed for. Anyone may submit the signature, once.
  /// @param signature The owner's signature, by its key or as a contract (ERC-1271).
  /// @return firstPlanId The number of the first plan; the others follow it.
  function createBySignature(Creation calldata creation, bytes calldata signature)
    external
    returns (uint256 firstPlanId);

  /// @notice Replaces a plan's terms from the next run on. Used slots stay used. Only the owner may call this, for a
  /// plan that has not ended, and with the same executor and tokens.
  /// @dev A plan has at most 65,535 versions; an edit beyond that panics with 0x11.
  /// @param expectedVersion The version that the owner has seen.
  /// @param expectedRuns The number of runs that the owner has seen.
  function edit(uint256 planId, uint256 expectedVersion, uint256 expectedRuns, Terms calldata terms) external;

  /// @notice Stops a plan until it is resumed. Only the owner may call this. Has no effect on a plan that is not
  /// active, and never fails for the owner, even during a run.
  function pause(uint256 planId) external;

  /// @notice Resumes a paused plan. Slots that passed while it was paused stay missed. Only the owner may call this.
  /// @param expectedVersion The version that the owner has seen, so that a resume cannot accept terms the owner has not
  /// seen.
  /// @param expectedRuns The number of runs that the owner has seen, so that a resume cannot accept runs the owner has
  /// not seen.
  function resume(uint256 planId, uint256 expectedVersion, uint256 expectedRuns) external;

  /// @notice Stops a plan for good. Only the owner may call this. Has no effect on a cancelled plan, and never fails
  /// for the owner, even during a run.
  function cancel(uint256 planId) external;

  /// @notice Opens a run of the plan's open slot and calls the executor's `onRunOpened`, which must call `payTo` once
  /// and then `recordRun` once. The whole run succeeds or reverts. Only the plan's executor may call this.
  /// @dev Also reverts with `ExactPull.PullInexact` if the pull moves another amount, and with
  /// `BoundedPrices.PriceSourceFailed` or `PriceOutOfRange` if the plan's price source gives no usable price.
  /// @param expectedVersion The version of the terms that the executor has read.
  /// @param ticket The signed verdict, which must be GO. Its price can raise the floor of any plan.
  /// @param signature The verdict signer's signature; ignored for a plan without a signer.
  /// @param data Passed to the executor unchanged.
  /// @return amountOut tokenOut base units that the recipient received.
  function pullFunds(
    uint256 planId,
    uint256 expectedVersion,
    Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata data
  ) external returns (uint256 amountOut);

  /// @notice Pays the open run's amount from the owner to `payee`: the executor, or an account that it owes. Only the
  /// plan's executor may call this, once, while its run is open. Refuses the registry itself, because tokenIn sent
  /// there could not be recovered.
  function payTo(address payee) external;

  /// @notice Closes the open run, which has been paid: moves to the recipient all tokenOut that the registry has
  /// received since the run opened, measures what arrived in that transfer alone, and requires the floor. Only the
  /// plan's executor may call this.
  /// @return received tokenOut base units counted as received.
  function recordRun(uint256 planId) external returns (uint256 received);

  /// @notice Records why the executor does not run the open slot now. Moves no funds, and the slot can still run. A
  /// slot accepts at most four deferrals, and none may repeat the previous reason. Only the plan's executor may call
  /// this.
  /// @param expectedVersion The version of the terms that the executor has read.
  /// @param reason A number that the executor chooses (docs/reasons.md lists the agent's); not zero.
  /// @param ticket The signed verdict, of any kind. Its price and amount are ignored.
  /// @param signature The verdict signer's signature, which marks the record as attested. If it is empty, the ticket is
  /// the executor's own claim, and only its verdict and evidence hash are used. Ignored for a plan without a signer.
  function recordDeferral(
    uint256 planId,
    uint256 expectedVersion,
    uint16 reason,
    Ticket calldata ticket,
    bytes calldata signature
  ) external;

  /// @notice Returns the plan's terms and state. Reverts with PlanUnknown if it does not exist.
  function plan(uint256 planId) external view returns (Plan memory);

  /// @notice Returns the terms of any version. Reverts with PlanUnknown if it does not exist.
  function termsOf(uint256 planId, uint256 version) external view returns (Terms memory);

  /// @return The EIP-712 digest that an owner signs for these plans.
  function digestOf(Creation calldata creation) external view returns (bytes32);

  /// @return The EIP-712 digest that a verdict signer signs for this verdict.
  function digestOf(Ticket calldata ticket) external view returns (bytes32);

  /// @notice Returns the number of plans ever created, which is also the number of the newest.
  function planCount() external view returns (uint256);

  /// @notice Returns records `from` (inclusive) to `to` (exclusive, capped at the number recorded), oldest first.
  /// Reverts with RunOpen in the middle of a run, whose record is not written yet.
  function runs(uint256 planId, uint256 from, uint256 to) external view returns (Run[] memory);

  /// @notice Returns whether the registry was deployed with this price source.
  function isPriceSource(address source) external view returns (bool);

  /// @notice Returns a price source that the registry was deployed with. A limit price is judged by the first of them
  /// that prices both tokens.
  function priceSources(uint256 index) external view returns (address);
}
