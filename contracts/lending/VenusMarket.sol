// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {LibCall} from "solady/utils/LibCall.sol";

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {IResilientOracle, IVBnb, IVToken, IVaiController, IVenusComptroller} from "../interfaces/IVenus.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {BoundedPrices} from "../libraries/BoundedPrices.sol";
import {MarketAddress} from "../libraries/MarketAddress.sol";
import {LendingMarket} from "./LendingMarket.sol";

/// @title VenusMarket
/// @notice Adapter to the Venus core pool (10.x). A market is the address of a vToken or, for debt in VAI, of the VAI
/// controller. Debt in vBNB is repaid in WBNB. Values are US dollars.
/// @dev Venus has no health factor. Its liquidation check is `getAccountLiquidity`, L = W − D, which uses liquidation
/// thresholds and applies e-mode. This contract sums D as the comptroller does, and computes W = D + L.
contract VenusMarket is LendingMarket {
  using MarketAddress for address;
  using MarketAddress for bytes32;
  using SafeERC20 for IERC20;

  uint256 internal constant WAD = 1e18;
  /// The comptroller's number for the repay action.
  uint8 private constant REPAY = 3;
  /// The comptroller's number for weights by liquidation threshold.
  uint8 internal constant BY_THRESHOLD = 1;
  uint256 private constant NO_ANSWER = type(uint256).max;

  IVenusComptroller public immutable comptroller;
  /// The native coin's market. It has no underlying token, and a call to `underlying` would burn all gas in its
  /// fallback.
  address public immutable vBnb;
  address public immutable wbnb;

  error NotWbnb(address sender);

  constructor(IVenusComptroller comptroller_, address vBnb_, address wbnb_) {
    comptroller = comptroller_;
    vBnb = vBnb_;
    wbnb = wbnb_;
  }

  /// Accepts only coins unwrapped on the way to vBNB. Coins from elsewhere could not be recovered.
  receive() external payable virtual {
    if (msg.sender != wbnb) revert NotWbnb(msg.sender);
  }

  /// @inheritdoc ILendingMarket
  function repayToken(bytes32 market) public view override returns (address) {
    return _repayToken(market.toAddress());
  }

  /// @inheritdoc ILendingMarket
  function numeraire(bytes32) external pure returns (address) {
    return address(0);
  }

  /// @inheritdoc ILendingMarket
  function accrueAndRead(address borrower, bytes32 market) external returns (Position memory position) {
    address place = market.toAddress();
    IResilientOracle oracle = IResilientOracle(comptroller.oracle());
    position.repayToken = _repayToken(place);
    if (_isVai(place)) {
      IVaiController(place).accrueVAIInterest();
      position.marketDebt = IVaiController(place).getVAIRepayAmount(borrower);
      // Venus values VAI at one USD, whatever its market price.
      position.repayTokenPriceWad = WAD;
      position.isInexact = true;
    } else {
      position.marketDebt = IVToken(place).borrowBalanceCurrent(borrower);
      position.repayTokenPriceWad = _price(oracle, place);
    }

    address[] memory entered = comptroller.getAssetsIn(borrower);
    position.debtValue = _debtValue(borrower, entered, oracle);
    (uint256 liquidity, uint256 shortfall) = _liquidity(borrower, entered, oracle);
    if (shortfall > position.debtValue) revert ShortfallAboveDebt(shortfall, position.debtValue);
    position.weightedCollateralValue = position.debtValue + liquidity - shortfall;
  }

  // The comptroller's own sum, with the same rounding: at the protocol's prices it equals `weightedCollateralValue`.
  /// @inheritdoc ILendingMarket
  function weightedCollateralBy(address source, address borrower, bytes32) external view returns (uint256 value) {
    IResilientOracle oracle = IResilientOracle(comptroller.oracle());
    address[] memory entered = comptroller.getAssetsIn(borrower);
    for (uint256 i; i < entered.length; ++i) {
      (uint256 code, uint256 balance,, uint256 exchangeRate) = IVToken(entered[i]).getAccountSnapshot(borrower);
      if (code != 0) revert AccountUnreadable(borrower, code);
      uint256 weight = balance == 0 ? 0 : comptroller.getEffectiveLtvFactor(borrower, entered[i], BY_THRESHOLD);
      if (weight == 0) continue;
      uint256 priceWad = BoundedPrices.priceOrZero(source, _tokenOf(entered[i]));
      // Otherwise anyone could blind the source by donating a collateral that it does not price.
      if (priceWad == 0) priceWad = _price(oracle, entered[i]);
      value += weight * exchangeRate / WAD * priceWad / WAD * balance / WAD;
    }
  }

  /// @inheritdoc ILendingMarket
  function storedDebt(address borrower, bytes32 market) external view returns (uint256) {
    address place = market.toAddress();
    if (_isVai(place)) return IVaiController(place).getVAIRepayAmount(borrower);
    return IVToken(place).borrowBalanceStored(borrower);
  }

  /// @inheritdoc ILendingMarket
  function forcedMarkets(address borrower) external view returns (bytes32[] memory forced) {
    address[] memory entered = comptroller.getAssetsIn(borrower);
    forced = new bytes32[](entered.length + 1);
    uint256 count;
    for (uint256 i; i < entered.length; ++i) {
      if (IVToken(entered[i]).borrowBalanceStored(borrower) != 0 && _isForced(borrower, entered[i])) {
        forced[count++] = entered[i].toMarket();
      }
    }
    address vai = comptroller.vaiController();
    if (vai != address(0) && IVaiController(vai).getVAIRepayAmount(borrower) != 0 && _isForced(borrower, vai)) {
      forced[count++] = vai.toMarket();
    }
    assembly ("memory-safe") {
      mstore(forced, count)
    }
  }

  function _repay(address borrower, bytes32 market, IERC20 token, uint256 amount) internal override {
    address place = market.toAddress();
    if (place == vBnb) {
      IWrappedNative(wbnb).withdraw(amount);
      _call(place, amount, abi.encodeCall(IVBnb.repayBorrowBehalf, (borrower)));
      return;
    }
    token.forceApprove(place, amount);
    // `repayVAIBehalf` has the same arguments and returns its code first.
    bytes4 selector = _isVai(place) ? IVaiController.repayVAIBehalf.selector : IVToken.repayBorrowBehalf.selector;
    bytes memory answer = _call(place, 0, abi.encodeWithSelector(selector, borrower, amount));
    uint256 code = abi.decode(answer, (uint256));
    if (code != 0) revert RepayRejected(market, code);
    _resetAllowance(token, place);
  }

  function _repayToken(address place) internal view returns (address) {
    if (_isVai(place)) return IVaiController(place).getVAIAddress();
    if (!comptroller.markets(place)) revert MarketNotListed(place.toMarket());
    return _tokenOf(place);
  }

  function _tokenOf(address vToken) private view returns (address) {
    return vToken == vBnb ? wbnb : IVToken(vToken).underlying();
  }

  /// Venus refuses a repayment while it is paused. The pauses are read only after a refusal, to name the reason.
  function _call(address place, uint256 value, bytes memory call) private returns (bytes memory answer) {
    bool isAccepted;
    (isAccepted, answer) = place.call{value: value}(call);
    if (isAccepted) return answer;
    if (comptroller.protocolPaused() || comptroller.actionPaused(place, REPAY)) revert RepayPaused(place.toMarket());
    LibCall.bubbleUpRevert(answer);
  }

  function _isForced(address borrower, address place) private view returns (bool) {
    return
      comptroller.isForcedLiquidationEnabled(place) || comptroller.isForcedLiquidationEnabledForUser(borrower, place);
  }

  function _isVai(address place) internal view returns (bool) {
    return place != address(0) && place == comptroller.vaiController();
  }

  /// The oracle reverts if a feed is stale or deviates from the other feeds. Venus cannot liquidate in that case
  /// either.
  function _price(IResilientOracle oracle, address vToken) internal view returns (uint256) {
    try oracle.getUnderlyingPrice(vToken) returns (uint256 price) {
      if (price != 0) return price;
    } catch {}
    revert PriceUnavailable(vToken.toMarket());
  }

  /// Σ ⌊debt · price / 1e18⌋ over the entered markets, with VAI at one USD: the comptroller's own sum, with the same
  /// rounding. A borrower cannot leave a market with debt, so no debt is missed.
  function _debtValue(address borrower, address[] memory entered, IResilientOracle oracle)
    private
    view
    returns (uint256 debtValue)
  {
    for (uint256 i; i < entered.length; ++i) {
      uint256 debt = IVToken(entered[i]).borrowBalanceStored(borrower);
      if (debt != 0) debtValue += debt * _price(oracle, entered[i]) / WAD;
    }
    address vaiController = comptroller.vaiController();
    if (vaiController != address(0)) debtValue += IVaiController(vaiController).getVAIRepayAmount(borrower);
  }

  function _liquidity(address borrower, address[] memory entered, IResilientOracle oracle)
    private
    view
    returns (uint256, uint256)
  {
    uint256 failure = NO_ANSWER;
    try comptroller.getAccountLiquidity(borrower) returns (uint256 code, uint256 liquidity, uint256 shortfall) {
      if (code == 0) return (liquidity, shortfall);
      failure = code;
    } catch {}
    // The likely cause is one collateral's feed: `_price` reverts with its market. The oracle reverts for an invalid
    // feed, and the comptroller returns a code for a price of zero.
    for (uint256 i; i < entered.length; ++i) {
      _price(oracle, entered[i]);
    }
    revert AccountUnreadable(borrower, failure);
  }
}
