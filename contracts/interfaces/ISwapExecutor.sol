// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IFundsReceiver} from "./IFundsReceiver.sol";
import {IPlanRegistry} from "./IPlanRegistry.sol";

/// @title Runs plans over PancakeSwap v3
/// @notice The operator, a key that the agent holds, chooses when to run and which pools to use; the registry's floor
/// bounds what a bad choice can cost. Holds no funds between transactions.
interface ISwapExecutor is IFundsReceiver {
  event OperatorProposed(address indexed operator);
  event OperatorChanged(address indexed before, address indexed operator);

  error NotOperator(address caller);
  error NotRotator(address caller);
  error NotProposed(address caller);
  error NotRegistry(address caller);
  error PathMalformed(uint256 length);
  error PathEndsWrong(address first, address last);
  error OperatorRefused(address operator, address rotator);

  /// @notice Runs the plan's open slot. The operator's.
  /// @param expectedVersion Of the plan's terms.
  /// @param ticket What the guard engine found; its verdict must be GO.
  /// @param signature The plan's verdict signer's; empty for a plan without one.
  /// @param path PancakeSwap v3 route: token, 3-byte fee, token, …; from the plan's tokenIn to its tokenOut.
  /// @return amountOut tokenOut base units that the recipient received.
  function execute(
    uint256 planId,
    uint256 expectedVersion,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata path
  ) external returns (uint256 amountOut);

  /// @notice Records why the plan's open slot is not executed now. The operator's.
  function defer(uint256 planId, uint16 reason, IPlanRegistry.Claim calldata claim) external;

  /// @notice Names the next operator, who takes over by `acceptOperator`. The rotator's; it can do nothing else.
  function proposeOperator(address operator) external;

  /// @notice Takes over as operator. The proposed operator's.
  function acceptOperator() external;

  function operator() external view returns (address);
  function proposedOperator() external view returns (address);
  function rotator() external view returns (address);
}
