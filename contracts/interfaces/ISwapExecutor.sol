// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IFundsReceiver} from "./IFundsReceiver.sol";
import {IPlanRegistry} from "./IPlanRegistry.sol";

/// @title Runs plans over PancakeSwap v3
/// @notice The operator, a key that the agent holds, chooses when to run and which pools to use; the registry's floor
/// bounds what a bad choice can cost. Holds no funds between transactions.
interface ISwapExecutor is IFundsReceiver {
  /// @notice One run of a batch; what `execute` takes.
  struct Order {
    uint256 planId;
    uint256 expectedVersion;
    IPlanRegistry.Ticket ticket;
    bytes signature;
    bytes path;
  }

  /// @notice What became of an order.
  struct Result {
    bool isExecuted;
    /// tokenOut base units that the recipient received; zero if it was not executed.
    uint256 amountOut;
    /// Why it was not executed: the first 132 bytes of what it reverted with. Empty if it was, if its gas ran out, and if
    /// it gave no reason.
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
  error LeftBehind(address token, uint256 amount);
  error OperatorRefused(address operator, address rotator);
  error OrdersMissing();
  error GasTooLow(uint256 gasLeft, uint256 needed);

  /// @notice Runs the plan's open slot. The operator's.
  /// @param expectedVersion Of the plan's terms.
  /// @param ticket The signed verdict, which must be GO.
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

  /// @notice Runs several plans, each on its own: one that is refused stops no other. The operator's. Who is served first changes
  /// from block to block, so that no plan always trades at the price that the others have moved.
  ///
  /// Each run has `GAS_PER_RUN` and no more. The caller works out the transaction's gas limit by `gasLimitOf` and never
  /// estimates it: an estimate finds the least gas at which the transaction succeeds, and that would be one at which runs fail. Too little
  /// reverts the whole batch.
  /// @return results In the order of `orders`.
  function executeBatch(Order[] calldata orders) external returns (Result[] memory results);

  /// @notice Records why the plan's open slot is not executed now. The operator's.
  /// @param signature The plan's verdict signer's over the ticket, or empty for the operator's own claim.
  function defer(
    uint256 planId,
    uint256 expectedVersion,
    uint16 reason,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature
  ) external;

  /// @notice Names the next operator, who takes over by `acceptOperator`. The rotator's; it can do nothing else.
  function proposeOperator(address operator) external;

  /// @notice Takes over as operator. The proposed operator's.
  function acceptOperator() external;

  /// @notice Gas that a batch of so many orders needs at most, besides the transaction's own: 21,000 and its data.
  function gasLimitOf(uint256 orders) external pure returns (uint256);

  function operator() external view returns (address);
  function proposedOperator() external view returns (address);
  function rotator() external view returns (address);
}
