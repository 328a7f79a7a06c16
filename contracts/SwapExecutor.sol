// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {LibCall} from "solady/utils/LibCall.sol";

import {IPancakeV3Pool, IPancakeV3SwapCallback} from "./interfaces/IPancakeV3Pool.sol";
import {IPlanExecutor} from "./interfaces/IPlanExecutor.sol";
import {IPlanRegistry} from "./interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "./interfaces/ISwapExecutor.sol";
import {BatchCall} from "./libraries/BatchCall.sol";
import {PancakePools} from "./libraries/PancakePools.sol";

/// @title SwapExecutor
/// @notice Runs plans over PancakeSwap v3, calling its pools directly.
/// @dev A run takes one path: `execute` → the registry calls `onRunOpened` → the first pool asks for its input in
/// `pancakeV3SwapCallback`, and the registry pays it out of the owner's funds by `payTo` → the last pool pays the
/// registry, which delivers in `recordRun`. With one pool, no token passes through this contract. With more, it holds
/// each pool's output until the next pool takes all of it.
///
/// Assumptions:
/// - The registry calls `onRunOpened` only during a `pullFunds` that this contract started.
/// - A pool at an address derived from PancakeSwap's code calls back only the caller of `swap`, and passes on `data`
///   unchanged.
/// - The operator may choose a bad route, even over pools of its own. At worst it takes everything above the registry's
///   floor.
/// - The rotator can propose the next operator and nothing else.
contract SwapExecutor is ISwapExecutor {
  using LibCall for address;
  using SafeCast for int256;
  using SafeCast for uint256;
  using SafeERC20 for IERC20;

  /// Enough, with a 30 % margin, for a run over three pools with Venus as its price source and a signed verdict. More
  /// than three times the gas of a run over one pool.
  uint256 public constant GAS_PER_RUN = 1_000_000;
  /// Overhead of a batch per order.
  uint256 private constant GAS_PER_ORDER = 40_000;
  /// Bytes of a token plus a pool's fee in a path.
  uint256 private constant TOKEN_BYTES = 20;
  uint256 private constant HOP_BYTES = 23;
  /// Length of a path over three pools.
  uint256 private constant MAX_PATH_BYTES = TOKEN_BYTES + 3 * HOP_BYTES;
  /// One inside a pool's minimum and maximum price: no limit.
  uint160 private constant MIN_SQRT_PRICE = 4295128740;
  uint160 private constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  IPlanRegistry public immutable registry;
  /// PancakeSwap v3's pool deployer.
  address public immutable poolDeployer;
  /// @inheritdoc ISwapExecutor
  address public immutable rotator;
  /// @inheritdoc ISwapExecutor
  address public operator;
  /// @inheritdoc ISwapExecutor
  address public proposedOperator;

  /// The pool that is swapping: the only one that may claim its input.
  address private transient _pool;

  modifier onlyOperator() {
    if (msg.sender != operator) revert NotOperator(msg.sender);
    _;
  }

  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_) {
    // The rotator exists to replace the operator, so both must be set and must differ.
    if (operator_ == address(0) || rotator_ == address(0) || operator_ == rotator_) {
      revert OperatorRefused(operator_, rotator_);
    }
    registry = registry_;
    poolDeployer = poolDeployer_;
    operator = operator_;
    rotator = rotator_;
    emit OperatorChanged(address(0), operator_);
  }

  /// @inheritdoc ISwapExecutor
  function execute(uint256, uint256, IPlanRegistry.Ticket calldata, bytes calldata, bytes calldata)
    external
    onlyOperator
    returns (uint256 amountOut)
  {
    // The arguments are those of `pullFunds`. Re-encoding them would cost every run 700 gas.
    bytes memory answer = address(registry).callContract(bytes.concat(registry.pullFunds.selector, msg.data[4:]));
    return abi.decode(answer, (uint256));
  }

  /// @inheritdoc ISwapExecutor
  function executeBatch(Order[] calldata orders, uint256 gasPerRun)
    external
    onlyOperator
    returns (Result[] memory results)
  {
    if (orders.length == 0) revert OrdersMissing();
    uint256 budget = Math.max(GAS_PER_RUN, gasPerRun);
    results = new Result[](orders.length);
    uint256 first = block.number % orders.length;
    for (uint256 i; i < orders.length; ++i) {
      uint256 next = (first + i) % orders.length;
      results[next] = _tryExecute(orders[next], budget);
    }
  }

  /// @inheritdoc ISwapExecutor
  function defer(
    uint256 planId,
    uint256 expectedVersion,
    uint16 reason,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature
  ) external onlyOperator {
    registry.recordDeferral(planId, expectedVersion, reason, ticket, signature);
  }

  /// @inheritdoc IPlanExecutor
  function onRunOpened(IPlanRegistry.OpenRun calldata run, bytes calldata path) external {
    if (msg.sender != address(registry)) revert NotRegistry(msg.sender);
    _requireRoute(path, run.tokenIn, run.tokenOut);

    _route(path, run.amountIn, "");
    registry.recordRun(run.planId);
  }

  /// @inheritdoc IPancakeV3SwapCallback
  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
    if (msg.sender != _pool) revert NotPool(msg.sender);
    // Each swap may claim its input only once.
    _pool = address(0);
    if (data.length == 0) {
      registry.payTo(msg.sender);
    } else {
      int256 owed = amount0Delta > 0 ? amount0Delta : amount1Delta;
      IERC20(abi.decode(data, (address))).safeTransfer(msg.sender, owed.toUint256());
    }
  }

  /// @inheritdoc ISwapExecutor
  function proposeOperator(address operator_) external {
    if (msg.sender != rotator) revert NotRotator(msg.sender);
    if (operator_ == rotator) revert OperatorRefused(operator_, rotator);
    proposedOperator = operator_;
    emit OperatorProposed(operator_);
  }

  /// @inheritdoc ISwapExecutor
  function acceptOperator() external {
    if (msg.sender != proposedOperator) revert NotProposed(msg.sender);
    emit OperatorChanged(operator, msg.sender);
    operator = msg.sender;
    proposedOperator = address(0);
  }

  /// @inheritdoc ISwapExecutor
  function gasLimitOf(uint256 orders, uint256 gasPerRun) external pure returns (uint256) {
    return BatchCall.gasLimitOf(orders, Math.max(GAS_PER_RUN, gasPerRun), GAS_PER_ORDER);
  }

  function _tryExecute(Order calldata order, uint256 budget) private returns (Result memory result) {
    bytes memory call = abi.encodeCall(
      registry.pullFunds, (order.planId, order.expectedVersion, order.ticket, order.signature, order.path)
    );
    bytes memory answer;
    (result.isExecuted, answer) = BatchCall.tryCall(address(registry), budget, call);
    if (result.isExecuted) {
      result.amountOut = abi.decode(answer, (uint256));
    } else {
      result.failure = answer;
      emit RunFailed(order.planId, answer);
    }
  }

  /// Swaps all of `amountIn` along a path.
  /// @param payment Data for the first pool's callback: empty if the registry pays the input, else the path's first
  /// token, which this contract pays.
  function _route(bytes calldata path, uint256 amountIn, bytes memory payment) private {
    if (path.length == HOP_BYTES + TOKEN_BYTES) return _swap(path, amountIn, address(registry), payment);

    // Tokens left here before are no part of the run. A token that moves one unit less than requested, or rebases
    // between two transfers, must not leave a remainder either: nobody could withdraw it.
    IERC20 token = IERC20(address(bytes20(path[HOP_BYTES:])));
    uint256 balanceBefore = token.balanceOf(address(this));
    _swap(path, amountIn, address(this), payment);
    uint256 received = Math.saturatingSub(token.balanceOf(address(this)), balanceBefore);
    _route(path[HOP_BYTES:], received, abi.encode(token));
    uint256 left = Math.saturatingSub(token.balanceOf(address(this)), balanceBefore);
    if (left != 0) revert IPlanRegistry.LeftBehind(address(token), left);
  }

  /// Swaps all of `amountIn` at the first pool of a path.
  function _swap(bytes calldata path, uint256 amountIn, address recipient, bytes memory payment) private {
    address tokenIn = address(bytes20(path));
    address tokenOut = address(bytes20(path[HOP_BYTES:]));
    address pool = PancakePools.poolOf(poolDeployer, tokenIn, tokenOut, uint24(bytes3(path[TOKEN_BYTES:])));
    if (pool.code.length == 0) revert PoolMissing(pool);
    bool zeroForOne = tokenIn < tokenOut;

    _pool = pool;
    int256 amount = amountIn.toInt256();
    (int256 amount0, int256 amount1) =
      IPancakeV3Pool(pool).swap(recipient, zeroForOne, amount, zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE, payment);

    // A pool that runs out of liquidity claims less than `amountIn`, and the rest would be left over.
    int256 taken = zeroForOne ? amount0 : amount1;
    if (taken != amount) revert PoolTookLess(pool, taken.toUint256(), amountIn);
  }

  /// A v3 path is a 20-byte token followed, for each pool, by a 3-byte fee and a 20-byte token.
  function _requireRoute(bytes calldata path, address tokenIn, address tokenOut) private pure {
    uint256 length = path.length;
    if (length % HOP_BYTES != TOKEN_BYTES || length == TOKEN_BYTES || length > MAX_PATH_BYTES) {
      revert PathMalformed(length);
    }
    address first = address(bytes20(path));
    address last = address(bytes20(path[length - TOKEN_BYTES:]));
    if (first != tokenIn || last != tokenOut) revert PathEndsWrong(first, last);
  }
}
