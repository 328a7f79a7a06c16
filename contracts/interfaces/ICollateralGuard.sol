// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "./ILoanGuard.sol";
import {INonces} from "./INonces.sol";

/// @title Standing permissions to rescue a loan out of its own collateral, and the record of rescues
/// @notice A borrower registers a guard: "if my loan's health falls below the trigger, sell as much of this collateral
/// as restores the target, at an all-in cost of at most `maxCostBps`, and repay with it". No idle tokens are needed.
/// The funder gives this contract an allowance of the collateral's receipts (vTokens), and the contract can never take
/// more than that. Another account may fund the guard: its deposit earns interest until it is needed.
///
/// A rescue is one flash swap: a PancakeSwap v3 pool pays out the debt's token first; its callback repays the debt,
/// which frees the collateral; then this contract takes receipts, redeems them and pays the pool. It succeeds as a
/// whole or reverts.
///
/// Health, times, statuses, outcomes and the errors that both kinds of guards share are defined in ILoanGuard. Amounts
/// are base units of the repay token unless another is named.
interface ICollateralGuard is INonces {
  /// @notice Up to three PancakeSwap v3 pools, from the collateral's token to the repay token. Fees are in hundredths
  /// of a basis point; each selects the pool of its two neighbouring tokens.
  struct Route {
    /// Fee of the pool that takes the collateral's token; zero if no route is named.
    uint24 firstFee;
    /// Output of the first pool, unless that is the repay token; otherwise zero, as are the members below.
    address firstToken;
    uint24 secondFee;
    /// Output of the second pool, unless that is the repay token; otherwise zero, as is `thirdFee`.
    address secondToken;
    uint24 thirdFee;
  }

  /// @notice What borrower and funder permit. Terms never change once the guard is registered.
  struct Terms {
    /// The account whose loan is guarded.
    address borrower;
    /// The account whose collateral pays: the borrower, or another account that signs a `Consent`.
    address funder;
    /// The lending protocol's adapter, one of `ICollateralTerms.isAdapter`.
    address adapter;
    /// The market whose debt is repaid and the market whose deposit pays, identified as in ILoanGuard's terms.
    bytes32 debtMarket;
    bytes32 collateralMarket;
    /// The only account whose call may rescue; zero if anyone's may. It chooses when to rescue, and the route if the
    /// terms name none.
    address keeper;
    /// A second price source, one of `ICollateralTerms.isPriceSource`, or zero for none. It bounds the rate of the
    /// sale: without its price no rescue happens. It also prices the collateral as in ILoanGuard: health at its prices
    /// triggers a rescue too.
    address priceSource;
    /// A rescue requires health below this; at least 1e18.
    uint64 triggerHealthWad;
    /// The health that a rescue restores: at least 2 % above the trigger, at most 10e18, and high enough for the
    /// protocol to allow the sale. The maximum uint64 means: repay the market's whole debt and leave the remaining
    /// collateral deposited. The trigger may then be any number; one above the current health closes the loan now.
    uint64 targetHealthWad;
    /// Maximum cost of a rescue to its funder: value of the receipts taken ≤ value repaid · (1 + maxCostBps / 10,000),
    /// at the protocol's prices and at the source's. It includes pool fees, price impact, the protocol's withdrawal fee
    /// and rounding. At least 1, at most half of the liquidation incentive. A bound below 100 blocks rescues in the
    /// very crash that they are for.
    uint16 maxCostBps;
    /// As in ILoanGuard.
    uint128 capPerRescue;
    uint128 capPerDay;
    uint128 minRepay;
    /// Minimum time between two rescues, as in ILoanGuard. A rescue cut short by the pools does not count.
    uint32 cooldownSeconds;
    /// First second at which the guard has expired.
    uint40 expiresAt;
    /// The only route. A guard that anyone may call must name one, unless both tokens are the same.
    Route route;
  }

  /// @notice A guard's state.
  struct State {
    ILoanGuard.Status status;
    uint40 lastRescueAt;
    /// The last rescue that counts for the cooldown, and whether the price source triggered it.
    uint40 coolingSince;
    bool isBySource;
    /// The UTC day (unix time / 86,400) that `takenInDay` refers to.
    uint32 day;
    uint128 takenInDay;
    uint32 rescues;
  }

