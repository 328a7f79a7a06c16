// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What the guard engine found about a trade. Zero fails closed.
enum Verdict {
  NO_DATA,
  NO_GO,
  CAUTION,
  GO
}

/// @title Standing permissions to buy, and the record of what was done with them
/// @notice An owner creates a plan: "buy this, so much, so often, only at a fair price". The plan's executor runs it.
/// The registry trusts no executor: it takes exactly one slot's amount per slot of a fixed time grid, moves the delivery
/// to the recipient itself, and reverts the whole run unless the delivery reaches a floor that it worked out before the
/// pull. Plans and everything that happened to them are readable from state alone.
///
/// Times are unix seconds. Amounts are base units of the token named. `Wad` is a fixed point number with 18 decimals.
interface IPlanRegistry {
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

  /// @notice What the owner permits. Never changes once the plan exists.
  struct Terms {
    /// Whose funds are used: tokenIn is pulled from here, by allowance to the registry.
    address owner;
    /// Where tokenOut is delivered.
    address recipient;
    /// The one contract that may pull this plan's funds. It has code.
    address executor;
    address tokenIn;
    address tokenOut;
    /// tokenIn base units taken by each run, exactly; above 0.
    uint104 amountPerRun;
    /// Start of the first slot. Slot k starts at startAt + k * periodSeconds.
    uint40 startAt;
    /// Distance between slot starts; at least 60.
    uint32 periodSeconds;
    /// How long after its start a slot stays open (exclusive): 1 to periodSeconds. At periodSeconds two runs can follow
    /// each other at once, the one at the end of its slot and the other at the start of the next.
    uint32 windowSeconds;
    /// Runs in total; at least 1.
    uint32 maxRuns;
    /// First second at which the plan no longer runs; in the future and after startAt.
    uint40 expiresAt;
    /// Source of the fair price, one that the registry was built with; or any contract if limitPriceWad is set too;
    /// or zero if only limitPriceWad is.
    address priceSource;
    /// Most tokenIn base units paid per 1e18 tokenOut base units; zero for none. Without a source it is all that protects
    /// the owner, as far as its number does: a wallet should show it beside the market's price.
    uint128 limitPriceWad;
    /// How far below the source's price a delivery may lie, in 1/10_000; at most 1_000, and zero without a source.
    uint16 maxSlippageBps;
  }

  /// @notice What has happened to a plan, in one storage slot.
  struct State {
    Status status;
    /// No run may start in a slot that starts before this time. The replay key: it only ever grows.
    uint40 cursor;
    /// Executed runs.
    uint32 runs;
    /// Records in all: executed runs and deferrals.
    uint32 records;
    /// Deferrals of the slot at the cursor, and the reason of the last of them.
    uint8 deferrals;
    uint16 lastReason;
  }

  struct Plan {
    Terms terms;
    State state;
  }

  /// @notice What the executor says the guard engine found. Its own claim: nothing in the registry but the record depends
  /// on it, save that a run which does not claim GO is refused.
  struct Claim {
    Verdict verdict;
    /// keccak256 of the evidence document.
    bytes32 evidenceHash;
  }

  /// @notice One line of a plan's history, in three storage slots.
  struct Run {
    /// tokenIn that left the owner; zero for a deferral.
    uint104 amountIn;
    /// tokenOut that the recipient received; zero for a deferral.
    uint104 amountOut;
    uint40 time;
    Outcome outcome;
    /// Least tokenOut that this run had to deliver; zero for a deferral.
    uint104 floor;
    uint40 slotStart;
    /// Why the slot was deferred: a number of the executor's, not interpreted here; zero for a run.
    uint16 reason;
    Verdict verdict;
    bytes32 evidenceHash;
  }

  /// @notice A run that is open: the executor holds `amountIn` and owes the recipient at least `floor`.
  struct Pull {
    uint256 planId;
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    uint256 floor;
  }

