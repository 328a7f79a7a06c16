// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";

/// @title LendingMarket
/// @notice How every adapter handles the tokens of a repayment.
abstract contract LendingMarket is ILendingMarket, ReentrancyGuardTransient {
  using SafeERC20 for IERC20;

  /// @inheritdoc ILendingMarket
  function repay(address borrower, bytes32 market, uint256 amount, address leftoverTo) external nonReentrant {
    IERC20 token = IERC20(repayToken(market));
    uint256 balanceBefore = token.balanceOf(address(this));

    _repay(borrower, market, token, amount);

    // Measures what the market left instead of sweeping the balance: a donation to this address must neither pay for a
    // rescue nor distort its accounting.
    uint256 leftover = token.balanceOf(address(this)) + amount - balanceBefore;
    if (leftover != 0) token.safeTransfer(leftoverTo, leftover);
  }

  /// @inheritdoc ILendingMarket
  function repayToken(bytes32 market) public view virtual returns (address);

  /// Pays `amount` of the token to the protocol, and leaves it no allowance.
  function _repay(address borrower, bytes32 market, IERC20 token, uint256 amount) internal virtual;

  function _resetAllowance(IERC20 token, address spender) internal {
    if (token.allowance(address(this), spender) != 0) token.forceApprove(spender, 0);
  }
}
