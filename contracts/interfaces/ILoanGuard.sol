// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INonces} from "./INonces.sol";

/// @title Standing permissions to rescue a loan, and the record of the rescues
/// @notice A borrower registers a guard: "if my loan's health falls below the trigger, repay so much of it, out of my own
/// tokens, that it stands at the target". Somebody else may fund it, by signing for that very guard. The contract sizes
/// every rescue on chain from the lending protocol's own numbers, and can do one thing with a funder's tokens: repay that
/// borrower's debt.
///
/// Health is liquidation-threshold-weighted collateral over debt, as a Wad: below 1e18 the loan can be liquidated.
/// Times are unix seconds. Amounts are base units of the repay token.
interface ILoanGuard is INonces {
  enum Status {
    None,
    Active,
    Cancelled
  }

  enum Outcome {
    None,
    /// The loan stands at the target.
    Full,
    /// A cap, the market's debt, the allowance or the balance allowed less.
    Partial
  }

  /// @notice What borrower and funder permit. Never changes once the guard exists.
  struct Terms {
    /// Whose loan is guarded.
    address borrower;
    /// Whose tokens repay it, by allowance to this contract: the borrower's own, or another's who signs a `Consent`.
    address funder;
    /// The lending protocol's adapter, one that this contract was built with.
    address adapter;
    /// The market whose debt is repaid, in the protocol's own terms (for Venus a vToken, or the VAI controller).
    address market;
    /// The only caller who may rescue; zero for anyone.
    address keeper;
    /// A rescue needs health below this; at least 1e18.
    uint64 triggerHealthWad;
    /// What health a rescue restores; at least 2 % above the trigger, at most 10e18.
    uint64 targetHealthWad;
    /// Most that one rescue takes.
    uint128 capPerRescue;
    /// Most that the rescues of one UTC day take. Twice that can go across midnight, and guards on one loan add up.
    uint128 capPerDay;
    /// Least that a rescue takes: less is refused; at least 1, at most either cap. Each rescue starts the cooldown, so that
    /// with a tiny minimum the last crumbs of a day's cap can be spent by anyone to start it.
    uint128 minRepay;
    /// Least time between two rescues.
    uint32 cooldownSeconds;
    /// First second at which the guard no longer holds.
    uint40 expiresAt;
  }

  /// @notice What has happened to a guard, in one storage slot.
  struct State {
    Status status;
    uint40 lastRescueAt;
    /// UTC day number (unix time / 86,400) that `takenInDay` counts.
    uint32 day;
    uint128 takenInDay;
    uint32 rescues;
  }

  struct Guard {
    Terms terms;
    /// The token that rescues take, fixed at registration.
    address repayToken;
    State state;
    /// Whether borrower or funder have revoked everything since.
    bool isRevoked;
  }

  /// @notice What a funder signs (EIP-712) to pay for another's rescues. It is good for one guard.
  struct Consent {
    Terms terms;
    /// Of the funder's choosing, in any order; each is good for one signature.
    uint256 nonce;
    /// Last second at which it may be used.
    uint256 deadline;
    /// The borrower's and the funder's now: what either revokes voids it.
    uint64 borrowerEpoch;
    uint64 funderEpoch;
  }

  /// @notice One rescue, in two storage slots.
  struct Rescue {
    uint128 repaid;
    uint40 time;
    Outcome outcome;
    uint128 healthBeforeWad;
    /// The largest uint128 when no debt is left.
    uint128 healthAfterWad;
  }

  event GuardRegistered(uint256 indexed guardId, address indexed borrower, address indexed funder, address market);
  event GuardCancelled(uint256 indexed guardId);
  event LoanRescued(
    uint256 indexed guardId,
    address indexed borrower,
    uint256 repaid,
    uint256 healthBeforeWad,
    uint256 healthAfterWad,
    Outcome outcome
  );

  error GuardUnknown(uint256 guardId);
  error NotBorrower(address caller, address borrower);
  error NotPartner(address caller, address borrower, address funder);
  error NotKeeper(address caller, address keeper);

  error RevocationsRefused(address revocations);
  error AdapterRefused(address adapter);
  error TriggerRefused(uint256 triggerHealthWad, uint256 minWad);
  error TargetRefused(uint256 targetHealthWad, uint256 minWad, uint256 maxWad);
  error MinRepayRefused(uint256 minRepay, uint256 capPerRescue, uint256 capPerDay);
  error ExpiryRefused(uint256 expiresAt, uint256 time);

  error FunderRefused(address funder);
  error DeadlinePassed(uint256 deadline, uint256 time);
  error EpochPassed(uint64 signed, uint64 epoch);
  error SignatureRefused(address signer);

  error GuardRevoked(uint256 guardId);
  error GuardNotActive(Status status);
  error GuardExpired(uint256 expiresAt, uint256 time);
  error CoolingDown(uint256 until, uint256 time);
  error RepayTokenChanged(address agreed, address repayToken);
  error NoDebt(address borrower);
  error NoCollateral(address borrower);
  error HealthNotBelowTrigger(uint256 healthWad, uint256 triggerHealthWad);
  error DayCapUsedUp(uint256 leftToday, uint256 minRepay);
  error AllowanceTooLow(uint256 allowance, uint256 minRepay);
  error BalanceTooLow(uint256 balance, uint256 minRepay);
  error RepayBelowMinimum(uint256 amount, uint256 minRepay);
  error DebtFellWrong(uint256 paid, uint256 debtFell);

  /// @notice Registers a guard that its borrower funds. The caller is the borrower, and allows this contract to take the
  /// repay token, before or later.
  /// @return guardId The guard's number; the first is 1.
  function register(Terms calldata terms) external returns (uint256 guardId);

  /// @notice Registers a guard that another funds. The caller is the borrower; the funder allows this contract to take the
  /// repay token, before or later.
  /// @param signature The funder's, by its key or as a contract (ERC-1271).
  /// @return guardId The guard's number.
  function registerFunded(Consent calldata consent, bytes calldata signature) external returns (uint256 guardId);

  /// @notice Ends a guard for good. The borrower's and the funder's, each alone; has no effect on a cancelled guard, and
  /// never fails.
  function cancel(uint256 guardId) external;

  /// @notice Repays as much of the guard's loan as brings its health from below the trigger to the target.
  /// @return repaid Base units of the repay token that left the funder, and by which the borrower's debt fell.
  function rescue(uint256 guardId) external returns (uint256 repaid);

  /// @notice The guard's terms and state; reverts with GuardUnknown if there is none.
  function guard(uint256 guardId) external view returns (Guard memory);

  /// @return What a funder signs.
  function digestOf(Consent calldata consent) external view returns (bytes32);

  /// @notice Number of guards ever registered, and the number of the newest.
  function guardCount() external view returns (uint256);

  /// @notice Rescues `from` (inclusive) to `to` (exclusive, cut to what exists), oldest first.
  function rescues(uint256 guardId, uint256 from, uint256 to) external view returns (Rescue[] memory);

  /// @notice True for the adapters that this contract was built with.
  function isAdapter(address adapter) external view returns (bool);
}
