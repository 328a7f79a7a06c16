// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";
import {LibCall} from "solady/utils/LibCall.sol";
import {SSTORE2} from "solady/utils/SSTORE2.sol";

import {Nonces} from "./Nonces.sol";
import {ICollateralGuard} from "./interfaces/ICollateralGuard.sol";
import {ICollateralMarket} from "./interfaces/ICollateralMarket.sol";
import {ICollateralTerms} from "./interfaces/ICollateralTerms.sol";
import {ILendingMarket} from "./interfaces/ILendingMarket.sol";
import {ILoanGuard} from "./interfaces/ILoanGuard.sol";
import {IPancakeV3Pool, IPancakeV3SwapCallback} from "./interfaces/IPancakeV3Pool.sol";
import {IRevocations} from "./interfaces/IRevocations.sol";
import {BatchCall} from "./libraries/BatchCall.sol";
import {BoundedPrices} from "./libraries/BoundedPrices.sol";
import {ExactPull} from "./libraries/ExactPull.sol";
import {PackedRescue} from "./libraries/PackedRescue.sol";
import {PackedSale} from "./libraries/PackedSale.sol";
import {PoolRoute} from "./libraries/PoolRoute.sol";
import {Repayment} from "./libraries/Repayment.sol";
import {SaleSize} from "./libraries/SaleSize.sol";
import {Signatures} from "./libraries/Signatures.sol";
import {SignedSale} from "./libraries/SignedSale.sol";

