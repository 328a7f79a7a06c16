// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPancakeV3Router} from "../../contracts/interfaces/IPancakeV3Router.sol";

/// Takes the path's first token and pays its last from its own stock, as much as a test sets. Used where the real
/// router cannot be made to misbehave: to take a part, or to ignore the minimum.
contract MockV3Router is IPancakeV3Router {
  using SafeERC20 for IERC20;

  uint256 public amountOut;
  uint256 public takenBps = 10_000;
  bool public ignoresMinimum;
  ExactInputParams private _asked;

  function setAmountOut(uint256 amountOut_) external {
    amountOut = amountOut_;
  }

  function setTakenBps(uint256 takenBps_) external {
    takenBps = takenBps_;
  }

  function ignoreMinimum() external {
    ignoresMinimum = true;
  }

  function exactInput(ExactInputParams calldata params) external payable returns (uint256) {
    _asked = params;
    require(block.timestamp <= params.deadline, "Transaction too old");
    require(ignoresMinimum || amountOut >= params.amountOutMinimum, "Too little received");
    IERC20 first = IERC20(address(bytes20(params.path[:20])));
    IERC20 last = IERC20(address(bytes20(params.path[params.path.length - 20:])));
    first.safeTransferFrom(msg.sender, address(this), params.amountIn * takenBps / 10_000);
    last.safeTransfer(params.recipient, amountOut);
    return amountOut;
  }

  /// The parameters of the last swap.
  function asked() external view returns (ExactInputParams memory) {
    return _asked;
  }
}
