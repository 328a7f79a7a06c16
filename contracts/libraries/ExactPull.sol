// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title Transfers exactly the permitted amount
/// @notice Measures both balances, so it refuses a token that charges a fee or pays the receiver from elsewhere.
library ExactPull {
  using SafeERC20 for IERC20;

  error PullInexact(uint256 expected, uint256 payerFell, uint256 receiverRose);

  /// @notice Moves `amount` base units from `payer` to `receiver` through the payer's allowance to the calling
  /// contract. Reverts with PullInexact unless both balances change by exactly `amount`.
  function pullExactly(IERC20 token, address payer, address receiver, uint256 amount) internal {
    uint256 payerBefore = token.balanceOf(payer);
    uint256 receiverBefore = token.balanceOf(receiver);
    token.safeTransferFrom(payer, receiver, amount);
    uint256 payerFell = Math.saturatingSub(payerBefore, token.balanceOf(payer));
    uint256 receiverRose = Math.saturatingSub(token.balanceOf(receiver), receiverBefore);
    if (payerFell != amount || receiverRose != amount) revert PullInexact(amount, payerFell, receiverRose);
  }
}
