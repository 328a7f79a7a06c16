// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SSTORE2} from "solady/utils/SSTORE2.sol";

import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILoanGuard} from "./interfaces/ILoanGuard.sol";
import {IRevocations} from "./interfaces/IRevocations.sol";
import {ExactPull} from "./libraries/ExactPull.sol";
import {Repayment} from "./libraries/Repayment.sol";

/// @title LoanGuard
/// @notice Ownerless and not upgradeable. It holds no funds: they pass from borrower to adapter to market within one call.
///
/// What it assumes:
/// - Adapters given at construction are this project's own and speak for one protocol each.
/// - The protocol's prices, even wrong ones, are those by which its liquidators act: a rescue at such a price is still
///   right, and the caps bound its cost.
/// - Callers: nothing. Who may call chooses when, within the trigger and the cooldown, and nothing else.
/// - Liveness: a loan is rescued only if somebody calls in time and the borrower's tokens and allowance are there.
contract LoanGuard is ILoanGuard, ReentrancyGuardTransient {
  using ExactPull for IERC20;
  using SafeCast for uint256;

  uint256 public constant LEAST_TRIGGER_WAD = 1e18;
  uint256 public constant MOST_TARGET_WAD = 10e18;

  IRevocations public immutable revocations;
  /// @inheritdoc ILoanGuard
  mapping(address adapter => bool) public isAdapter;
  /// @inheritdoc ILoanGuard
  uint256 public policyCount;

  /// Terms, repay token and the borrower's epoch lie in the code of a contract of their own: written once, cheaper to read than slots.
  mapping(uint256 policyId => address pointer) private _terms;
  mapping(uint256 policyId => State) private _states;
  mapping(uint256 policyId => mapping(uint256 rescue => Rescue)) private _rescues;

  constructor(IRevocations revocations_, address[] memory adapters) {
    if (address(revocations_).code.length == 0) revert RevocationsRefused(address(revocations_));
    revocations = revocations_;
    for (uint256 i; i < adapters.length; ++i) {
      if (adapters[i].code.length == 0) revert AdapterRefused(adapters[i]);
      isAdapter[adapters[i]] = true;
    }
  }

  /// @inheritdoc ILoanGuard
  function register(Terms calldata terms) external nonReentrant returns (uint256 policyId) {
    if (msg.sender != terms.borrower) revert NotBorrower(msg.sender, terms.borrower);
    _requireSound(terms);
    // Reverts unless the protocol itself lists the market: a made-up one would receive the borrower's tokens.
    address repayToken = ILendingMarket(terms.adapter).repayToken(terms.market);

    policyId = ++policyCount;
    _terms[policyId] = SSTORE2.write(abi.encode(terms, repayToken, revocations.epochOf(terms.borrower)));
    _states[policyId].status = Status.Active;

    emit PolicyRegistered(policyId, terms.borrower, terms.market);
  }

  // Not locked, even while a rescue is under way: see PlanRegistry on stop buttons.
  /// @inheritdoc ILoanGuard
  function cancel(uint256 policyId) external {
    (Terms memory terms,,) = _termsOf(policyId);
    if (msg.sender != terms.borrower) revert NotBorrower(msg.sender, terms.borrower);
    State storage state = _states[policyId];
    if (state.status == Status.Cancelled) return;

    state.status = Status.Cancelled;
    emit PolicyCancelled(policyId);
  }

  /// @inheritdoc ILoanGuard
  function rescue(uint256 policyId) external nonReentrant returns (uint256 repaid) {
    (Terms memory terms, address repayToken, uint64 epoch) = _termsOf(policyId);
    State memory state = _states[policyId];
    if (_isRevoked(terms.borrower, epoch)) revert PolicyRevoked(epoch);
    _requireDue(terms, state);
    uint32 day = (block.timestamp / 1 days).toUint32();
    uint256 takenToday = state.day == day ? state.takenInDay : 0;

    ILendingMarket.Position memory position = ILendingMarket(terms.adapter).accrueAndRead(terms.borrower, terms.market);
    Rescue memory done;
    done.time = block.timestamp.toUint40();
    done.healthBeforeWad = _requireEndangered(terms, position).toUint128();
    uint256 debtAtTargetUsd = Repayment.debtAtDown(position.weightedCollateralUsd, terms.targetHealthWad);
    uint256 neededAmount = Repayment.neededUp(position.debtUsd, debtAtTargetUsd, position.repayTokenPriceWad);
    uint256 amount = _clamp(neededAmount, terms, position.marketDebt, takenToday, IERC20(repayToken));
    if (amount < terms.minRepay) revert RepayBelowMinimum(amount, terms.minRepay);

    repaid = _repayExactly(terms, IERC20(repayToken), amount, position.marketDebt);

    done.repaid = repaid.toUint128();
    done.outcome = repaid < neededAmount ? Outcome.Partial : Outcome.Full;
    done.healthAfterWad = _healthAfter(position, repaid).toUint128();
    _record(policyId, done, day, takenToday + repaid);
    emit LoanRescued(policyId, terms.borrower, repaid, done.healthBeforeWad, done.healthAfterWad, done.outcome);
  }

  /// @inheritdoc ILoanGuard
  function policy(uint256 policyId) external view returns (Policy memory) {
    (Terms memory terms, address repayToken, uint64 epoch) = _termsOf(policyId);
    return Policy(terms, repayToken, _states[policyId], _isRevoked(terms.borrower, epoch));
  }

  /// @inheritdoc ILoanGuard
  function rescues(uint256 policyId, uint256 from, uint256 to) external view returns (Rescue[] memory page) {
    to = Math.min(to, _states[policyId].rescues);
    if (from >= to) return page;
    page = new Rescue[](to - from);
    for (uint256 i; i < page.length; ++i) {
      page[i] = _rescues[policyId][from + i];
    }
  }

  function _termsOf(uint256 policyId) private view returns (Terms memory terms, address repayToken, uint64 epoch) {
    address pointer = _terms[policyId];
    if (pointer == address(0)) revert PolicyUnknown(policyId);
    return abi.decode(SSTORE2.read(pointer), (Terms, address, uint64));
  }

  function _isRevoked(address borrower, uint64 epoch) private view returns (bool) {
    return epoch != revocations.epochOf(borrower);
  }

  function _requireSound(Terms calldata terms) private view {
    if (!isAdapter[terms.adapter]) revert AdapterRefused(terms.adapter);
    if (terms.triggerHealthWad < LEAST_TRIGGER_WAD) revert TriggerRefused(terms.triggerHealthWad, LEAST_TRIGGER_WAD);
    // Closer targets would leave a loan that the next price tick endangers again.
    uint256 leastTargetWad = Math.ceilDiv(uint256(terms.triggerHealthWad) * 102, 100);
    if (terms.targetHealthWad < leastTargetWad || terms.targetHealthWad > MOST_TARGET_WAD) {
      revert TargetRefused(terms.targetHealthWad, leastTargetWad, MOST_TARGET_WAD);
    }
    if (terms.minRepay == 0 || terms.minRepay > terms.capPerRescue || terms.minRepay > terms.capPerDay) {
      revert MinRepayRefused(terms.minRepay, terms.capPerRescue, terms.capPerDay);
    }
    if (terms.expiresAt <= block.timestamp) revert ExpiryRefused(terms.expiresAt, block.timestamp);
  }

  function _requireDue(Terms memory terms, State memory state) private view {
    if (state.status != Status.Active) revert PolicyNotActive(state.status);
    if (terms.keeper != address(0) && msg.sender != terms.keeper) revert NotKeeper(msg.sender, terms.keeper);
    if (block.timestamp >= terms.expiresAt) revert PolicyExpired(terms.expiresAt, block.timestamp);
    uint256 until = uint256(state.lastRescueAt) + terms.cooldownSeconds;
    if (state.rescues != 0 && block.timestamp < until) revert CoolingDown(until, block.timestamp);
  }

  function _requireEndangered(Terms memory terms, ILendingMarket.Position memory position)
    private
    pure
    returns (uint256 healthWad)
  {
    if (position.debtUsd == 0) revert NoDebt(terms.borrower);
    // Without collateral nothing is left to protect, and repaying would only be a gift to the lenders.
    if (position.weightedCollateralUsd == 0) revert NoCollateral(terms.borrower);
    healthWad = Repayment.healthDown(position.weightedCollateralUsd, position.debtUsd);
    if (healthWad >= terms.triggerHealthWad) revert HealthNotBelowTrigger(healthWad, terms.triggerHealthWad);
  }

  function _clamp(uint256 amount, Terms memory terms, uint256 marketDebt, uint256 takenToday, IERC20 token)
    private
    view
    returns (uint256)
  {
    return Repayment.clamp(
      amount,
      terms.capPerRescue,
      Repayment.leftOfDay(terms.capPerDay, takenToday),
      marketDebt,
      token.allowance(terms.borrower, address(this)),
      token.balanceOf(terms.borrower)
    );
  }

  /// Takes `amount` from the borrower straight to the adapter and has it repaid. The debt falls by exactly what the
  /// borrower is out of.
  function _repayExactly(Terms memory terms, IERC20 token, uint256 amount, uint256 debtBefore)
    private
    returns (uint256 repaid)
  {
    uint256 borrowerBefore = token.balanceOf(terms.borrower);
    token.pullExactly(terms.borrower, terms.adapter, amount);
    ILendingMarket(terms.adapter).repay(terms.borrower, terms.market, amount, terms.borrower);

    repaid = Math.saturatingSub(borrowerBefore, token.balanceOf(terms.borrower));
    uint256 debtFell =
      Math.saturatingSub(debtBefore, ILendingMarket(terms.adapter).storedDebt(terms.borrower, terms.market));
    if (repaid != debtFell) revert DebtFellWrong(repaid, debtFell);
    if (repaid < terms.minRepay) revert RepayBelowMinimum(repaid, terms.minRepay);
  }

  /// From the same snapshot: what was not repaid has not changed, and a second reading would cost as much as the first.
  function _healthAfter(ILendingMarket.Position memory position, uint256 repaid) private pure returns (uint256) {
    uint256 debtUsd = Repayment.debtAfter(
      position.debtUsd, position.marketDebt, position.marketDebt - repaid, position.repayTokenPriceWad
    );
    return Repayment.healthDown(position.weightedCollateralUsd, debtUsd);
  }

  /// The status stays as it is now, not as it was read: the borrower may have cancelled meanwhile.
  function _record(uint256 policyId, Rescue memory done, uint32 day, uint256 takenInDay) private {
    State storage state = _states[policyId];
    _rescues[policyId][state.rescues] = done;
    state.lastRescueAt = done.time;
    state.day = day;
    state.takenInDay = takenInDay.toUint128();
    ++state.rescues;
  }
}
