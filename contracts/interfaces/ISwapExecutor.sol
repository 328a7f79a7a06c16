// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPancakeV3SwapCallback} from "./IPancakeV3Pool.sol";
import {IPlanExecutor} from "./IPlanExecutor.sol";
import {IPlanRegistry} from "./IPlanRegistry.sol";

/// @title Runs plans over PancakeSwap v3
/// @notice The operator, a key that the agent holds, chooses when to run and which pools to use. The registry's floor
/// bounds the cost of a bad choice. Holds no funds between calls.
interface ISwapExecutor is IPlanExecutor, IPancakeV3SwapCallback {
  /// @notice One run of a batch: the arguments of `execute`.
  struct Order {
    uint256 planId;
    uint256 expectedVersion;
    IPlanRegistry.Ticket ticket;
    bytes signature;
    bytes path;
  }

  /// @notice The outcome of one order.
  struct Result {
    bool isExecuted;
    /// tokenOut base units that the recipient received; zero if the order was not executed.
    uint256 amountOut;
    /// Why the order was not executed: the first 132 bytes of its revert data. Empty if it was executed, if it ran out
    /// of gas, or if it reverted without data.
    bytes failure;
  }

  event OperatorProposed(address indexed operator);
  event OperatorChanged(address indexed before, address indexed operator);
  /// @param failure As in `Result`.
  event RunFailed(uint256 indexed planId, bytes failure);

  error NotOperator(address caller);
  error NotRotator(address caller);
  error NotProposed(address caller);
  error NotRegistry(address caller);
  error PathMalformed(uint256 length);
  error PathEndsWrong(address first, address last);
  error PoolMissing(address pool);
  error PoolTookLess(address pool, uint256 taken, uint256 amountIn);
  error NotPool(address caller);
  error OperatorRefused(address operator, address rotator);
  error OrdersMissing();

  /// @notice Runs the plan's open slot. Only the operator may call this.
  /// @param expectedVersion The version of the plan's terms.
  /// @param ticket The signed verdict, which must be GO.
  /// @param signature The verdict signer's signature; empty for a plan without a signer.
  /// @param path PancakeSwap v3 route over one to three pools: token, 3-byte fee, token, …; from the plan's tokenIn to
  /// its tokenOut.
  /// @return amountOut tokenOut base units that the recipient received.
  function execute(
    uint256 planId,
    uint256 expectedVersion,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata path
  ) external returns (uint256 amountOut);

  /// @notice Runs several plans independently: one that reverts does not stop the others. Only the operator may call
  /// this. The first order to run changes from block to block, so that no plan always trades at a price that the others
  /// have moved.
  ///
  /// Each run gets exactly the same gas. If less is left for the next run, the whole batch reverts with GasTooLow.
  /// Compute the transaction's gas limit with `gasLimitOf`; do not estimate it. An estimate covers what the runs use in
  /// one block, in that block's order; in a block where they use more, the batch would revert.
  /// @param gasPerRun The gas of each run, if more than `GAS_PER_RUN`: for a chain whose opcodes have become more
  /// expensive.
  /// @return results In the order of `orders`.
  function executeBatch(Order[] calldata orders, uint256 gasPerRun) external returns (Result[] memory results);

  /// @notice Records why the operator does not run the plan's open slot now. Only the operator may call this.
  /// @param signature The verdict signer's signature of the ticket, or empty if the verdict is the operator's own
  /// claim.
  function defer(
    uint256 planId,
    uint256 expectedVersion,
    uint16 reason,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature
  ) external;

  /// @notice Proposes the next operator, who takes over with `acceptOperator`. Only the rotator may call this, and it
  /// can do nothing else.
  function proposeOperator(address operator) external;

  /// @notice Makes the caller the operator. Only the proposed operator may call this.
  function acceptOperator() external;

  /// @notice Returns the maximum gas that a batch of this many orders needs, excluding the transaction's base cost of
  /// 21,000 and its calldata.
  function gasLimitOf(uint256 orders, uint256 gasPerRun) external pure returns (uint256);

  function operator() external view returns (address);
  function proposedOperator() external view returns (address);
  function rotator() external view returns (address);
}