  struct Guard {
    Terms terms;
    /// Both tokens are fixed at registration.
    address repayToken;
    address collateralToken;
    State state;
    /// Whether the borrower or the funder has revoked everything since registration.
    bool isRevoked;
  }

  /// @notice A funder's consent (EIP-712) to pay for another account's rescues. It is valid for one guard.
  struct Consent {
    Terms terms;
    uint256 nonce;
    uint256 deadline;
    uint64 borrowerEpoch;
    uint64 funderEpoch;
  }

  /// @notice One rescue as recorded, in two storage slots.
  struct Rescue {
    /// As LoanGuard records it. The health afterwards is read back from the protocol.
    ILoanGuard.Rescue repayment;
    /// Base units of the collateral's receipts that left the funder.
    uint128 receipts;
    /// Base units of the collateral's token that the pools took or, without pools, that were withdrawn.
    uint128 sold;
  }

  // Guards and their records can be rebuilt from these events alone, as in ILoanGuard.
  event GuardRegistered(
    uint256 indexed guardId,
    address indexed borrower,
    address indexed funder,
    Terms terms,
    address repayToken,
    address collateralToken,
    uint64 borrowerEpoch,
    uint64 funderEpoch
  );
  event GuardCancelled(uint256 indexed guardId);
  /// @param sourceHealthWad As in ILoanGuard.
  /// @param isCutShort Whether the pools paid less than requested, in which case no cooldown starts.
  event LoanRescued(
    uint256 indexed guardId, address indexed borrower, Rescue rescue, uint256 sourceHealthWad, bool isCutShort
  );
  /// @notice `rescueMany` could not rescue this guard's loan.
  event RescueFailed(uint256 indexed guardId, bytes failure);

  error CostRefused(uint256 maxCostBps, uint256 limitBps);
  /// With a lower target the protocol would refuse the sale for lack of borrowing power. `minWad` is the maximum
  /// uint256 if the protocol allows no sale while there is debt.
  error TargetBelowPower(uint256 targetHealthWad, uint256 minWad);
  /// The guard needs a route, or its route has a gap.
  error RouteRefused();
  error CollateralTokenChanged(address agreed, address collateralToken);
  /// A sale at this cost would lower health: health is at most the collateral's weight · (1 + s).
  error SaleWouldHarm(uint256 healthWad, uint256 lossWad);
  /// The market lacks the cash to pay out collateral worth `minRepay`.
  error CashTooLow(uint256 amount, uint256 minRepay);
  error PoolMissing(address pool);
  /// The pool's price is already beyond the terms' bound.
  error PoolTooDear(address pool, uint256 sqrtPriceX96, uint256 limitX96);
  /// A pool along the route could not pay the input of the next one.
  error PoolRanDry(address pool, uint256 paid, uint256 owed);
  error NotPool(address caller);
  /// The collateral taken is worth `worth` base units of the repay token.
  error SaleTooDear(uint256 worth, uint256 repaid, uint256 maxCostBps);
  error HealthNotRestored(uint256 healthWad, uint256 neededWad);

  /// @notice Registers a guard that the borrower's own collateral funds. The caller is the borrower, who must give this
  /// contract an allowance of the receipts, before or after registering.
  /// @return guardId The guard's number; the first is 1.
  function register(Terms calldata terms) external returns (uint256 guardId);

  /// @notice Registers a guard that another account's deposit funds. The caller is the borrower.
  /// @param signature The funder's signature, by its key or as a contract (ERC-1271).
  function registerFunded(Consent calldata consent, bytes calldata signature) external returns (uint256 guardId);

  /// @notice Ends a guard for good. The borrower and the funder may each call this. Has no effect on a cancelled guard,
  /// and never fails for either of them.
  function cancel(uint256 guardId) external;

  /// @notice Sells enough of the guard's collateral to bring its loan's health from below the trigger to the target.
  /// @param route The route to use if the terms name none.
  /// @return repaid Base units of the repay token by which the borrower's debt fell.
  function rescue(uint256 guardId, Route calldata route) external returns (uint256 repaid);

  /// @notice Rescues the loans of several guards independently, as `ILoanGuard.rescueMany` does.
  /// @param routes One route per guard.
  /// @param gasPerRescue The gas of each rescue, if more than `GAS_PER_RESCUE`.
  function rescueMany(uint256[] calldata guardIds, Route[] calldata routes, uint256 gasPerRescue)
    external
    returns (ILoanGuard.Result[] memory results);

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
}
