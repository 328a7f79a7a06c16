// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INonces} from "./INonces.sol";

/// @title Standing permissions to rescue loans, and the record of rescues
/// @notice A borrower registers a guard: "if my loan's health falls below the trigger, repay enough of it from my own
/// tokens to restore the target". Another account may fund the guard by signing for that guard alone. The contract
/// computes the size of each rescue on chain from the lending protocol's own numbers. It can use a funder's tokens only
/// to repay that borrower's debt.
///
/// Health is liquidation-threshold-weighted collateral divided by debt, as a Wad. Below 1e18 the loan can be
/// liquidated. Times are unix seconds. Amounts are base units of the repay token.
interface ILoanGuard is INonces {
  enum Status {
    None,
    Active,
    Cancelled
  }

  enum Outcome {
    None,
    /// The rescue restored the target health.
    Full,
    /// A cap, the market's debt or its minimum, the allowance or the balance limited the rescue.
    Partial
  }

  /// @notice What borrower and funder permit. Terms never change once the guard is registered.
  struct Terms {
    /// The account whose loan is guarded.
    address borrower;
    /// The account whose tokens repay the loan, through its allowance to this contract: the borrower, or another
    /// account that signs a `Consent`.
    address funder;
    /// The lending protocol's adapter. This contract must have been deployed with it.
    address adapter;
    /// The market whose debt is repaid, identified as the protocol does (for Venus the address of a vToken or of the VAI
    /// controller, in the low 20 bytes).
    bytes32 market;
    /// The only account whose call may rescue; zero if anyone's may.
    address keeper;
    /// A second price source for the collateral: health at its prices triggers a rescue too. One of the sources that
    /// this contract was deployed with, or zero for none. The debt, the size of a rescue and the target use the
    /// protocol's prices alone. If the prices of collateral and debt fall together and the source sees it first, this
    /// health reads too low until the protocol's price of the debt follows, and an unneeded rescue may happen.
    address priceSource;
    /// A rescue requires health below this; at least 1e18.
    uint64 triggerHealthWad;
    /// The health that a rescue restores; at least 2 % above the trigger, at most 10e18.
    uint64 targetHealthWad;
    /// Maximum amount of one rescue.
    uint128 capPerRescue;
    /// Maximum total of all rescues in one UTC day. Up to twice this amount can be taken across midnight, and the caps
    /// of several guards on one loan add up.
    uint128 capPerDay;
    /// Minimum amount of one rescue: at least 1, at most either cap. Smaller rescues are refused. A rescue starts the
    /// cooldown, so a tiny minimum would let anyone start it by spending the rest of a day's cap.
    uint128 minRepay;
    /// Minimum time between two rescues. After a rescue that the price source triggered, it does not delay the first
    /// rescue that the protocol's own health requires.
    uint32 cooldownSeconds;
    /// First second at which the guard has expired.
    uint40 expiresAt;
  }

  /// @notice A guard's state.
  struct State {
    Status status;
    uint40 lastRescueAt;
    /// The UTC day (unix time / 86,400) that `takenInDay` refers to.
    uint32 day;
    uint128 takenInDay;
    uint32 rescues;
    /// Whether the guard's price source alone triggered the last rescue. The cooldown of such a rescue blocks only
    /// further rescues that the source triggers.
    bool isBySource;
  }

  struct Guard {
    Terms terms;
    /// The token that rescues take, fixed at registration.
    address repayToken;
    State state;
    /// Whether the borrower or the funder has revoked everything since registration.
    bool isRevoked;
  }

  /// @notice A funder's consent (EIP-712) to pay for another account's rescues. It is valid for one guard.
  struct Consent {
    Terms terms;
    /// Chosen by the funder, in any order. Each nonce is valid for one signature.
    uint256 nonce;
    /// Last second at which the consent may be used.
    uint256 deadline;
    /// The current epochs of borrower and funder. If either revokes, the consent is void.
    uint64 borrowerEpoch;
    uint64 funderEpoch;
  }

  /// @notice One rescue as recorded, in one storage slot. Health is at the protocol's prices, rounded down to a
  /// billionth and capped at 1,099.5; `LoanRescued` has all digits. If the health before is not below the trigger, the
  /// guard's price source triggered the rescue.
  struct Rescue {
    uint128 repaid;
    uint40 time;
    Outcome outcome;
    uint128 healthBeforeWad;
    /// The maximum uint128 if no debt is left.
    uint128 healthAfterWad;
  }

  /// @notice The outcome for one guard of a list.
  struct Result {
    bool isRescued;
    /// What `rescue` returns; zero if there was no rescue.
    uint256 repaid;
    /// Why there was no rescue: the first 132 bytes of the revert data, usually an error of `rescue`. Empty after a
    /// rescue, if it ran out of gas, or if it reverted without data.
    bytes failure;
  }

