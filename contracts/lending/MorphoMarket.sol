// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {LibCall} from "solady/utils/LibCall.sol";

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {IMorpho, IMorphoOracle} from "../interfaces/IMorpho.sol";
import {BoundedPrices} from "../libraries/BoundedPrices.sol";
import {LendingMarket} from "./LendingMarket.sol";

/// @title MorphoMarket
/// @notice Base of the adapter to a protocol with Morpho Blue's interface. A market is Morpho's id. Its debt is secured
/// by one collateral, so a borrower's loans in two markets are two accounts. Values are base units of the loan token,
/// unless the protocol prices that in US dollars.
/// @dev Morpho's liquidation test is W < D with W = ⌊⌊collateral · price / 1e36⌋ · lltv / 1e18⌋ and D the debt's shares in
/// assets, rounded up. This contract computes both as Morpho does. In dollars, W is rounded down and D up: an account that
/// can be liquidated is never read as healthy.
///
/// Anyone can create a market, with any tokens and any oracle. Signing a guard means accepting its market.
abstract contract MorphoMarket is LendingMarket {
  using Math for uint256;
  using SafeERC20 for IERC20;

  uint256 private constant WAD = 1e18;
  uint256 private constant ORACLE_SCALE = 1e36;
  /// Virtual assets and shares that Morpho adds to a market's totals before converting.
  uint256 private constant VIRTUAL_SHARES = 1e6;
  uint256 private constant VIRTUAL_ASSETS = 1;
  uint256 private constant NO_ANSWER = type(uint256).max;

  IMorpho public immutable morpho;

  constructor(IMorpho morpho_) {
    morpho = morpho_;
  }

  /// @inheritdoc ILendingMarket
  function repayToken(bytes32 market) public view override returns (address) {
    return _params(market).loanToken;
  }

  /// @inheritdoc ILendingMarket
  function numeraire(bytes32 market) external view virtual returns (address) {
    return _params(market).loanToken;
  }

  /// @inheritdoc ILendingMarket
  function accrueAndRead(address borrower, bytes32 market) external returns (Position memory position) {
    IMorpho.MarketParams memory params = _params(market);
    morpho.accrueInterest(params);
    (uint256 debt,, uint256 collateral) = _account(borrower, market);
    position.repayToken = params.loanToken;
    position.marketDebt = debt;
    // A repayment burns ⌊amount in shares⌋.
    position.isInexact = true;

    uint256 unitWad = _unitWad(market, params, borrower);
    position.repayTokenPriceWad = unitWad;
    position.debtValue = _fitting(debt.mulDiv(unitWad, WAD, Math.Rounding.Ceil), borrower);
    uint256 weighted = _weighted(collateral, _requirePositive(market, _price(params)), params.lltv, borrower);
    position.weightedCollateralValue = _fitting(weighted.mulDiv(unitWad, WAD), borrower);
    // Read after the price: if there is none, the same oracle may also fail for the minimum.
    position.minDebt = _minDebt(params);
  }

  /// @inheritdoc ILendingMarket
  /// @dev The collateral's price in the loan token, both at the source's prices. The loan token itself counts as in
  /// `accrueAndRead`.
  function weightedCollateralBy(address source, address borrower, bytes32 market) external view returns (uint256) {
    IMorpho.MarketParams memory params = _params(market);
    (,, uint256 collateral) = _account(borrower, market);
    uint256 collateralPriceWad = BoundedPrices.priceOrZero(source, params.collateralToken);
    uint256 loanPriceWad = BoundedPrices.priceOrZero(source, params.loanToken);
    uint256 price = collateralPriceWad == 0 || loanPriceWad == 0
      ? _requirePositive(market, _price(params))
      : collateralPriceWad.mulDiv(ORACLE_SCALE, loanPriceWad);
    uint256 weighted = _weighted(collateral, price, params.lltv, borrower);
    return _fitting(weighted.mulDiv(_unitWad(market, params, borrower), WAD), borrower);
  }

  /// @inheritdoc ILendingMarket
  function storedDebt(address borrower, bytes32 market) external view returns (uint256 debt) {
    _params(market);
    (debt,,) = _account(borrower, market);
  }

  /// @inheritdoc ILendingMarket
  /// @dev None: Morpho lets nobody liquidate a debt whose health is 1 or more.
  function forcedMarkets(address) external pure returns (bytes32[] memory) {
    return new bytes32[](0);
  }

  /// @dev The whole debt is repaid in shares: Morpho refuses an amount worth more shares than there are, and a smaller
  /// one leaves some.
  function _repay(address borrower, bytes32 market, IERC20 token, uint256 amount) internal override {
    IMorpho.MarketParams memory params = _params(market);
    morpho.accrueInterest(params);
    (uint256 debt, uint256 shares,) = _account(borrower, market);
    uint256 assets = amount;
    if (amount < debt) shares = 0;
    else assets = 0;

    token.forceApprove(address(morpho), amount);
    try morpho.repay(params, assets, shares, borrower, "") returns (uint256, uint256) {}
    catch (bytes memory refusal) {
      if (_isPaused()) revert RepayPaused(market);
      LibCall.bubbleUpRevert(refusal);
    }
    _resetAllowance(token, address(morpho));
  }

  /// Reverts unless the protocol has the market and lets anyone repay in it.
  function _params(bytes32 market) internal view virtual returns (IMorpho.MarketParams memory params) {
    params = morpho.idToMarketParams(market);
    if (params.loanToken == address(0)) revert MarketNotListed(market);
  }

  /// Base units of the loan token for 1e36 base units of collateral. Zero if the oracle gives none.
  function _price(IMorpho.MarketParams memory params) internal view virtual returns (uint256) {
    // Morpho accepts a market whose oracle has no code, which `try` would not catch.
    (bool isAnswered, bytes memory answer) = params.oracle.staticcall(abi.encodeCall(IMorphoOracle.price, ()));
    return isAnswered && answer.length >= 32 ? abi.decode(answer, (uint256)) : 0;
  }

  /// Value of 1e18 base units of the loan token. Zero if it has no price.
  function _loanTokenPriceWad(IMorpho.MarketParams memory) internal view virtual returns (uint256) {
    return WAD;
  }

  function _minDebt(IMorpho.MarketParams memory) internal view virtual returns (uint256) {
    return 0;
  }

  function _isPaused() internal view virtual returns (bool) {
    return false;
  }

  /// @return debt Rounded up, as Morpho rounds it against the borrower.
  function _account(address borrower, bytes32 market)
    private
    view
    returns (uint256 debt, uint256 shares, uint256 collateral)
  {
    (, shares, collateral) = morpho.position(market, borrower);
    (,, uint256 totalAssets, uint256 totalShares,,) = morpho.market(market);
    debt = shares.mulDiv(totalAssets + VIRTUAL_ASSETS, totalShares + VIRTUAL_SHARES, Math.Rounding.Ceil);
  }

  function _requirePositive(bytes32 market, uint256 price) private pure returns (uint256) {
    if (price == 0) revert PriceUnavailable(market);
    return price;
  }

  /// Value of 1e18 base units of the loan token.
  function _unitWad(bytes32 market, IMorpho.MarketParams memory params, address borrower)
    private
    view
    returns (uint256)
  {
    return _fitting(_requirePositive(market, _loanTokenPriceWad(params)), borrower);
  }

  /// An oracle may return anything. Morpho cannot handle a product above 2^256 either.
  function _weighted(uint256 collateral, uint256 price, uint256 lltv, address borrower) private pure returns (uint256) {
    (bool fits, uint256 product) = collateral.tryMul(price);
    uint256 weighted = (product / ORACLE_SCALE).mulDiv(lltv, WAD);
    if (!fits) revert AccountUnreadable(borrower, NO_ANSWER);
    return _fitting(weighted, borrower);
  }

  function _fitting(uint256 value, address borrower) private pure returns (uint256) {
    if (value > type(uint128).max) revert AccountUnreadable(borrower, NO_ANSWER);
    return value;
  }
}
