// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IAaveAddresses, IAaveOracle, IAavePool} from "../interfaces/IAave.sol";
import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {BoundedPrices} from "../libraries/BoundedPrices.sol";
import {MarketAddress} from "../libraries/MarketAddress.sol";
import {LendingMarket} from "./LendingMarket.sol";

/// @title AaveMarket
/// @notice Adapter to one Aave v3 pool (3.0). A market is the address of an underlying token; its debt is the borrower's
/// variable-rate debt. Values are US dollars.
/// @dev Aave's liquidation test is W / D < 1 with W = ⌊total collateral · average liquidation threshold⌉, in US dollars
/// with 8 decimals. Aave applies e-mode and counts interest in its views, so nothing has to be accrued. This contract
/// takes W as it is. Of D it replaces the market's part, which Aave cut to 8 decimals, by the value at 18.
///
/// BNB Chain has a later line of Aave, whose e-mode is stored elsewhere: it needs another adapter.
contract AaveMarket is LendingMarket {
  using MarketAddress for address;
  using MarketAddress for bytes32;
  using SafeERC20 for IERC20;
  using Strings for string;

  uint256 private constant WAD = 1e18;
  /// US dollars with 8 decimals, and from there to 18.
  uint256 private constant BASE_UNIT = 1e8;
  uint256 private constant BASE_TO_WAD = 1e10;
  /// Aave's number for debt at a variable rate.
  uint256 private constant VARIABLE = 2;
  /// Aave's error code for a repayment in a paused reserve.
  uint256 private constant RESERVE_PAUSED = 29;
  uint256 private constant NO_ANSWER = type(uint256).max;
  /// Of Aave 3.0. From 3.2 on, a reserve's configuration no longer holds its e-mode category.
  uint256 private constant REVISION = 1;

  IAavePool public immutable pool;
  IAaveAddresses public immutable addresses;

  error BaseCurrencyRefused(address baseCurrency, uint256 unit);
  error RevisionRefused(uint256 revision);

  constructor(IAavePool pool_) {
    pool = pool_;
    _requireRevision();
    addresses = pool_.ADDRESSES_PROVIDER();
    IAaveOracle oracle = addresses.getPriceOracle();
    (address currency, uint256 unit) = (oracle.BASE_CURRENCY(), oracle.BASE_CURRENCY_UNIT());
    if (currency != address(0) || unit != BASE_UNIT) revert BaseCurrencyRefused(currency, unit);
  }

  /// @inheritdoc ILendingMarket
  function repayToken(bytes32 market) public view override returns (address underlying) {
    (underlying,) = _reserve(market);
  }

  /// @inheritdoc ILendingMarket
  function numeraire(bytes32) external pure returns (address) {
    return address(0);
  }

  /// @inheritdoc ILendingMarket
  /// @dev Counts the interest of all the borrower's debts up to this block, as Aave's liquidation test does.
  function accrueAndRead(address borrower, bytes32 market) external view returns (Position memory position) {
    // The pool is a proxy: of a later line, this contract would misread e-mode.
    _requireRevision();
    (address underlying, IAavePool.ReserveData memory reserve) = _reserve(market);
    position.repayToken = underlying;
    position.marketDebt = _balance(reserve.variableDebtTokenAddress, borrower);
    // A repayment burns ⌊amount / index⌉ scaled units of debt.
    position.isInexact = true;

    uint256 price = _priceFor(pool.getUserEMode(borrower), underlying, reserve.configuration);
    uint256 tokenUnit = 10 ** uint8(reserve.configuration >> 48);
    position.repayTokenPriceWad = price * BASE_TO_WAD * WAD / tokenUnit;

    (uint256 collateral, uint256 debt, uint256 threshold) = _account(borrower);
    // `percentMul` of Aave, which rounds half up.
    position.weightedCollateralValue = (collateral * threshold + 5_000) / 10_000 * BASE_TO_WAD;

    // Aave cuts the value of each reserve's debt, at both rates together, to 8 decimals.
    uint256 owed = position.marketDebt + _balance(reserve.stableDebtTokenAddress, borrower);
    uint256 others = Math.saturatingSub(debt, owed * price / tokenUnit);
    position.debtValue = others * BASE_TO_WAD + owed * position.repayTokenPriceWad / WAD;
  }

  // Aave rounds the average of the thresholds; this counts each collateral by its own.
  /// @inheritdoc ILendingMarket
  function weightedCollateralBy(address source, address borrower, bytes32) external view returns (uint256 value) {
    uint256 used = pool.getUserConfiguration(borrower);
    uint256 eMode = pool.getUserEMode(borrower);
    for (uint256 id; used >> (2 * id) != 0; ++id) {
      if (used >> (2 * id + 1) & 1 == 0) continue;
      address underlying = pool.getReserveAddressById(uint16(id));
      IAavePool.ReserveData memory reserve = pool.getReserveData(underlying);
      uint256 threshold = _thresholdFor(eMode, reserve.configuration);
      uint256 balance = IERC20(reserve.aTokenAddress).balanceOf(borrower);
      if (threshold == 0 || balance == 0) continue;
      uint256 priceWad = BoundedPrices.priceOrZero(source, underlying);
      // Otherwise anyone could blind the source with a gift of a collateral that it does not price.
      if (priceWad == 0) {
        uint256 price = _priceFor(eMode, underlying, reserve.configuration);
        priceWad = price * BASE_TO_WAD * WAD / 10 ** uint8(reserve.configuration >> 48);
      }
      value += balance * priceWad / WAD * threshold / 10_000;
    }
  }

  /// @inheritdoc ILendingMarket
  function storedDebt(address borrower, bytes32 market) external view returns (uint256) {
    (, IAavePool.ReserveData memory reserve) = _reserve(market);
    return _balance(reserve.variableDebtTokenAddress, borrower);
  }

  /// @inheritdoc ILendingMarket
  /// @dev None: Aave 3.0 lets nobody liquidate a debt at a health of 1 or more.
  function forcedMarkets(address) external pure returns (bytes32[] memory) {
    return new bytes32[](0);
  }

  /// @dev A number in the pool's refusal is Aave's error code.
  function _repay(address borrower, bytes32 market, IERC20 token, uint256 amount) internal override {
    token.forceApprove(address(pool), amount);
    try pool.repay(address(token), amount, VARIABLE, borrower) returns (uint256) {}
    catch Error(string memory reason) {
      (bool isCode, uint256 code) = reason.tryParseUint();
      if (!isCode) revert(reason);
      if (code == RESERVE_PAUSED) revert RepayPaused(market);
      revert RepayRejected(market, code);
    }
    _resetAllowance(token, address(pool));
  }

  function _requireRevision() private view {
    uint256 revision = pool.POOL_REVISION();
    if (revision != REVISION) revert RevisionRefused(revision);
  }

  function _reserve(bytes32 market) private view returns (address underlying, IAavePool.ReserveData memory reserve) {
    underlying = market.toAddress();
    reserve = pool.getReserveData(underlying);
    if (reserve.aTokenAddress == address(0)) revert MarketNotListed(market);
  }

  function _balance(address debtToken, address borrower) private view returns (uint256) {
    return IERC20(debtToken).balanceOf(borrower);
  }

  /// The price by which Aave values the asset in an account.
  /// @param eMode The account's e-mode category.
  function _priceFor(uint256 eMode, address underlying, uint256 configuration) private view returns (uint256) {
    if (_isInEMode(eMode, configuration)) {
      address source = pool.getEModeCategoryData(uint8(eMode)).priceSource;
      if (source != address(0)) {
        uint256 price = _priceOf(source);
        if (price != 0) return price;
      }
    }
    return _requirePrice(underlying);
  }

  /// The liquidation threshold of a collateral in an account, in 1/10,000. In e-mode, too, Aave counts no asset whose own
  /// threshold is zero.
  function _thresholdFor(uint256 eMode, uint256 configuration) private view returns (uint256 threshold) {
    threshold = uint16(configuration >> 16);
    if (threshold != 0 && _isInEMode(eMode, configuration)) {
      threshold = pool.getEModeCategoryData(uint8(eMode)).liquidationThreshold;
    }
  }

  function _isInEMode(uint256 eMode, uint256 configuration) private pure returns (bool) {
    return eMode != 0 && eMode == uint8(configuration >> 168);
  }

  function _requirePrice(address underlying) private view returns (uint256 price) {
    price = _priceOf(underlying);
    if (price == 0) revert PriceUnavailable(underlying.toMarket());
  }

  /// Zero if the oracle has none. It does not look at a price's age, and neither do Aave's liquidations.
  function _priceOf(address asset) private view returns (uint256) {
    try addresses.getPriceOracle().getAssetPrice(asset) returns (uint256 price) {
      return price;
    } catch {
      return 0;
    }
  }

  function _account(address borrower) private view returns (uint256, uint256, uint256) {
    try pool.getUserAccountData(borrower) returns (
      uint256 collateral, uint256 debt, uint256, uint256 threshold, uint256, uint256
    ) {
      return (collateral, debt, threshold);
    } catch {}
    // The cause is most likely one asset's feed: `_requirePrice` reverts with its market.
    uint256 used = pool.getUserConfiguration(borrower);
    for (uint16 id; used >> (2 * id) != 0; ++id) {
      if (used >> (2 * id) & 3 != 0) _requirePrice(pool.getReserveAddressById(id));
    }
    revert AccountUnreadable(borrower, NO_ANSWER);
  }
}
