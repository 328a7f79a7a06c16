// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INonces} from "./INonces.sol";

/// @notice The result of the price checks for one trade. Zero fails closed.
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

  /// @notice What the owner permits. A version of it never changes; an edit adds one.
  struct Terms {
    /// Whose funds are used: tokenIn is pulled from here, by allowance to the registry.
    address owner;
    /// Where tokenOut is delivered.
    address recipient;
    /// The one contract that may pull this plan's funds. It has code.
    address executor;
    /// Whose verdict every run needs, as a signed ticket; zero: the executor's claim is enough.
    address verdictSigner;
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
    /// Of the terms in force; the first is 1.
    uint32 version;
    /// The owner's, when the plan was created: a plan of an earlier one is revoked.
    uint64 epoch;
  }

  struct Plan {
    Terms terms;
    State state;
    /// Whether the owner has revoked everything since.
    bool isRevoked;
  }

  /// @notice What an owner signs (EIP-712) so that anybody may create plans in their name.
  struct Creation {
    address owner;
    /// Each with this owner; at least one.
    Terms[] plans;
    /// Of the owner's choosing, in any order; each is good for one signature.
    uint256 nonce;
    /// Last second at which it may be submitted.
    uint256 deadline;
    /// The owner's now: revoking everything voids what was signed and not submitted.
    uint64 epoch;
  }

  /// @notice An EIP-2612 allowance to the registry, signed by the same owner.
  struct Permit {
    address token;
    uint256 amount;
    uint256 deadline;
    uint8 v;
    bytes32 r;
    bytes32 s;
  }

  /// @notice A verdict on a trade, signed (EIP-712) by a plan's verdict signer. It may serve several plans and slots.
  /// For a plan without a signer it is the executor's claim: only `verdict`, `maxPriceWad` and `evidenceHash` count, and
  /// tokens, amount, times and signature are not looked at. The price can raise the plan's floor and never lower it.
  struct Ticket {
    address tokenIn;
    address tokenOut;
    Verdict verdict;
    /// Most tokenIn base units per 1e18 tokenOut base units at which the verdict holds. The run must deliver at least
    /// ⌈amountPerRun · 1e18 / maxPriceWad⌉, or the plan's own floor if that is higher. Zero names no price: refused for a
    /// plan with a signer, and for one without, the plan's own floor stands alone.
    uint256 maxPriceWad;
    /// Most tokenIn base units that one run may pay on it.
    uint256 maxAmountIn;
    /// When the chain was as it was judged.
    uint64 issuedAt;
    /// First second at which it no longer holds; at most 900 s later.
    uint64 expiresAt;
    bytes32 evidenceHash;
  }

  /// @notice One line of a plan's history, in three storage slots; a deferral leaves the second of them empty.
  struct Run {
    uint40 time;
    Outcome outcome;
    uint40 slotStart;
    /// Of the terms that were in force.
    uint32 version;
    /// Why the slot was deferred: a number of the executor's, not interpreted here; zero for a run.
    uint16 reason;
    Verdict verdict;
    /// Whether the plan's verdict signer signed for the verdict and the evidence; else they are the executor's claim, as the
    /// reason always is.
    bool isAttested;
    /// Least tokenOut that this run had to deliver, the plan's own or by its ticket's price; zero for a deferral.
    uint104 floor;
    /// tokenIn that left the owner; zero for a deferral.
    uint104 amountIn;
    /// tokenOut that the recipient received; zero for a deferral.
    uint104 amountOut;
    /// keccak256 of the evidence document.
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
  event PlanEdited(uint256 indexed planId, uint256 version);
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

  error PlansMissing();
  error OwnerDiffers(address owner, address signer);
  error DeadlinePassed(uint256 deadline, uint256 time);
  error EpochPassed(uint64 signed, uint64 epoch);
  error SignatureRefused(address signer);
  error AllowanceTooLow(address token, uint256 allowance, uint256 amount);

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

  /// @notice Creates the plans that an owner has signed for. Anybody may submit it, once.
  /// @param signature The owner's, by its key or as a contract (ERC-1271).
  /// @param permits Allowances to set on the way. One that fails because somebody has submitted it before does not matter:
  /// the allowance is what counts, and it must be there. They are no part of what is signed: whoever submits may leave them
  /// out, and then the owner's permit is still good and can be given to the token itself.
  /// @return firstPlanId The number of the first plan; the others follow it.
  function createBySignature(Creation calldata creation, bytes calldata signature, Permit[] calldata permits)
    external
    returns (uint256 firstPlanId);

  /// @notice Puts other terms in force, from the next run on; slots that have run stay used. The owner's, for a plan that is
  /// not over yet, with the same executor and tokens.
  /// @param expectedVersion The version that the owner has seen.
  /// @param expectedRuns The number of runs that the owner has seen.
  function edit(uint256 planId, uint256 expectedVersion, uint256 expectedRuns, Terms calldata terms) external;

  /// @notice Stops a plan until it is resumed. The owner's; has no effect on a plan that is not active, and never fails,
  /// not even in the middle of a run.
  function pause(uint256 planId) external;

  /// @notice Sets a paused plan going again; slots that passed meanwhile stay missed. The owner's.
  /// @param expectedVersion The version that the owner has seen, so that a resume never approves of terms unseen.
  /// @param expectedRuns The number of runs that the owner has seen, so that it never approves of runs unseen.
  function resume(uint256 planId, uint256 expectedVersion, uint256 expectedRuns) external;

  /// @notice Stops a plan for good. The owner's; has no effect on a cancelled plan, and never fails, not even in the middle
  /// of a run.
  function cancel(uint256 planId) external;

  /// @notice Opens a run: takes one slot's amount from the owner to the calling executor, then calls its
  /// `onFundsPulled`, in which the executor must call `recordRun` once. All of it happens, or none.
  /// @param expectedVersion Of the terms that the executor goes by.
  /// @param ticket The signed verdict, which must be GO. Its price raises the floor of any plan.
  /// @param signature The verdict signer's; not looked at for a plan without one.
  /// @param data Handed to the executor as it is.
  /// @return amountOut tokenOut base units that the recipient received.
  function pullFunds(
    uint256 planId,
    uint256 expectedVersion,
    Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata data
  ) external returns (uint256 amountOut);

  /// @notice Closes the open run: the registry moves `amountOut` of tokenOut from the executor to the recipient, by
  /// allowance, measures what arrived in that transfer alone, and demands the floor.
  /// @return received What the recipient is counted to have received, at most `amountOut`.
  function recordRun(uint256 planId, uint256 amountOut) external returns (uint256 received);

  /// @notice Records why the open slot is not executed now. Moves no money, and the slot stays executable. At most four
  /// in a slot, none repeating the one before. The plan's executor's.
  /// @param expectedVersion Of the terms that the executor goes by.
  /// @param ticket The signed verdict, of any kind; its price and amount do not matter here.
  /// @param signature The plan's verdict signer's, which the record then names; or empty for the executor's own claim, of which
  /// only the verdict and the evidence hash are looked at. Not looked at for a plan without a signer.
  function recordDeferral(
    uint256 planId,
    uint256 expectedVersion,
    uint16 reason,
    Ticket calldata ticket,
    bytes calldata signature
  ) external;

  /// @notice The plan's terms and state; reverts with PlanUnknown if there is none.
  function plan(uint256 planId) external view returns (Plan memory);

  /// @notice The terms of any version; reverts with PlanUnknown if there is none.
  function termsOf(uint256 planId, uint256 version) external view returns (Terms memory);

  /// @return What an owner signs for these plans.
  function digestOf(Creation calldata creation) external view returns (bytes32);

  /// @return What a verdict signer signs for this verdict.
  function digestOf(Ticket calldata ticket) external view returns (bytes32);

  /// @notice Number of plans ever created, and the number of the newest.
  function planCount() external view returns (uint256);

  /// @notice Records `from` (inclusive) to `to` (exclusive, cut to what exists), oldest first.
  function runs(uint256 planId, uint256 from, uint256 to) external view returns (Run[] memory);

  /// @notice True for the price sources that the registry was built with.
  function isPriceSource(address source) external view returns (bool);
}
