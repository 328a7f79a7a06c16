// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LibCall} from "solady/utils/LibCall.sol";

import {IFundsReceiver} from "./interfaces/IFundsReceiver.sol";
import {IPancakeV3Router} from "./interfaces/IPancakeV3Router.sol";
import {IPlanRegistry} from "./interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "./interfaces/ISwapExecutor.sol";

/// @title SwapExecutor
/// @notice Runs plans over PancakeSwap v3.
/// @dev A run takes one path: `execute` → the registry pulls the funds and calls `onFundsPulled` → the router swaps →
/// the registry collects the delivery in `recordRun`.
///
/// Assumptions:
/// - The registry calls `onFundsPulled` only during a `pullFunds` that this contract started.
/// - The router takes at most its allowance and pays this contract at least `amountOutMinimum`.
/// - The operator may choose a bad route. The registry's floor bounds the cost, and the operator can keep nothing.
/// - The rotator can propose the next operator and nothing else.
contract SwapExecutor is ISwapExecutor {
  using LibCall for address;
  using SafeERC20 for IERC20;

  /// More than twice the gas of a run over one pool.
  uint256 public constant GAS_PER_RUN = 700_000;
  /// Gas per order of a batch: the call itself, and everything around it.
  uint256 private constant GAS_PER_CALL = 10_000;
  uint256 private constant GAS_PER_ORDER = 40_000;
  /// An error's selector and four words.
  uint16 private constant MAX_FAILURE_BYTES = 132;

  IPlanRegistry public immutable registry;
  IPancakeV3Router public immutable router;
  /// @inheritdoc ISwapExecutor
  address public immutable rotator;
  /// @inheritdoc ISwapExecutor
  address public operator;
  /// @inheritdoc ISwapExecutor
  address public proposedOperator;

  modifier onlyOperator() {
    if (msg.sender != operator) revert NotOperator(msg.sender);
    _;
  }

  constructor(IPlanRegistry registry_, IPancakeV3Router router_, address operator_, address rotator_) {
    // The rotator exists to replace the operator, so both must be set and must differ.
    if (operator_ == address(0) || rotator_ == address(0) || operator_ == rotator_) {
      revert OperatorRefused(operator_, rotator_);
    }
    registry = registry_;
    router = router_;
    operator = operator_;
    rotator = rotator_;
    emit OperatorChanged(address(0), operator_);
  }

  /// @inheritdoc ISwapExecutor
  function execute(
    uint256 planId,
    uint256 expectedVersion,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata path
  ) external onlyOperator returns (uint256 amountOut) {
    return registry.pullFunds(planId, expectedVersion, ticket, signature, path);
  }

  /// @inheritdoc ISwapExecutor
  function executeBatch(Order[] calldata orders) external onlyOperator returns (Result[] memory results) {
    if (orders.length == 0) revert OrdersMissing();
    results = new Result[](orders.length);
    uint256 first = block.number % orders.length;
    for (uint256 i; i < orders.length; ++i) {
      uint256 next = (first + i) % orders.length;
      results[next] = _tryExecute(orders[next]);
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

  /// @inheritdoc IFundsReceiver
  function onFundsPulled(IPlanRegistry.Pull calldata pull, bytes calldata path) external {
    if (msg.sender != address(registry)) revert NotRegistry(msg.sender);
    _requireEnds(path, pull.tokenIn, pull.tokenOut);

    IERC20 tokenIn = IERC20(pull.tokenIn);
    IERC20 tokenOut = IERC20(pull.tokenOut);
    // The balance before the pull. The registry has checked that the pull added exactly `amountIn`.
    uint256 inBefore = tokenIn.balanceOf(address(this)) - pull.amountIn;
    uint256 outBefore = tokenOut.balanceOf(address(this));

    _swap(tokenIn, inBefore, pull, path);

    // Counts only what the swap paid, not tokens already here: a donation of one unit must neither stop a run nor pay
    // for one.
    uint256 amountOut = Math.saturatingSub(tokenOut.balanceOf(address(this)), outBefore);
    tokenOut.forceApprove(address(registry), amountOut);
    registry.recordRun(pull.planId, amountOut);
    _takeBackAllowance(tokenOut, address(registry));

    _requireNothingLeft(tokenIn, inBefore);
    _requireNothingLeft(tokenOut, outBefore);
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
  function gasLimitOf(uint256 orders) external pure returns (uint256) {
    return orders * (GAS_PER_RUN * 64 / 63 + GAS_PER_ORDER);
  }

  function _tryExecute(Order calldata order) private returns (Result memory result) {
    bytes memory call = abi.encodeCall(
      registry.pullFunds, (order.planId, order.expectedVersion, order.ticket, order.signature, order.path)
    );
    // A call receives at most 63/64 of the remaining gas, whatever limit it names. With less left than this, the run
    // would get less than its budget and fail because the operator sent too little gas.
    uint256 needed = GAS_PER_RUN * 64 / 63 + GAS_PER_CALL;
    if (gasleft() < needed) revert GasTooLow(gasleft(), needed);
    bytes memory answer;
    // Copies only as much return data as an error needs: a megabyte of it would use up the gas of the following runs.
    (result.isExecuted,, answer) = address(registry).tryCall(0, GAS_PER_RUN, MAX_FAILURE_BYTES, call);
    if (result.isExecuted) {
      result.amountOut = abi.decode(answer, (uint256));
    } else {
      result.failure = answer;
      emit RunFailed(order.planId, answer);
    }
  }

  function _swap(IERC20 tokenIn, uint256 inBefore, IPlanRegistry.Pull calldata pull, bytes calldata path) private {
    tokenIn.forceApprove(address(router), pull.amountIn);
    router.exactInput(
      IPancakeV3Router.ExactInputParams({
        path: path,
        recipient: address(this),
        deadline: block.timestamp,
        amountIn: pull.amountIn,
        amountOutMinimum: pull.floor
      })
    );
    _takeBackAllowance(tokenIn, address(router));

    // The router spends its own BNB instead of WBNB if it holds some, and a drained pool takes only part of the input.
    // The unspent amount belongs to the owner. If this reverted instead, a stranger could stop every run that sells
    // WBNB by lending the router BNB for one block.
    uint256 unspent = Math.saturatingSub(tokenIn.balanceOf(address(this)), inBefore);
    if (unspent != 0) tokenIn.safeTransfer(registry.plan(pull.planId).terms.owner, unspent);
  }

  /// The allowance is usually used up already, and reading it costs less than resetting it to zero.
  function _takeBackAllowance(IERC20 token, address spender) private {
    if (token.allowance(address(this), spender) != 0) token.forceApprove(spender, 0);
  }

  /// If a token moves one unit less than requested, or rebases during a transfer, the remainder would stay here, where
  /// nobody can withdraw it.
  function _requireNothingLeft(IERC20 token, uint256 before) private view {
    uint256 left = Math.saturatingSub(token.balanceOf(address(this)), before);
    if (left != 0) revert LeftBehind(address(token), left);
  }

  /// A v3 path is a 20-byte token followed, for each pool, by a 3-byte fee and a 20-byte token.
  function _requireEnds(bytes calldata path, address tokenIn, address tokenOut) private pure {
    if (path.length < 43 || (path.length - 20) % 23 != 0) revert PathMalformed(path.length);
    address first = address(bytes20(path[:20]));
    address last = address(bytes20(path[path.length - 20:]));
    if (first != tokenIn || last != tokenOut) revert PathEndsWrong(first, last);
  }
}
