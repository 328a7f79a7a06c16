// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {LibCall} from "solady/utils/LibCall.sol";
import {SSTORE2} from "solady/utils/SSTORE2.sol";

import {Nonces} from "./Nonces.sol";
import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILoanGuard} from "./interfaces/ILoanGuard.sol";
import {IRevocations} from "./interfaces/IRevocations.sol";
import {BatchCall} from "./libraries/BatchCall.sol";
import {ExactPull} from "./libraries/ExactPull.sol";
import {PackedAgreement} from "./libraries/PackedAgreement.sol";
import {PackedRescue} from "./libraries/PackedRescue.sol";
import {Repayment} from "./libraries/Repayment.sol";
import {Signatures} from "./libraries/Signatures.sol";
import {SignedTypes} from "./libraries/SignedTypes.sol";
import {SoundGuard} from "./libraries/SoundGuard.sol";

/// @title LoanGuard
/// @notice Repays part of a borrower's loan when its health falls below an agreed trigger.
/// @dev Ownerless and not upgradeable. Holds no funds: they move from funder to adapter to market within one call.
///
/// Assumptions:
/// - Adapters given at construction are this project's own, and each covers one protocol.
/// - Prices: the protocol's liquidators act on the protocol's prices, even wrong ones. A rescue at such a price is
///   therefore still right, and the caps bound its cost. A guard's price source may trigger a rescue that the
///   protocol's prices do not require yet; its size and target still use the protocol's prices, within the same caps.
/// - Callers are not trusted. A permitted caller chooses when to rescue, within the trigger and the cooldown, and
///   nothing else.
/// - Funders do not trust borrowers. A borrower may push health below the trigger, or use the collateral that a rescue
///   frees; either costs the funder at most the caps they signed.
/// - Liveness: a loan is rescued only if somebody calls in time and the funder's balance and allowance suffice.
contract LoanGuard is ILoanGuard, Nonces, EIP712, ReentrancyGuardTransient {
  using ExactPull for IERC20;
  using LibCall for address;
  using PackedRescue for Rescue;
  using PackedRescue for PackedRescue.Record;
  using SafeCast for uint256;
  using SignedTypes for Consent;

  /// Enough, with a 30 % margin, for a list's first rescue (cold storage), with five collaterals, five debts and VAI in
  /// Venus and Chainlink as price source. Use `rescue` for a loan that needs more.
  uint256 public constant GAS_PER_RESCUE = 2_000_000;
  /// Overhead of the list per guard.
  uint256 private constant GAS_PER_GUARD = 20_000;

  IRevocations public immutable revocations;
  /// @inheritdoc ILoanGuard
  mapping(address adapter => bool) public isAdapter;
  /// @inheritdoc ILoanGuard
  mapping(address source => bool) public isPriceSource;
  /// @inheritdoc ILoanGuard
  uint256 public guardCount;

  /// One storage slot. The remaining members of `State` come from the last rescue's record.
  struct Standing {
    /// The agreement is stored as the code of its own contract (SSTORE2): it is written once, and reading code costs
    /// less than reading storage slots.
    address agreement;
    Status status;
    uint32 rescues;
    bool isBySource;
  }

  mapping(uint256 guardId => Standing) private _standings;
  mapping(uint256 guardId => mapping(uint256 rescue => PackedRescue.Record)) private _rescues;

  constructor(IRevocations revocations_, address[] memory adapters, address[] memory priceSources)
    EIP712("Bowline LoanGuard", "1")
  {
    if (address(revocations_).code.length == 0) revert RevocationsRefused(address(revocations_));
    revocations = revocations_;
    for (uint256 i; i < adapters.length; ++i) {
      if (adapters[i].code.length == 0) revert AdapterRefused(adapters[i]);
      isAdapter[adapters[i]] = true;
    }
    for (uint256 i; i < priceSources.length; ++i) {
      if (priceSources[i].code.length == 0) revert PriceSourceRefused(priceSources[i]);
      isPriceSource[priceSources[i]] = true;
    }
  }

  /// @inheritdoc ILoanGuard
  function register(Terms calldata terms) external nonReentrant returns (uint256 guardId) {
    if (terms.funder != terms.borrower) revert FunderRefused(terms.funder);
    return _register(terms);
  }

  /// @inheritdoc ILoanGuard
  function registerFunded(Consent calldata consent, bytes calldata signature)
    external
    nonReentrant
    returns (uint256 guardId)
  {
    Terms calldata terms = consent.terms;
    if (block.timestamp > consent.deadline) revert DeadlinePassed(consent.deadline, block.timestamp);
    _requireEpoch(terms.borrower, consent.borrowerEpoch);
    _requireEpoch(terms.funder, consent.funderEpoch);
    _useUpNonce(terms.funder, consent.nonce);
    if (!Signatures.isBy(terms.funder, digestOf(consent), signature)) revert SignatureRefused(terms.funder);
    return _register(terms);
  }

  // Has no lock, even during a rescue: see `PlanRegistry.whenNoRunOpen` for why stop functions stay open.
  /// @inheritdoc ILoanGuard
  function cancel(uint256 guardId) external {
    Terms memory terms = _agreementOf(guardId).terms;
    if (msg.sender != terms.borrower && msg.sender != terms.funder) {
      revert NotPartner(msg.sender, terms.borrower, terms.funder);
    }
    Standing storage standing = _standings[guardId];
    if (standing.status == Status.Cancelled) return;

    standing.status = Status.Cancelled;
    emit GuardCancelled(guardId);
  }

  /// @inheritdoc ILoanGuard
  function rescue(uint256 guardId) external nonReentrant returns (uint256 repaid) {
    return _rescue(guardId, msg.sender);
  }

  // One lock for the whole list: code that a rescue calls, such as a token's, finds it taken until the last one ends.
  /// @inheritdoc ILoanGuard
  function rescueMany(uint256[] calldata guardIds, uint256 gasPerRescue)
    external
    nonReentrant
    returns (Result[] memory results)
  {
    if (guardIds.length == 0) revert GuardsMissing();
    uint256 budget = Math.max(GAS_PER_RESCUE, gasPerRescue);
    results = new Result[](guardIds.length);
    for (uint256 i; i < guardIds.length; ++i) {
      results[i] = _tryRescue(guardIds[i], budget);
    }
  }

  /// @notice One rescue of `rescueMany`, in a call of its own, so that it fails alone. Only this contract calls it.
  /// @dev Takes no lock, because `rescueMany` holds it: no other code here makes this contract call itself.
  /// @param caller The account that called `rescueMany`. In this call `msg.sender` is this contract.
  function rescueFor(uint256 guardId, address caller) external returns (uint256 repaid) {
    if (msg.sender != address(this)) revert NotSelf(msg.sender);
    return _rescue(guardId, caller);
  }

  /// @inheritdoc ILoanGuard
  function guard(uint256 guardId) external view returns (Guard memory) {
    PackedAgreement.Agreement memory agreement = _agreementOf(guardId);
    Standing memory standing = _standings[guardId];
    PackedRescue.Record memory last = _lastOf(guardId, standing.rescues);
    State memory state = State({
      status: standing.status,
      lastRescueAt: last.time,
      day: last.dayOf(),
      takenInDay: last.takenInDay,
      rescues: standing.rescues,
      isBySource: standing.isBySource
    });
    return Guard(agreement.terms, agreement.repayToken, state, _isRevoked(agreement));
  }

  /// @inheritdoc ILoanGuard
  function rescues(uint256 guardId, uint256 from, uint256 to) external view returns (Rescue[] memory page) {
    to = Math.min(to, _standings[guardId].rescues);
    if (from >= to) return page;
    page = new Rescue[](to - from);
    PackedRescue.Record memory before = _lastOf(guardId, from);
    for (uint256 i; i < page.length; ++i) {
      PackedRescue.Record memory record = _rescues[guardId][from + i];
      page[i] = record.unpack(before);
      before = record;
    }
  }

  /// @inheritdoc ILoanGuard
  function gasLimitOf(uint256 count, uint256 gasPerRescue) external pure returns (uint256) {
    return BatchCall.gasLimitOf(count, Math.max(GAS_PER_RESCUE, gasPerRescue), GAS_PER_GUARD);
  }

  /// @inheritdoc ILoanGuard
  function digestOf(Consent calldata consent) public view returns (bytes32) {
    return _hashTypedDataV4(consent.hash());
  }

  function _register(Terms calldata terms) private returns (uint256 guardId) {
    if (msg.sender != terms.borrower) revert NotBorrower(msg.sender, terms.borrower);
    if (!isAdapter[terms.adapter]) revert AdapterRefused(terms.adapter);
    if (terms.priceSource != address(0) && !isPriceSource[terms.priceSource]) {
      revert PriceSourceRefused(terms.priceSource);
    }
    SoundGuard.requireSound(terms);
    // Reverts unless the protocol lists the market. A fake market would receive the funder's tokens.
    address repayToken = ILendingMarket(terms.adapter).repayToken(terms.market);

    guardId = ++guardCount;
    uint64 borrowerEpoch = revocations.epochOf(terms.borrower);
    uint64 funderEpoch = revocations.epochOf(terms.funder);
    address agreement = SSTORE2.write(PackedAgreement.pack(terms, repayToken, borrowerEpoch, funderEpoch));
    _standings[guardId] = Standing({agreement: agreement, status: Status.Active, rescues: 0, isBySource: false});

    emit GuardRegistered(guardId, terms.borrower, terms.funder, terms, repayToken, borrowerEpoch, funderEpoch);
  }

  function _tryRescue(uint256 guardId, uint256 budget) private returns (Result memory result) {
    bytes memory answer;
    (result.isRescued, answer) =
      BatchCall.tryCall(address(this), budget, abi.encodeCall(this.rescueFor, (guardId, msg.sender)));
    if (result.isRescued) {
      result.repaid = abi.decode(answer, (uint256));
    } else {
      result.failure = answer;
      emit RescueFailed(guardId, answer);
    }
  }

  function _agreementOf(uint256 guardId) private view returns (PackedAgreement.Agreement memory) {
    address agreement = _standings[guardId].agreement;
    if (agreement == address(0)) revert GuardUnknown(guardId);
    return PackedAgreement.unpack(SSTORE2.read(agreement));
  }

  /// The record preceding rescue `index`; empty for the first.
  function _lastOf(uint256 guardId, uint256 index) private view returns (PackedRescue.Record memory record) {
    if (index != 0) record = _rescues[guardId][index - 1];
  }

  function _isRevoked(PackedAgreement.Agreement memory agreement) private view returns (bool) {
    Terms memory terms = agreement.terms;
    if (agreement.borrowerEpoch != revocations.epochOf(terms.borrower)) return true;
    return terms.funder != terms.borrower && agreement.funderEpoch != revocations.epochOf(terms.funder);
  }

  function _requireEpoch(address account, uint64 signed) private view {
    uint64 epoch = revocations.epochOf(account);
    if (signed != epoch) revert EpochPassed(signed, epoch);
  }

  function _requireDue(Terms memory terms, Status status, address caller) private view {
    if (status != Status.Active) revert GuardNotActive(status);
    if (terms.keeper != address(0) && caller != terms.keeper) revert NotKeeper(caller, terms.keeper);
    if (block.timestamp >= terms.expiresAt) revert GuardExpired(terms.expiresAt, block.timestamp);
  }

  function _requireCooledDown(Terms memory terms, PackedRescue.Record memory last) private view {
    uint256 until = uint256(last.time) + terms.cooldownSeconds;
    if (last.time != 0 && block.timestamp < until) revert CoolingDown(until, block.timestamp);
  }

  /// Returns the protocol's health, and the source's if that triggers the rescue instead.
  function _requireEndangered(
    Terms memory terms,
    PackedRescue.Record memory last,
    ILendingMarket.Position memory position
  ) private view returns (uint128 healthWad, uint256 sourceHealthWad) {
    if (position.debtValue == 0) revert NoDebt(terms.borrower);
    // Without collateral there is nothing to protect: repaying would only benefit the lenders.
    if (position.weightedCollateralValue == 0) revert NoCollateral(terms.borrower);
    healthWad = Repayment.healthDown(position.weightedCollateralValue, position.debtValue).toUint128();
    // A price source cannot block a rescue that the protocol's own health justifies.
    if (healthWad < terms.triggerHealthWad) return (healthWad, 0);
    if (terms.priceSource == address(0)) revert HealthNotBelowTrigger(healthWad, terms.triggerHealthWad);
    _requireCooledDown(terms, last);
    sourceHealthWad = Math.min(_healthBySource(terms, position.debtValue), healthWad);
    if (sourceHealthWad >= terms.triggerHealthWad) {
      revert HealthNotBelowTrigger(sourceHealthWad, terms.triggerHealthWad);
    }
    if (healthWad >= terms.targetHealthWad) revert HealthAtTarget(healthWad, terms.targetHealthWad);
  }

  /// Reverts if the adapter cannot compute it. Without the source there would be no rescue anyway, but the error tells
  /// a keeper that more gas may help. Forwards all gas: the adapter limits the gas of each price.
  function _healthBySource(Terms memory terms, uint256 debtValue) private view returns (uint256) {
    bytes memory question =
      abi.encodeCall(ILendingMarket.weightedCollateralBy, (terms.priceSource, terms.borrower, terms.market));
    (bool answered, bool isLonger, bytes memory answer) = terms.adapter.tryStaticCall(gasleft(), 32, question);
    if (!answered) revert SourceUnreadable(terms.priceSource, bytes4(answer));
    if (isLonger || answer.length != 32) revert SourceUnreadable(terms.priceSource, 0);
    uint256 weightedCollateral = abi.decode(answer, (uint256));
    if (weightedCollateral > type(uint128).max) revert SourceUnreadable(terms.priceSource, 0);
    return Repayment.healthDown(weightedCollateral, debtValue);
  }

  /*//////////////////////////////////////////////////////////////
                     A RESCUE: WHERE MONEY MOVES
  //////////////////////////////////////////////////////////////*/

  // Only two lines move tokens: `pullExactly`, from funder to adapter, and the adapter's `repay`, to the market.

  function _rescue(uint256 guardId, address caller) private returns (uint256 repaid) {
    PackedAgreement.Agreement memory agreement = _agreementOf(guardId);
    Terms memory terms = agreement.terms;
    Standing memory standing = _standings[guardId];
    PackedRescue.Record memory last = _lastOf(guardId, standing.rescues);
    if (_isRevoked(agreement)) revert GuardRevoked(guardId);
    _requireDue(terms, standing.status, caller);
    if (!standing.isBySource) _requireCooledDown(terms, last);
    uint256 takenToday = last.dayOf() == block.timestamp / 1 days ? last.takenInDay : 0;

    ILendingMarket.Position memory position = ILendingMarket(terms.adapter).accrueAndRead(terms.borrower, terms.market);
    // If the market's token had changed, the adapter would repay in the new one, which anyone could have sent there in
    // advance. The funder's tokens would then stay in the adapter, where anyone could take them.
    if (position.repayToken != agreement.repayToken) {
      revert RepayTokenChanged(agreement.repayToken, position.repayToken);
    }
    Rescue memory done;
    done.time = block.timestamp.toUint40();
    uint256 sourceHealthWad;
    (done.healthBeforeWad, sourceHealthWad) = _requireEndangered(terms, last, position);
    uint256 debtAtTarget = Repayment.debtAtDown(position.weightedCollateralValue, terms.targetHealthWad);
    uint256 needed = Repayment.neededUp(position.debtValue, debtAtTarget, position.repayTokenPriceWad);
    IERC20 token = IERC20(agreement.repayToken);

    (repaid, done.healthAfterWad) =
      _repayExactly(terms, token, _sized(needed, terms, position, takenToday, token), position);

    done.repaid = repaid.toUint128();
    done.outcome = repaid + _tolerance(needed, position) >= needed ? Outcome.Full : Outcome.Partial;
    _record(guardId, terms, done, takenToday + repaid);
    emit LoanRescued(
      guardId, terms.borrower, repaid, done.healthBeforeWad, done.healthAfterWad, done.outcome, sourceHealthWad
    );
  }

  /// Returns the amount that may be repaid now. If it is below `minRepay`, reverts with the error of the first bound
  /// that is lower (the day's cap, the allowance, the balance), or with RepayBelowMinimum if only the amount needed or
  /// the market's debt is.
  function _sized(
    uint256 needed,
    Terms memory terms,
    ILendingMarket.Position memory position,
    uint256 takenToday,
    IERC20 token
  ) private view returns (uint256 amount) {
    uint256 leftToday = Repayment.leftOfDay(terms.capPerDay, takenToday);
    uint256 allowance = token.allowance(terms.funder, address(this));
    uint256 balance = token.balanceOf(terms.funder);
    if (leftToday < terms.minRepay) revert DayCapUsedUp(leftToday, terms.minRepay);
    if (allowance < terms.minRepay) revert AllowanceTooLow(allowance, terms.minRepay);
    if (balance < terms.minRepay) revert BalanceTooLow(balance, terms.minRepay);
    uint256 debt = position.marketDebt;
    amount = Repayment.clamp(needed, terms.capPerRescue, leftToday, debt, allowance, balance);
    if (amount < terms.minRepay) revert RepayBelowMinimum(amount, terms.minRepay);
    if (position.minDebt == 0) return amount;

    uint256 maxAmount = Repayment.clamp(debt, terms.capPerRescue, leftToday, debt, allowance, balance);
    uint256 remainder = debt - amount;
    amount = Repayment.leavingNoDust(amount, debt, position.minDebt, maxAmount);
    if (amount < terms.minRepay) revert RemainderRefused(remainder, position.minDebt);
  }

  /// Reverts unless the debt falls by the amount that left the funder.
  function _repayExactly(Terms memory terms, IERC20 token, uint256 amount, ILendingMarket.Position memory position)
    private
    returns (uint256 repaid, uint128 healthAfterWad)
  {
    uint256 funderBefore = token.balanceOf(terms.funder);
    token.pullExactly(terms.funder, terms.adapter, amount);
    ILendingMarket(terms.adapter).repay(terms.borrower, terms.market, amount, terms.funder);

    repaid = Math.saturatingSub(funderBefore, token.balanceOf(terms.funder));
    uint256 debtLeft = ILendingMarket(terms.adapter).storedDebt(terms.borrower, terms.market);
    uint256 debtFell = Math.saturatingSub(position.marketDebt, debtLeft);
    uint256 tolerance = _tolerance(repaid, position);
    if (debtFell + tolerance < repaid || debtFell > repaid + tolerance) revert DebtFellWrong(repaid, debtFell);
    if (repaid < terms.minRepay) revert RepayBelowMinimum(repaid, terms.minRepay);
    // Uses the snapshot taken before the repayment, which has changed only the debt: a second read would double the
    // cost.
    uint256 debtValue =
      Repayment.debtAfter(position.debtValue, position.marketDebt, debtLeft, position.repayTokenPriceWad);
    healthAfterWad = Repayment.healthDown(position.weightedCollateralValue, debtValue).toUint128();
  }

  /// Zero, except in a market whose repayments are inexact by design.
  function _tolerance(uint256 amount, ILendingMarket.Position memory position) private pure returns (uint256) {
    return position.isInexact ? 1 + amount / 1e9 : 0;
  }

  /// Leaves the stored status unchanged: the borrower may have cancelled since `rescue` read it.
  function _record(uint256 guardId, Terms memory terms, Rescue memory done, uint256 takenInDay) private {
    Standing storage standing = _standings[guardId];
    _rescues[guardId][standing.rescues] = done.pack(takenInDay.toUint128());
    ++standing.rescues;
    standing.isBySource = done.healthBeforeWad >= terms.triggerHealthWad;
  }
}