  event PlanCreated(uint256 indexed planId, address indexed owner, address indexed executor);
  event PlanPaused(uint256 indexed planId);
  event PlanResumed(uint256 indexed planId);
  event PlanCancelled(uint256 indexed planId);
  event RunRecorded(
    uint256 indexed planId,
    uint256 indexed record,
    uint256 amountIn,
    uint256 amountOut,
    uint256 floor,
    uint256 slotStart
  );
  event DeferralRecorded(
    uint256 indexed planId,
    uint256 indexed record,
    uint16 reason,
    Verdict verdict,
    bytes32 evidenceHash,
    uint256 slotStart
  );

  error PlanUnknown(uint256 planId);
  error NotOwner(address caller, address owner);
  error NotExecutor(address caller, address executor);

  error LoanGuardRefused(address loanGuard);
  error RecipientRefused(address recipient);
  error ExecutorRefused(address executor);
  error TokensRefused(address tokenIn, address tokenOut);
  error AmountRefused(uint256 amountPerRun);
  error PeriodRefused(uint256 periodSeconds, uint256 leastSeconds);
  error WindowRefused(uint256 windowSeconds, uint256 periodSeconds);
  error MaxRunsRefused(uint256 maxRuns);
  error ExpiryRefused(uint256 expiresAt, uint256 startAt, uint256 time);
  error PriceSourceRefused(address priceSource);
  error PriceBoundMissing();
  error SlippageRefused(uint256 maxSlippageBps, uint256 mostBps);

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
  error RunAlreadyRecorded(uint256 planId);
  error RunNotRecorded(uint256 planId);
  error VerdictNotGo(Verdict verdict);
  error FloorNotMet(uint256 received, uint256 floor);

  error ReasonMissing();
  error ReasonRepeated(uint256 reason);
  error DeferralsUsedUp(uint256 deferrals);

  /// @notice Creates a plan. The caller is its owner; the owner allows the registry to take tokenIn, before or later.
  /// @return planId The plan's number; the first is 1.
  function create(Terms calldata terms) external returns (uint256 planId);

  /// @notice Stops a plan until it is resumed. The owner's; has no effect on a plan that is not active, and never fails,
  /// not even in the middle of a run.
  function pause(uint256 planId) external;

  /// @notice Sets a paused plan going again; slots that passed meanwhile stay missed. The owner's.
  /// @param expectedRuns The number of runs that the owner has seen, so that a resume never approves of runs unseen.
  function resume(uint256 planId, uint256 expectedRuns) external;

  /// @notice Stops a plan for good. The owner's; has no effect on a cancelled plan, and never fails, not even in the middle
  /// of a run.
  function cancel(uint256 planId) external;

  /// @notice Opens a run: takes one slot's amount from the owner to the calling executor, then calls its
  /// `onFundsPulled`, in which the executor must call `recordRun` once. All of it happens, or none.
  /// @param claim What the guard engine found; its verdict must be GO.
  /// @param data Handed to the executor as it is.
  /// @return amountOut tokenOut base units that the recipient received.
  function pullFunds(uint256 planId, Claim calldata claim, bytes calldata data) external returns (uint256 amountOut);

  /// @notice Closes the open run: the registry moves `amountOut` of tokenOut from the executor to the recipient, by
  /// allowance, measures what arrived in that transfer alone, and demands the floor.
  /// @return received What the recipient is counted to have received, at most `amountOut`.
  function recordRun(uint256 planId, uint256 amountOut) external returns (uint256 received);

  /// @notice Records why the open slot is not executed now. Moves no money, and the slot stays executable. At most four
  /// in a slot, none repeating the one before. The plan's executor's.
  function recordDeferral(uint256 planId, uint16 reason, Claim calldata claim) external;

  /// @notice The plan's terms and state; reverts with PlanUnknown if there is none.
  function plan(uint256 planId) external view returns (Plan memory);

  /// @notice Number of plans ever created, and the number of the newest.
  function planCount() external view returns (uint256);

  /// @notice Records `from` (inclusive) to `to` (exclusive, cut to what exists), oldest first.
  function runs(uint256 planId, uint256 from, uint256 to) external view returns (Run[] memory);

  /// @notice True for the price sources that the registry was built with.
  function isPriceSource(address source) external view returns (bool);
}