/// @title CollateralGuard
/// @notice Rescues loans out of their own collateral, or out of another account's deposit.
/// @dev Ownerless and not upgradeable. Holds nothing: pools pay the adapter, the adapter pays the protocol, receipts go
/// from the funder to the adapter, which pays the pool. The allowance of those receipts is the only one that it uses.
///
/// Assumptions, in addition to LoanGuard's:
/// - A pool at an address derived from PancakeSwap's code pays before it calls back, calls back only the caller of
///   `swap`, passes on `data` unchanged, and stays locked until it has been paid.
/// - Callers are not trusted. A permitted caller chooses when to rescue and, if the terms name none, the route. It may
///   trade in the pools before and after (a sandwich); all of this costs the funder at most the terms' `maxCostBps`.
/// - Registration checks current factors and incentives. Governance may change them, and borrowers their e-mode.
contract CollateralGuard is ICollateralGuard, IPancakeV3SwapCallback, Nonces, EIP712, ReentrancyGuardTransient {
  using LibCall for address;
  using PackedRescue for ILoanGuard.Rescue;
  using PackedRescue for PackedRescue.Record;
  using PoolRoute for PoolRoute.Pool;
  using PoolRoute for Route;
  using SafeCast for int256;
  using SafeCast for uint256;
  using SafeERC20 for IERC20;
  using SignedSale for Consent;

  /// Enough, with a 30 % margin, for a list's first rescue (cold storage) over three pools, with five collaterals, five
  /// debts and VAI in Venus and Chainlink as price source. Use `rescue` for a loan that needs more.
  uint256 public constant GAS_PER_RESCUE = 4_000_000;
  /// Overhead of the list per guard.
  uint256 private constant GAS_PER_GUARD = 20_000;
  uint256 private constant WAD = 1e18;
  uint256 private constant Q96 = 1 << 96;

  IRevocations public immutable revocations;
  /// Validates the terms of new guards.
  ICollateralTerms public immutable rules;
  address private immutable _poolDeployer;
  /// @inheritdoc ICollateralGuard
  uint256 public guardCount;

  /// One storage slot, as in LoanGuard.
  struct Standing {
    address agreement;
    ILoanGuard.Status status;
    uint32 rescues;
    bool isBySource;
    uint40 coolingSince;
  }

  /// A rescue's second slot.
  struct Taken {
    uint128 receipts;
    uint128 sold;
  }

  mapping(uint256 guardId => Standing) private _standings;
  mapping(uint256 guardId => mapping(uint256 rescue => PackedRescue.Record)) private _rescues;
  mapping(uint256 guardId => mapping(uint256 rescue => Taken)) private _taken;

  /// The pool that is swapping: the only one that may call back, once.
  address private transient _pool;
  /// What the innermost callback has taken from the funder and paid.
  uint128 private transient _receipts;
  uint128 private transient _sold;

  /// The state of a rescue before its sale, passed to its callbacks.
  struct Sale {
    uint256 guardId;
    Route route;
    /// Repay token per collateral token, in base units, at whichever prices value the collateral higher.
    uint256 rateX96;
    address receipt;
    uint256 receiptRateWad;
    uint256 feeWad;
    /// Index in the route of the pool whose callback comes next.
    uint256 index;
    /// Amount that the last pool has paid; zero until then.
    uint256 repaid;
  }

  struct Size {
    /// Amount that restores the target.
    uint256 needed;
    /// The part of it that may be repaid now.
    uint256 amount;
  }

  constructor(IRevocations revocations_, ICollateralTerms rules_) EIP712("Bowline CollateralGuard", "1") {
    if (address(revocations_).code.length == 0) revert ILoanGuard.RevocationsRefused(address(revocations_));
    revocations = revocations_;
    rules = rules_;
    _poolDeployer = rules_.poolDeployer();
  }

  /// @inheritdoc ICollateralGuard
  function register(Terms memory terms) external nonReentrant returns (uint256 guardId) {
    if (terms.funder != terms.borrower) revert ILoanGuard.FunderRefused(terms.funder);
    return _register(terms);
  }

  /// @inheritdoc ICollateralGuard
  function registerFunded(Consent memory consent, bytes calldata signature)
    external
    nonReentrant
    returns (uint256 guardId)
  {
    Terms memory terms = consent.terms;
    if (block.timestamp > consent.deadline) revert ILoanGuard.DeadlinePassed(consent.deadline, block.timestamp);
    _requireEpoch(terms.borrower, consent.borrowerEpoch);
    _requireEpoch(terms.funder, consent.funderEpoch);
    _useUpNonce(terms.funder, consent.nonce);
    if (!Signatures.isBy(terms.funder, digestOf(consent), signature)) revert ILoanGuard.SignatureRefused(terms.funder);
    return _register(terms);
  }

  // Has no lock, even during a rescue: see `PlanRegistry.whenNoRunOpen` for why stop functions stay open.
  /// @inheritdoc ICollateralGuard
  function cancel(uint256 guardId) external {
    Terms memory terms = _agreementOf(guardId).terms;
    if (msg.sender != terms.borrower && msg.sender != terms.funder) {
      revert ILoanGuard.NotPartner(msg.sender, terms.borrower, terms.funder);
    }
    Standing storage standing = _standings[guardId];
    if (standing.status == ILoanGuard.Status.Cancelled) return;

    standing.status = ILoanGuard.Status.Cancelled;
    emit GuardCancelled(guardId);
  }

  /// @inheritdoc ICollateralGuard
  function rescue(uint256 guardId, Route memory route) external nonReentrant returns (uint256 repaid) {
    return _rescue(guardId, route, msg.sender);
  }

  // One lock for the whole list, as in LoanGuard.
  /// @inheritdoc ICollateralGuard
  function rescueMany(uint256[] calldata guardIds, Route[] calldata routes, uint256 gasPerRescue)
    external
    nonReentrant
    returns (ILoanGuard.Result[] memory results)
  {
    if (guardIds.length == 0) revert ILoanGuard.GuardsMissing();
    if (guardIds.length != routes.length) revert RouteRefused();
    uint256 budget = Math.max(GAS_PER_RESCUE, gasPerRescue);
    results = new ILoanGuard.Result[](guardIds.length);
    for (uint256 i; i < guardIds.length; ++i) {
      results[i] = _tryRescue(guardIds[i], routes[i], budget);
    }
  }

  /// @notice One rescue of `rescueMany`, in a call of its own, so that it fails alone. Only this contract calls it.
  /// @dev Takes no lock, because `rescueMany` holds it: no other code here makes this contract call itself.
  /// @param caller The account that called `rescueMany`. In this call `msg.sender` is this contract.
  function rescueFor(uint256 guardId, Route memory route, address caller) external returns (uint256 repaid) {
    if (msg.sender != address(this)) revert ILoanGuard.NotSelf(msg.sender);
    return _rescue(guardId, route, caller);
  }

  // Has no lock: only the pool that this contract has just called may call it, inside a rescue.
  /// @inheritdoc IPancakeV3SwapCallback
  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
    if (msg.sender != _pool) revert NotPool(msg.sender);
    // Each swap may call back only once.
    _pool = address(0);
    Sale memory sale = abi.decode(data, (Sale));
    PackedSale.Agreement memory agreement = _agreementOf(sale.guardId);
    (int256 owed, int256 paid) = amount0Delta > 0 ? (amount0Delta, amount1Delta) : (amount1Delta, amount0Delta);
    // The route's last pool calls back first. It has paid the adapter in full, or up to its price limit.
    if (sale.repaid == 0) sale.repaid = (-paid).toUint256();
    if (sale.repaid < agreement.terms.minRepay) {
      revert ILoanGuard.RepayBelowMinimum(sale.repaid, agreement.terms.minRepay);
    }

    if (sale.index == 0) {
      _repay(agreement.terms, sale.repaid);
      _withdraw(agreement.terms, sale, owed.toUint256(), msg.sender);
    } else {
      _payBySwap(agreement, sale, owed.toUint256(), msg.sender);
    }
  }

  /// @inheritdoc ICollateralGuard
  function guard(uint256 guardId) external view returns (Guard memory) {
    PackedSale.Agreement memory agreement = _agreementOf(guardId);
    Standing memory standing = _standings[guardId];
    PackedRescue.Record memory last = _lastOf(guardId, standing.rescues);
    State memory state = State({
      status: standing.status,
      lastRescueAt: last.time,
      coolingSince: standing.coolingSince,
      isBySource: standing.isBySource,
      day: last.dayOf(),
      takenInDay: last.takenInDay,
      rescues: standing.rescues
    });
    return Guard(agreement.terms, agreement.repayToken, agreement.collateralToken, state, _isRevoked(agreement));
  }

  /// @inheritdoc ICollateralGuard
  function rescues(uint256 guardId, uint256 from, uint256 to) external view returns (Rescue[] memory page) {
    to = Math.min(to, _standings[guardId].rescues);
    if (from >= to) return page;
    page = new Rescue[](to - from);
    PackedRescue.Record memory before = _lastOf(guardId, from);
    for (uint256 i; i < page.length; ++i) {
      PackedRescue.Record memory record = _rescues[guardId][from + i];
      Taken memory taken = _taken[guardId][from + i];
      page[i] = Rescue(record.unpack(before), taken.receipts, taken.sold);
      before = record;
    }
  }

  /// @inheritdoc ICollateralGuard
  function gasLimitOf(uint256 count, uint256 gasPerRescue) external pure returns (uint256) {
    return BatchCall.gasLimitOf(count, Math.max(GAS_PER_RESCUE, gasPerRescue), GAS_PER_GUARD);
  }

  /// @inheritdoc ICollateralGuard
  function digestOf(Consent memory consent) public view returns (bytes32) {
    return _hashTypedDataV4(consent.hash());
  }

  function _register(Terms memory terms) private returns (uint256 guardId) {
    if (msg.sender != terms.borrower) revert ILoanGuard.NotBorrower(msg.sender, terms.borrower);
    (address repayToken, address collateralToken) = rules.requireSound(terms);

    guardId = ++guardCount;
    uint64 borrowerEpoch = revocations.epochOf(terms.borrower);
    uint64 funderEpoch = revocations.epochOf(terms.funder);
    Standing storage standing = _standings[guardId];
    standing.agreement = SSTORE2.write(PackedSale.pack(terms, repayToken, collateralToken, borrowerEpoch, funderEpoch));
    standing.status = ILoanGuard.Status.Active;

    emit GuardRegistered(
      guardId, terms.borrower, terms.funder, terms, repayToken, collateralToken, borrowerEpoch, funderEpoch
    );
  }

  function _tryRescue(uint256 guardId, Route memory route, uint256 budget)
    private
    returns (ILoanGuard.Result memory result)
  {
    bytes memory answer;
    (result.isRescued, answer) =
      BatchCall.tryCall(address(this), budget, abi.encodeCall(this.rescueFor, (guardId, route, msg.sender)));
    if (result.isRescued) {
      result.repaid = abi.decode(answer, (uint256));
    } else {
      result.failure = answer;
      emit RescueFailed(guardId, answer);
    }
  }

  function _rescue(uint256 guardId, Route memory route, address caller) private returns (uint256 repaid) {
    PackedSale.Agreement memory agreement = _agreementOf(guardId);
    Terms memory terms = agreement.terms;
    Standing memory standing = _standings[guardId];
    PackedRescue.Record memory last = _lastOf(guardId, standing.rescues);
    if (_isRevoked(agreement)) revert ILoanGuard.GuardRevoked(guardId);
    _requireDue(terms, standing.status, caller);
    if (!standing.isBySource) _requireCooledDown(terms, standing);
    uint256 takenToday = last.dayOf() == block.timestamp / 1 days ? last.takenInDay : 0;
    if (terms.route.firstFee == 0) terms.route = route;

    (Rescue memory done, uint256 sourceHealthWad, bool isCutShort) =
      _sellAndRepay(guardId, agreement, standing, takenToday);

    repaid = done.repayment.repaid;
    _record(guardId, terms, done, takenToday + repaid, isCutShort);
    emit LoanRescued(guardId, terms.borrower, done, sourceHealthWad, isCutShort);
  }

  /// The order of a rescue: read, check, size, sell and repay, measure.
  function _sellAndRepay(
    uint256 guardId,
    PackedSale.Agreement memory agreement,
    Standing memory standing,
    uint256 takenToday
  ) private returns (Rescue memory done, uint256 sourceHealthWad, bool isCutShort) {
    Terms memory terms = agreement.terms;
    ILoanGuard.Rescue memory repayment = done.repayment;
    (ILendingMarket.Position memory position, ICollateralMarket.Collateral memory collateral) = _read(agreement);
    (repayment.healthBeforeWad, sourceHealthWad) = _requireEndangered(terms, standing, position);
    Sale memory sale = _saleOf(guardId, agreement, position, collateral);
    Size memory size = _sized(terms, sale, position, collateral, takenToday);

    repayment.time = block.timestamp.toUint40();
    repayment.repaid = (agreement.collateralToken == agreement.repayToken
        ? _withdrawAndRepay(terms, sale, size.amount)
        : _swap(agreement, sale, size.amount))
    .toUint128();
    (done.receipts, done.sold) = (_receipts, _sold);
    isCutShort = repayment.repaid < size.amount;
    _requireRescued(terms, position, size, repayment);
  }

  function _agreementOf(uint256 guardId) private view returns (PackedSale.Agreement memory) {
    address agreement = _standings[guardId].agreement;
    if (agreement == address(0)) revert ILoanGuard.GuardUnknown(guardId);
    return PackedSale.unpack(SSTORE2.read(agreement));
  }

  /// The record preceding rescue `index`; empty for the first.
  function _lastOf(uint256 guardId, uint256 index) private view returns (PackedRescue.Record memory record) {
    if (index != 0) record = _rescues[guardId][index - 1];
  }

  function _isRevoked(PackedSale.Agreement memory agreement) private view returns (bool) {
    Terms memory terms = agreement.terms;
    if (agreement.borrowerEpoch != revocations.epochOf(terms.borrower)) return true;
    return terms.funder != terms.borrower && agreement.funderEpoch != revocations.epochOf(terms.funder);
  }

  function _requireEpoch(address account, uint64 signed) private view {
    uint64 epoch = revocations.epochOf(account);
    if (signed != epoch) revert ILoanGuard.EpochPassed(signed, epoch);
  }

  function _requireDue(Terms memory terms, ILoanGuard.Status status, address caller) private view {
    if (status != ILoanGuard.Status.Active) revert ILoanGuard.GuardNotActive(status);
    if (terms.keeper != address(0) && caller != terms.keeper) revert ILoanGuard.NotKeeper(caller, terms.keeper);
    if (block.timestamp >= terms.expiresAt) revert ILoanGuard.GuardExpired(terms.expiresAt, block.timestamp);
  }

  function _requireCooledDown(Terms memory terms, Standing memory standing) private view {
    uint256 until = uint256(standing.coolingSince) + terms.cooldownSeconds;
    if (standing.coolingSince != 0 && block.timestamp < until) revert ILoanGuard.CoolingDown(until, block.timestamp);
  }

  /// Reads the collateral first, so that its accrued interest counts in the account.
  function _read(PackedSale.Agreement memory agreement)
    private
    returns (ILendingMarket.Position memory position, ICollateralMarket.Collateral memory collateral)
  {
    Terms memory terms = agreement.terms;
    collateral = ICollateralMarket(terms.adapter).accrueAndReadCollateral(terms.funder, terms.collateralMarket);
    // Selling another account's collateral does not lower this account's health.
    if (terms.funder != terms.borrower) collateral.weightWad = 0;
    position = ILendingMarket(terms.adapter).accrueAndRead(terms.borrower, terms.debtMarket);
    // A changed token would let anyone take what was sent to the adapter, as in LoanGuard.
    if (position.repayToken != agreement.repayToken) {
      revert ILoanGuard.RepayTokenChanged(agreement.repayToken, position.repayToken);
    }
    if (collateral.token != agreement.collateralToken) {
      revert CollateralTokenChanged(agreement.collateralToken, collateral.token);
    }
  }

  /// Returns the protocol's health, and the source's if that triggers the rescue instead.
  function _requireEndangered(Terms memory terms, Standing memory standing, ILendingMarket.Position memory position)
    private
    view
    returns (uint128 healthWad, uint256 sourceHealthWad)
  {
    if (position.debtValue == 0) revert ILoanGuard.NoDebt(terms.borrower);
    if (position.weightedCollateralValue == 0) revert ILoanGuard.NoCollateral(terms.borrower);
    healthWad = Repayment.healthDown(position.weightedCollateralValue, position.debtValue).toUint128();
    if (healthWad < terms.triggerHealthWad) return (healthWad, 0);
    if (terms.priceSource == address(0)) {
      revert ILoanGuard.HealthNotBelowTrigger(healthWad, terms.triggerHealthWad);
    }
    _requireCooledDown(terms, standing);
    sourceHealthWad = Math.min(_healthBySource(terms, position.debtValue), healthWad);
    if (sourceHealthWad >= terms.triggerHealthWad) {
      revert ILoanGuard.HealthNotBelowTrigger(sourceHealthWad, terms.triggerHealthWad);
    }
    if (healthWad >= terms.targetHealthWad) revert ILoanGuard.HealthAtTarget(healthWad, terms.targetHealthWad);
  }

  /// Reverts if the adapter cannot compute it. Forwards all gas, because the adapter limits the gas of each price.
  function _healthBySource(Terms memory terms, uint256 debtValue) private view returns (uint256) {
    bytes memory question =
      abi.encodeCall(ILendingMarket.weightedCollateralBy, (terms.priceSource, terms.borrower, terms.debtMarket));
    (bool answered, bool isLonger, bytes memory answer) = terms.adapter.tryStaticCall(gasleft(), 32, question);
    if (!answered) revert ILoanGuard.SourceUnreadable(terms.priceSource, bytes4(answer));
    if (isLonger || answer.length != 32) revert ILoanGuard.SourceUnreadable(terms.priceSource, 0);
    uint256 weightedCollateral = abi.decode(answer, (uint256));
    if (weightedCollateral > type(uint128).max) revert ILoanGuard.SourceUnreadable(terms.priceSource, 0);
    return Repayment.healthDown(weightedCollateral, debtValue);
  }

  function _saleOf(
    uint256 guardId,
    PackedSale.Agreement memory agreement,
    ILendingMarket.Position memory position,
    ICollateralMarket.Collateral memory collateral
  ) private view returns (Sale memory sale) {
    (sale.guardId, sale.route) = (guardId, agreement.terms.route);
    (sale.receipt, sale.receiptRateWad, sale.feeWad) = (collateral.receipt, collateral.rateWad, collateral.feeWad);
    sale.rateX96 = FixedPointMathLib.fullMulDivUp(collateral.priceWad, Q96, position.repayTokenPriceWad);
    if (agreement.terms.priceSource == address(0)) return sale;
    // A source's answer must not depend on the caller's gas: the caller would otherwise choose the price of the sale.
    (uint256 soldPriceWad, uint256 repaidPriceWad) =
      BoundedPrices.readWithFixedGas(agreement.terms.priceSource, agreement.collateralToken, agreement.repayToken);
    sale.rateX96 = Math.max(sale.rateX96, FixedPointMathLib.fullMulDivUp(soldPriceWad, Q96, repaidPriceWad));
  }

  /// If the amount is below `minRepay`, reverts with the error of the first bound that is lower, as LoanGuard does.
  function _sized(
    Terms memory terms,
    Sale memory sale,
    ILendingMarket.Position memory position,
    ICollateralMarket.Collateral memory collateral,
    uint256 takenToday
  ) private view returns (Size memory size) {
    size.needed = _needed(terms, position, collateral.weightWad);
    uint256 leftToday = Repayment.leftOfDay(terms.capPerDay, takenToday);
    uint256 allowed = IERC20(sale.receipt).allowance(terms.funder, address(this));
    uint256 byAllowance = _affordable(terms, sale, Math.min(allowed, type(uint128).max));
    uint256 byBalance = _affordable(terms, sale, collateral.receipts);
    uint256 byCash = _affordableBy(terms, sale, collateral.cash);
    if (leftToday < terms.minRepay) revert ILoanGuard.DayCapUsedUp(leftToday, terms.minRepay);
    if (byAllowance < terms.minRepay) revert ILoanGuard.AllowanceTooLow(byAllowance, terms.minRepay);
    if (byBalance < terms.minRepay) revert ILoanGuard.BalanceTooLow(byBalance, terms.minRepay);
    if (byCash < terms.minRepay) revert CashTooLow(byCash, terms.minRepay);
    size.amount = Repayment.clamp(
      size.needed, terms.capPerRescue, leftToday, position.marketDebt, byAllowance, Math.min(byBalance, byCash)
    );
    if (size.amount < terms.minRepay) revert ILoanGuard.RepayBelowMinimum(size.amount, terms.minRepay);
  }

  function _needed(Terms memory terms, ILendingMarket.Position memory position, uint256 weightWad)
    private
    pure
    returns (uint256 needed)
  {
    uint256 lossWad = SaleSize.lossUp(weightWad, terms.maxCostBps);
    uint256 healthWad = Repayment.healthDown(position.weightedCollateralValue, position.debtValue);
    // The target exceeds this health, and therefore the loss.
    if (healthWad <= lossWad) revert SaleWouldHarm(healthWad, lossWad);
    if (terms.targetHealthWad == SaleSize.UNWIND) return position.marketDebt;
    uint256 value =
      SaleSize.valueUp(position.debtValue, position.weightedCollateralValue, terms.targetHealthWad, lossWad);
    needed = SaleSize.unitsUp(value, position.repayTokenPriceWad);
    // The amount by which such a market may under-credit.
    needed += _tolerance(needed, position);
  }

  /// The maximum repayment that this many receipts fund at the terms' cost, rounded down.
  function _affordable(Terms memory terms, Sale memory sale, uint256 receipts) private pure returns (uint256) {
    return _affordableBy(terms, sale, FixedPointMathLib.fullMulDiv(receipts, sale.receiptRateWad, WAD));
  }

  function _affordableBy(Terms memory terms, Sale memory sale, uint256 amount) private pure returns (uint256) {
    uint256 worth = FixedPointMathLib.fullMulDiv(amount, sale.rateX96, Q96);
    return FixedPointMathLib.fullMulDiv(worth, SaleSize.BPS, SaleSize.BPS + terms.maxCostBps);
  }

  /// Requests exactly `amount` from the route's last pool, or as much as it offers within the owner's price limit.
  function _swap(PackedSale.Agreement memory agreement, Sale memory sale, uint256 amount) private returns (uint256) {
    Terms memory terms = agreement.terms;
    PoolRoute.Pool[] memory pools = sale.route.poolsOf(_poolDeployer, agreement.collateralToken, agreement.repayToken);
    uint256 rateX96 = FixedPointMathLib.fullMulDivUp(sale.rateX96, SaleSize.BPS, SaleSize.BPS + terms.maxCostBps);
    rateX96 = FixedPointMathLib.fullMulDivUp(rateX96, WAD, WAD - sale.feeWad);
    uint160 limit = PoolRoute.limitX96(pools, rateX96);
    sale.index = pools.length - 1;
    PoolRoute.Pool memory last = pools[sale.index];
    (bool isBeyond, uint256 sqrtPriceX96) = last.isBeyond(limit);
    if (isBeyond) revert PoolTooDear(last.place, sqrtPriceX96, limit);
    return _swapAt(last, sale, amount, terms.adapter, limit);
  }

  /// Pays `owed` to a pool from the previous pool, without a price limit: the whole sale's cost is checked at its end.
  function _payBySwap(PackedSale.Agreement memory agreement, Sale memory sale, uint256 owed, address to) private {
    --sale.index;
    PoolRoute.Pool memory pool =
      sale.route.poolAt(sale.index, _poolDeployer, agreement.collateralToken, agreement.repayToken);
    uint256 paid = _swapAt(pool, sale, owed, to, pool.unlimited());
    if (paid != owed) revert PoolRanDry(pool.place, paid, owed);
  }

  function _swapAt(PoolRoute.Pool memory pool, Sale memory sale, uint256 amountOut, address to, uint160 limit)
    private
    returns (uint256 paid)
  {
    _pool = pool.place;
    (int256 delta0, int256 delta1) =
      IPancakeV3Pool(pool.place).swap(to, pool.zeroForOne, -amountOut.toInt256(), limit, abi.encode(sale));
    return (-(pool.zeroForOne ? delta1 : delta0)).toUint256();
  }

  /// A deposit in the debt's own token needs no pool. It is withdrawn before the repayment, so the funder's account
  /// must stay solvent without it.
  function _withdrawAndRepay(Terms memory terms, Sale memory sale, uint256 amount) private returns (uint256) {
    sale.repaid = amount;
    _withdraw(terms, sale, amount, terms.adapter);
    _repay(terms, amount);
    return amount;
  }

  /// The funder receives what the market does not take.
  function _repay(Terms memory terms, uint256 amount) private {
    ILendingMarket(terms.adapter).repay(terms.borrower, terms.debtMarket, amount, terms.funder);
  }

  /// Pays `owed` of the collateral's token from the funder's receipts. Reverts if they are worth more than the terms
  /// allow for this repayment.
  function _withdraw(Terms memory terms, Sale memory sale, uint256 owed, address to) private {
    uint256 gross = sale.feeWad == 0 ? owed : FixedPointMathLib.fullMulDivUp(owed, WAD, WAD - sale.feeWad) + 1;
    uint256 receipts = FixedPointMathLib.fullMulDivUp(gross, WAD, sale.receiptRateWad);
    uint256 taken = FixedPointMathLib.fullMulDivUp(receipts, sale.receiptRateWad, WAD);
    uint256 worth = FixedPointMathLib.fullMulDivUp(taken, sale.rateX96, Q96);
    if (worth * SaleSize.BPS > sale.repaid * (SaleSize.BPS + terms.maxCostBps)) {
      revert SaleTooDear(worth, sale.repaid, terms.maxCostBps);
    }
    _pullReceipts(terms, IERC20(sale.receipt), receipts);
    ICollateralMarket(terms.adapter).withdraw(terms.collateralMarket, receipts, owed, to, terms.funder);
    (_receipts, _sold) = (receipts.toUint128(), owed.toUint128());
  }

  function _pullReceipts(Terms memory terms, IERC20 receipt, uint256 amount) private {
    uint256 heldBefore = receipt.balanceOf(terms.adapter);
    if (!receipt.trySafeTransferFrom(terms.funder, terms.adapter, amount)) {
      ICollateralMarket(terms.adapter).explainTransfer(terms.funder, terms.collateralMarket);
    }
    uint256 rose = Math.saturatingSub(receipt.balanceOf(terms.adapter), heldBefore);
    if (rose != amount) revert ExactPull.PullInexact(amount, amount, rose);
  }

  /// Reads the account again. The debt must have fallen by the amount paid. A full repayment must have reached the
  /// target; a partial one must at least have raised health.
  function _requireRescued(
    Terms memory terms,
    ILendingMarket.Position memory position,
    Size memory size,
    ILoanGuard.Rescue memory done
  ) private {
    ILendingMarket.Position memory left = ILendingMarket(terms.adapter).accrueAndRead(terms.borrower, terms.debtMarket);
    uint256 debtFell = Math.saturatingSub(position.marketDebt, left.marketDebt);
    uint256 tolerance = _tolerance(done.repaid, position);
    if (debtFell + tolerance < done.repaid || debtFell > done.repaid + tolerance) {
      revert ILoanGuard.DebtFellWrong(done.repaid, debtFell);
    }
    uint128 healthWad = Repayment.healthDown(left.weightedCollateralValue, left.debtValue).toUint128();
    if (healthWad <= done.healthBeforeWad) revert HealthNotRestored(healthWad, done.healthBeforeWad);
    bool isWhole = done.repaid >= size.needed;
    bool isFull = terms.targetHealthWad == SaleSize.UNWIND ? isWhole : healthWad >= terms.targetHealthWad;
    if (isWhole && !isFull) revert HealthNotRestored(healthWad, terms.targetHealthWad);
    done.healthAfterWad = healthWad;
    done.outcome = isFull ? ILoanGuard.Outcome.Full : ILoanGuard.Outcome.Partial;
  }

  /// Zero, except in a market whose repayments are inexact by design.
  function _tolerance(uint256 amount, ILendingMarket.Position memory position) private pure returns (uint256) {
    return position.isInexact ? 1 + amount / 1e9 : 0;
  }

  /// Leaves the stored status unchanged: the borrower may have cancelled since `rescue` read it. A rescue cut short by
  /// the pools starts no cooldown: anyone who moves a pool's price could start it with a tiny rescue.
  function _record(uint256 guardId, Terms memory terms, Rescue memory done, uint256 takenInDay, bool isCutShort)
    private
  {
    Standing storage standing = _standings[guardId];
    uint256 index = standing.rescues++;
    _rescues[guardId][index] = done.repayment.pack(takenInDay.toUint128());
    _taken[guardId][index] = Taken(done.receipts, done.sold);
    if (isCutShort) return;
    standing.coolingSince = done.repayment.time;
    standing.isBySource = done.repayment.healthBeforeWad >= terms.triggerHealthWad;
  }
}