  // Guards and their records can be rebuilt from these events alone, with the times of their blocks and, for
  // `isRevoked`, `IRevocations.AllRevoked`.
  /// @param borrowerEpoch The epochs at registration: the guard ends once the account's epoch changes.
  event GuardRegistered(
    uint256 indexed guardId,
    address indexed borrower,
    address indexed funder,
    Terms terms,
    address repayToken,
    uint64 borrowerEpoch,
    uint64 funderEpoch
  );
  event GuardCancelled(uint256 indexed guardId);
  /// @param sourceHealthWad Health at the guard's price source if that triggered the rescue; zero if the protocol's own
  /// health did, in which case the source is not called.
  event LoanRescued(
    uint256 indexed guardId,
    address indexed borrower,
    uint256 repaid,
    uint256 healthBeforeWad,
    uint256 healthAfterWad,
    Outcome outcome,
    uint256 sourceHealthWad
  );
  /// @notice `rescueMany` could not rescue this guard's loan.
  /// @param failure As in `Result`.
  event RescueFailed(uint256 indexed guardId, bytes failure);

  error GuardUnknown(uint256 guardId);
  error NotBorrower(address caller, address borrower);
  error NotPartner(address caller, address borrower, address funder);
  error NotKeeper(address caller, address keeper);

  error RevocationsRefused(address revocations);
  error AdapterRefused(address adapter);
  error PriceSourceRefused(address priceSource);
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
  /// `healthWad` is the worse of the protocol's and the price source's, if the guard names one.
  error HealthNotBelowTrigger(uint256 healthWad, uint256 triggerHealthWad);
  /// Health is not below the trigger at the protocol's prices, and the adapter could not compute it at the price
  /// source's. `reason` is the selector of the adapter's error: PriceGasTooLow if the call had too little gas for
  /// another price, zero if it ran out of gas or gave no reason.
  error SourceUnreadable(address priceSource, bytes4 reason);
  /// Health is below the trigger only at the price source's prices, and is already at the target at the protocol's.
  error HealthAtTarget(uint256 healthWad, uint256 targetHealthWad);
  error DayCapUsedUp(uint256 leftToday, uint256 minRepay);
  error AllowanceTooLow(uint256 allowance, uint256 minRepay);
  error BalanceTooLow(uint256 balance, uint256 minRepay);
  error RepayBelowMinimum(uint256 amount, uint256 minRepay);
  /// The market refuses a repayment that leaves so little debt, and the guard allows neither repaying all of it nor
  /// leaving more.
  error RemainderRefused(uint256 remainder, uint256 minDebt);
  error DebtFellWrong(uint256 paid, uint256 debtFell);

  error GuardsMissing();
  error NotSelf(address caller);

  /// @notice Registers a guard that its borrower funds. The caller is the borrower, who must allow this contract to
  /// take the repay token, before or after registering.
  /// @return guardId The guard's number; the first is 1.
  function register(Terms calldata terms) external returns (uint256 guardId);

  /// @notice Registers a guard that another account funds. The caller is the borrower. The funder must allow this
  /// contract to take the repay token, before or after the registration.
  /// @param signature The funder's signature, by its key or as a contract (ERC-1271).
  /// @return guardId The guard's number.
  function registerFunded(Consent calldata consent, bytes calldata signature) external returns (uint256 guardId);

  /// @notice Ends a guard for good. The borrower and the funder may each call this. Has no effect on a cancelled guard,
  /// and never fails for either of them.
  function cancel(uint256 guardId) external;

  /// @notice Repays enough of the guard's loan to bring its health from below the trigger to the target.
  /// @return repaid Base units of the repay token that left the funder and by which the borrower's debt fell.
  function rescue(uint256 guardId) external returns (uint256 repaid);

  /// @notice Rescues the loans of several guards independently, in the given order: each as `rescue` would for the same
  /// caller, and a failure does not stop the others. The order of a list gives a caller nothing that separate calls of
  /// `rescue` in that order would not.
  ///
  /// Each rescue gets exactly the same gas. If less is left for the next one, everything reverts with GasTooLow.
  /// Compute the transaction's gas limit with `gasLimitOf`; do not estimate it. An estimate covers what the rescues use
  /// in one block; in a block where they use more, everything would revert.
  /// @param gasPerRescue The gas of each rescue, if more than `GAS_PER_RESCUE`: for a chain whose opcodes have become
  /// more expensive.
  /// @return results In the order of `guardIds`.
  function rescueMany(uint256[] calldata guardIds, uint256 gasPerRescue) external returns (Result[] memory results);

  /// @notice Returns the maximum gas that `rescueMany` needs for this many guards, excluding the transaction's base
  /// cost of 21,000 and its calldata.
  function gasLimitOf(uint256 count, uint256 gasPerRescue) external pure returns (uint256);

  /// @notice Returns the guard's terms and state. Reverts with GuardUnknown if it does not exist.
  function guard(uint256 guardId) external view returns (Guard memory);

  /// @return The EIP-712 digest that a funder signs.
  function digestOf(Consent calldata consent) external view returns (bytes32);

  /// @notice Returns the number of guards ever registered, which is also the number of the newest.
  function guardCount() external view returns (uint256);

  /// @notice Returns rescues `from` (inclusive) to `to` (exclusive, capped at the number recorded), oldest first.
  function rescues(uint256 guardId, uint256 from, uint256 to) external view returns (Rescue[] memory);

  /// @notice Returns whether this contract was deployed with the adapter.
  function isAdapter(address adapter) external view returns (bool);

  /// @notice Returns whether this contract was deployed with this price source.
  function isPriceSource(address source) external view returns (bool);
}
