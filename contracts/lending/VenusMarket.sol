// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";
import {IResilientOracle, IVToken, IVaiController, IVenusComptroller} from "../interfaces/IVenus.sol";

/// @title VenusMarket
/// @notice The Venus core pool (10.x). Repays every vBEP20 market; debts in vBNB and VAI count towards health but are
/// not repaid here.
///
/// Venus has no health factor. Its liquidation test is `getAccountLiquidity`, L = W − D, by liquidation thresholds and
/// with e-mode applied; D is summed here as the comptroller sums it, and W = D + L.
contract VenusMarket is ILendingMarket, ReentrancyGuardTransient {
  using SafeERC20 for IERC20;

  uint256 private constant WAD = 1e18;

  IVenusComptroller public immutable comptroller;
  /// The native coin's market: it has no underlying token, and its fallback would burn all gas of a call that asks.
  address public immutable vBnb;

  constructor(IVenusComptroller comptroller_, address vBnb_) {
    comptroller = comptroller_;
    vBnb = vBnb_;
  }

  /// @inheritdoc ILendingMarket
  function repayToken(address market) public view returns (address) {
    if (!comptroller.markets(market)) revert MarketNotListed(market);
    if (market == vBnb) revert MarketNotSupported(market);
    return IVToken(market).underlying();
  }

  /// @inheritdoc ILendingMarket
  function accrueAndRead(address borrower, address market) external returns (Position memory position) {
    IResilientOracle oracle = IResilientOracle(comptroller.oracle());
    position.marketDebt = IVToken(market).borrowBalanceCurrent(borrower);
    position.repayTokenPriceWad = oracle.getUnderlyingPrice(market);
    if (position.repayTokenPriceWad == 0) revert RepayTokenNotPriced(market);

    (uint256 code, uint256 liquidity, uint256 shortfall) = comptroller.getAccountLiquidity(borrower);
    if (code != 0) revert AccountUnreadable(borrower, code);
    position.debtUsd = _debtUsd(borrower, oracle);
    if (shortfall > position.debtUsd) revert ShortfallAboveDebt(shortfall, position.debtUsd);
    position.weightedCollateralUsd = position.debtUsd + liquidity - shortfall;
  }

  /// @inheritdoc ILendingMarket
  function storedDebt(address borrower, address market) external view returns (uint256) {
    return IVToken(market).borrowBalanceStored(borrower);
  }

  /// @inheritdoc ILendingMarket
  function repay(address borrower, address market, uint256 amount, address leftoverTo) external nonReentrant {
    IERC20 token = IERC20(repayToken(market));
    uint256 balanceBefore = token.balanceOf(address(this));

    token.forceApprove(market, amount);
    uint256 code = IVToken(market).repayBorrowBehalf(borrower, amount);
    if (code != 0) revert RepayRejected(market, code);
    token.forceApprove(market, 0);

    // Measured, not swept: a gift to this address must be able neither to pay for a rescue nor to upset its sums.
    uint256 leftover = token.balanceOf(address(this)) + amount - balanceBefore;
    if (leftover != 0) token.safeTransfer(leftoverTo, leftover);
  }

  /// Σ ⌊debt · price / 1e18⌋ over the markets entered, and VAI at one USD: the comptroller's own sum, cut as it cuts.
  /// A market with a debt cannot be left, so that none is missed.
  function _debtUsd(address borrower, IResilientOracle oracle) private view returns (uint256 debtUsd) {
    address[] memory markets = comptroller.getAssetsIn(borrower);
    for (uint256 i; i < markets.length; ++i) {
      uint256 debt = IVToken(markets[i]).borrowBalanceStored(borrower);
      if (debt != 0) debtUsd += debt * oracle.getUnderlyingPrice(markets[i]) / WAD;
    }
    address vaiController = comptroller.vaiController();
    if (vaiController != address(0)) debtUsd += IVaiController(vaiController).getVAIRepayAmount(borrower);
  }
}
