// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IFeed, IMultiplier, IQuoter, ISwapRouter} from "./Sources.sol";

/// @title MarketLens: reads everything the chain knows about a trade in one eth_call
/// @notice Never deployed. The caller uses the state override of an `eth_call` to place this code, and a balance of the
/// token to pay, at an unused address. Sources may be hostile. Each gets its own gas limit and answer size limit, so a
/// source that fails, loops or floods loses only its own answer, which is then empty.
contract MarketLens {
  struct Read {
    address source;
    bytes question;
  }

  /// One token of the trade: its base units per token, and the factors that convert its feed's answer to USD with 18
  /// decimals. A feed may price the underlying of the token. `multiplier` then returns how many underlyings one token
  /// represents; otherwise it is zero.
  struct Token {
    address token;
    uint256 unit;
    address feed;
    uint256 feedScale;
    address multiplier;
  }

  /// The unit of the size: base units of the token paid, USD with 18 decimals, or base units of the token received.
  enum SizeIn {
    Paid,
    Usd,
    Received
  }

  struct Trade {
    Token paid;
    Token received;
    bool isBuy;
    SizeIn sizeIn;
    uint256 size;
    uint24 fee;
    address quoter;
    address router;
  }

  /// The outcome of the simulated swap. `Unknown` if it could not be simulated: there was nothing to swap or no balance
  /// to pay with, or `simulate` failed in any other way, for example because a token reported no balance.
  enum Outcome {
    Unknown,
    Refused,
    NoWayBack,
    ThereAndBack
  }

  struct Snapshot {
    /// Hash of the call's data. In a batch of calls, an answer may reach the wrong caller.
    bytes32 asked;
    uint256 number;
    uint256 timestamp;
    /// The parent's hash, because a block's own hash is not available within it.
    bytes32 parentHash;
    bytes round;
    bytes quoteRound;
    /// The round before the asset's newest.
    bytes roundBefore;
    /// The asset's multiplier, if it has one.
    bytes multiplier;
    /// In the order of the reads.
    bytes[] answers;
    uint256 amountIn;
    bytes quote;
    Outcome outcome;
    uint256 received;
    uint256 returned;
  }

  error Simulated(Outcome outcome, uint256 received, uint256 returned);

  // All reads together need less than the gas of the call, so a source that uses up its share takes none from another.
  uint256 private constant READ_GAS = 500_000;
  uint256 private constant SWAP_GAS = 6_000_000;
  // Two swaps, two approvals and four balances.
  uint256 private constant SIMULATION_GAS = 2 * SWAP_GAS + 6 * READ_GAS;

  // In bytes. The longest expected answer has 14 words.
  uint256 private constant LONGEST_ANSWER = 1024;

  /// @notice Returns the hash of the call's data and the answer to each read. An answer is empty if the read failed.
  function ask(Read[] calldata reads) external view returns (bytes32 asked, bytes[] memory answers) {
    return (keccak256(msg.data), _answers(reads));
  }

  function read(Trade calldata trade, Read[] calldata reads) external returns (Snapshot memory snapshot) {
    (Token calldata asset, Token calldata quoteAsset) =
      trade.isBuy ? (trade.received, trade.paid) : (trade.paid, trade.received);
    snapshot.asked = keccak256(msg.data);
    snapshot.number = block.number;
    snapshot.timestamp = block.timestamp;
    snapshot.parentHash = blockhash(block.number - 1);
    snapshot.round = _newestRound(asset);
    snapshot.quoteRound = _newestRound(quoteAsset);
    snapshot.roundBefore = _roundBefore(asset, snapshot.round);
    if (asset.multiplier != address(0)) {
      snapshot.multiplier = _ask(asset.multiplier, abi.encodeCall(IMultiplier.multiplier, ()));
    }
    snapshot.answers = _answers(reads);
    try this.amountInOf(trade, snapshot) returns (uint256 amountIn) {
      snapshot.amountIn = amountIn;
    } catch {
      // No available price determines the amount to pay.
      return snapshot;
    }
    if (snapshot.amountIn == 0) return snapshot;
    snapshot.quote = _quoted(trade, snapshot.amountIn);
    (snapshot.outcome, snapshot.received, snapshot.returned) = _simulated(trade, snapshot.amountIn);
  }

  /// Returns the amount to pay. Rounds a size in USD down and a size in the received token up. Reverts if a required
  /// price is missing.
  function amountInOf(Trade calldata trade, Snapshot calldata snapshot) external pure returns (uint256) {
    if (trade.sizeIn == SizeIn.Paid) return trade.size;
    uint256 paidWad = _usdWad(trade.paid, trade.isBuy ? snapshot.quoteRound : snapshot.round, snapshot.multiplier);
    if (trade.sizeIn == SizeIn.Usd) return trade.size * trade.paid.unit / paidWad;
    uint256 receivedWad =
      _usdWad(trade.received, trade.isBuy ? snapshot.round : snapshot.quoteRound, snapshot.multiplier);
    uint256 divisor = paidWad * trade.received.unit;
    return (trade.size * receivedWad * trade.paid.unit + divisor - 1) / divisor;
  }

  /// Swaps, swaps everything received back, and reverts with the balance differences, so that nothing else sees the
  /// effects.
  function simulate(Trade calldata trade, uint256 amountIn) external {
    address paid = trade.paid.token;
    address received = trade.received.token;
    uint256 held = _balance(paid);
    // The node did not apply the override. This is not a refusal by the token.
    require(held >= amountIn);
    uint256 before = _balance(received);
    if (!_swap(trade, paid, received, amountIn)) revert Simulated(Outcome.Refused, 0, 0);
    uint256 got = _balance(received) - before;
    if (!_swap(trade, received, paid, got)) revert Simulated(Outcome.NoWayBack, got, 0);
    // Measured over both swaps, so that a fee charged to the sender on top counts as not returned.
    uint256 left = _balance(paid) + amountIn;
    revert Simulated(Outcome.ThereAndBack, got, left > held ? left - held : 0);
  }

  function _simulated(Trade calldata trade, uint256 amountIn) private returns (Outcome outcome, uint256, uint256) {
    try this.simulate{gas: SIMULATION_GAS}(trade, amountIn) {}
    catch (bytes memory reason) {
      // forge-lint: disable-next-line(unsafe-typecast)
      if (reason.length == 100 && bytes4(reason) == Simulated.selector) {
        uint256 received;
        uint256 returned;
        assembly ("memory-safe") {
          outcome := mload(add(reason, 36))
          received := mload(add(reason, 68))
          returned := mload(add(reason, 100))
        }
        return (outcome, received, returned);
      }
    }
    return (Outcome.Unknown, 0, 0);
  }

  function _swap(Trade calldata trade, address from, address to, uint256 amountIn) private returns (bool isDone) {
    // The swap shows whether the approval worked, whatever the token returns.
    _do(from, abi.encodeCall(IERC20.approve, (trade.router, amountIn)), READ_GAS);
    ISwapRouter.Order memory order = ISwapRouter.Order({
      tokenIn: from,
      tokenOut: to,
      fee: trade.fee,
      recipient: address(this),
      deadline: block.timestamp,
      amountIn: amountIn,
      amountOutMinimum: 0,
      sqrtPriceLimitX96: 0
    });
    return _do(trade.router, abi.encodeCall(ISwapRouter.exactInputSingle, (order)), SWAP_GAS).length == 32;
  }

  function _quoted(Trade calldata trade, uint256 amountIn) private returns (bytes memory) {
    IQuoter.Order memory order = IQuoter.Order({
      tokenIn: trade.paid.token,
      tokenOut: trade.received.token,
      amountIn: amountIn,
      fee: trade.fee,
      sqrtPriceLimitX96: 0
    });
    return _do(trade.quoter, abi.encodeCall(IQuoter.quoteExactInputSingle, (order)), SWAP_GAS);
  }

  function _newestRound(Token calldata token) private view returns (bytes memory) {
    return _ask(token.feed, abi.encodeCall(IFeed.latestRoundData, ()));
  }

  function _roundBefore(Token calldata token, bytes memory round) private view returns (bytes memory) {
    if (round.length < 160) return "";
    uint256 id = abi.decode(round, (uint256));
    if (id == 0 || id > type(uint80).max) return "";
    // forge-lint: disable-next-line(unsafe-typecast)
    return _ask(token.feed, abi.encodeCall(IFeed.getRoundData, (uint80(id - 1))));
  }

  /// USD price of one whole token, rounded down; 0 if an answer is invalid.
  function _usdWad(Token calldata token, bytes calldata round, bytes calldata multiplier)
    private
    pure
    returns (uint256)
  {
    if (round.length < 160) return 0;
    (, int256 answer) = abi.decode(round, (uint256, int256));
    if (answer <= 0) return 0;
    // forge-lint: disable-next-line(unsafe-typecast)
    uint256 usdWad = uint256(answer) * token.feedScale;
    if (token.multiplier == address(0)) return usdWad;
    return multiplier.length < 128 ? 0 : usdWad * abi.decode(multiplier, (uint256)) / 1e18;
  }

  function _balance(address token) private view returns (uint256) {
    bytes memory answer = _ask(token, abi.encodeCall(IERC20.balanceOf, (address(this))));
    // Reverts for a token that returns no balance: it proves nothing.
    return abi.decode(answer, (uint256));
  }

  function _answers(Read[] calldata reads) private view returns (bytes[] memory answers) {
    answers = new bytes[](reads.length);
    for (uint256 i = 0; i < reads.length; i++) {
      answers[i] = _ask(reads[i].source, reads[i].question);
    }
  }

  function _ask(address source, bytes memory question) private view returns (bytes memory) {
    bool isAnswered;
    assembly ("memory-safe") {
      isAnswered := staticcall(READ_GAS, source, add(question, 32), mload(question), 0, 0)
    }
    return _answer(isAnswered);
  }

  function _do(address target, bytes memory order, uint256 gasGiven) private returns (bytes memory) {
    bool isDone;
    assembly ("memory-safe") {
      isDone := call(gasGiven, target, 0, add(order, 32), mload(order), 0, 0)
    }
    return _answer(isDone);
  }

  /// Returns the last call's return data, capped in size. A full copy, as Solidity makes, would let one source use up
  /// the memory of all.
  function _answer(bool isAnswered) private pure returns (bytes memory answer) {
    uint256 size;
    assembly ("memory-safe") {
      size := returndatasize()
    }
    if (!isAnswered || size > LONGEST_ANSWER) return "";
    answer = new bytes(size);
    assembly ("memory-safe") {
      returndatacopy(add(answer, 32), 0, size)
    }
  }
}
