// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LibCall} from "solady/utils/LibCall.sol";

import {ICollateralMarket} from "../interfaces/ICollateralMarket.sol";
import {IResilientOracle, IVTokenDeposit, IVenusComptroller, IVenusDeposits} from "../interfaces/IVenus.sol";
import {IWrappedNative} from "../interfaces/IWrappedNative.sol";
import {MarketAddress} from "../libraries/MarketAddress.sol";
import {VenusMarket} from "./VenusMarket.sol";

/// @title VenusCollateral
/// @notice Both sides of the Venus core pool: debt as in VenusMarket, and vTokens redeemed for their underlying, or for
/// WBNB from vBNB.
/// @dev It redeems only what it holds and never enters a market, so Venus does not check its liquidity.
contract VenusCollateral is VenusMarket, ICollateralMarket {
  using MarketAddress for bytes32;
  using SafeERC20 for IERC20;

  /// The comptroller's numbers for two actions.
  uint8 private constant REDEEM = 1;
  uint8 private constant TRANSFER = 6;
  /// The comptroller's number for weights by collateral factor.
  uint8 private constant BY_FACTOR = 0;

  constructor(IVenusComptroller comptroller_, address vBnb_, address wbnb_) VenusMarket(comptroller_, vBnb_, wbnb_) {}

  /// Receives coins unwrapped on the way to vBNB, or redeemed from it, which leaves 2,300 gas.
  receive() external payable override {
    if (msg.sender != wbnb && msg.sender != vBnb) revert NotWbnb(msg.sender);
  }

  /// @inheritdoc ICollateralMarket
  function collateralToken(bytes32 market) public view returns (address) {
    address vToken = market.toAddress();
    // VAI has debt but no deposits.
    if (_isVai(vToken)) revert MarketNotListed(market);
    return _repayToken(vToken);
  }

  /// @inheritdoc ICollateralMarket
  function limitsOf(address account, bytes32 market) external view returns (Limits memory limits) {
    address vToken = market.toAddress();
    uint256 incentiveWad = IVenusDeposits(address(comptroller)).getEffectiveLiquidationIncentive(account, vToken);
    limits.incentiveWad = incentiveWad > WAD ? incentiveWad - WAD : 0;
    limits.weightWad = _weight(account, vToken);
    limits.factorWad = comptroller.getEffectiveLtvFactor(account, vToken, BY_FACTOR);
  }

  /// @inheritdoc ICollateralMarket
  function accrueAndReadCollateral(address account, bytes32 market) external returns (Collateral memory collateral) {
    address vToken = market.toAddress();
    collateral.token = collateralToken(market);
    collateral.receipt = vToken;
    uint256 code = IVTokenDeposit(vToken).accrueInterest();
    if (code != 0) revert WithdrawalRefused(market, code);
    collateral.receipts = IVTokenDeposit(vToken).balanceOf(account);
    collateral.rateWad = IVTokenDeposit(vToken).exchangeRateStored();
    collateral.feeWad = IVenusDeposits(address(comptroller)).treasuryPercent();
    collateral.priceWad = _price(IResilientOracle(comptroller.oracle()), vToken);
    collateral.weightWad = _weight(account, vToken);
    collateral.cash = IVTokenDeposit(vToken).getCash();
  }

  /// @inheritdoc ICollateralMarket
  function withdraw(bytes32 market, uint256 receipts, uint256 amount, address to, address leftoverTo)
    external
    nonReentrant
  {
    address vToken = market.toAddress();
    IERC20 token = IERC20(collateralToken(market));
    uint256 balanceBefore = token.balanceOf(address(this));
    uint256 coinsBefore = address(this).balance;

    (bool isAccepted, bytes memory answer) = vToken.call(abi.encodeCall(IVTokenDeposit.redeem, (receipts)));
    if (!isAccepted) {
      if (_isPaused(vToken, REDEEM)) revert WithdrawalPaused(market);
      LibCall.bubbleUpRevert(answer);
    }
    uint256 code = abi.decode(answer, (uint256));
    if (code != 0) revert WithdrawalRefused(market, code);
    if (vToken == vBnb) IWrappedNative(wbnb).deposit{value: address(this).balance - coinsBefore}();

    // Excludes the previous balance, as in `repay`.
    uint256 received = token.balanceOf(address(this)) - balanceBefore;
    if (received < amount) revert WithdrawalShort(market, received, amount);
    token.safeTransfer(to, amount);
    if (received != amount) token.safeTransfer(leftoverTo, received - amount);
  }

  /// @inheritdoc ICollateralMarket
  function explainTransfer(address account, bytes32 market) external view {
    if (_isPaused(market.toAddress(), TRANSFER)) revert TransferPaused(market);
    revert BorrowingPowerTooLow(account, market);
  }

  function _weight(address account, address vToken) private view returns (uint256) {
    if (!IVenusDeposits(address(comptroller)).checkMembership(account, vToken)) return 0;
    return comptroller.getEffectiveLtvFactor(account, vToken, BY_THRESHOLD);
  }

  function _isPaused(address vToken, uint8 action) private view returns (bool) {
    return comptroller.protocolPaused() || comptroller.actionPaused(vToken, action);
  }
}
