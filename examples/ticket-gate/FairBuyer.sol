// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITickets, TicketGate} from "@bowline/sdk/solidity/TicketGate.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @notice The router of PancakeSwap v3.
interface IRouter {
  struct Swap {
    address tokenIn;
    address tokenOut;
    uint24 fee;
    address recipient;
    uint256 deadline;
    uint256 amountIn;
    uint256 amountOutMinimum;
    uint160 sqrtPriceLimitX96;
  }

  function exactInputSingle(Swap calldata swap) external payable returns (uint256 amountOut);
}

/// @title Buys on PancakeSwap for any caller with a GO ticket
contract FairBuyer is TicketGate {
  using SafeERC20 for IERC20;

  IRouter public immutable ROUTER;

  constructor(ITickets planRegistry, address verdictSigner, IRouter router) TicketGate(planRegistry, verdictSigner) {
    ROUTER = router;
  }

  /// @param fee The pool's fee, in millionths.
  function buy(
    ITickets.Ticket calldata ticket,
    bytes calldata signature,
    address tokenIn,
    uint256 amountIn,
    address tokenOut,
    uint256 minAmountOut,
    uint24 fee
  ) external returns (uint256 amountOut) {
    _demandGo(ticket, signature, tokenIn, amountIn, tokenOut, minAmountOut);
    IERC20(tokenIn).safeTransferFrom(msg.sender, address(this), amountIn);
    IERC20(tokenIn).forceApprove(address(ROUTER), amountIn);
    return ROUTER.exactInputSingle(
      IRouter.Swap({
        tokenIn: tokenIn,
        tokenOut: tokenOut,
        fee: fee,
        recipient: msg.sender,
        deadline: block.timestamp,
        amountIn: amountIn,
        amountOutMinimum: minAmountOut,
        sqrtPriceLimitX96: 0
      })
    );
  }
}
