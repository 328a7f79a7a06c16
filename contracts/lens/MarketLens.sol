// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {BoundedCall} from "./BoundedCall.sol";
import {FeedPast} from "./FeedPast.sol";
import {OperatorPrices} from "./OperatorPrices.sol";
import {RouteSearch} from "./RouteSearch.sol";
import {IFeed, IPoolState, IQuoter, ISwapRouter} from "./Sources.sol";

/// @title MarketLens: reads everything the chain knows about a trade in one eth_call
/// @notice Never deployed. The caller uses the state override of an `eth_call` to place this code, and a balance of the
/// token to pay, at an unused address. Sources may be hostile. Each gets its own gas limit and answer size limit, so a
/// source that fails, loops or floods loses only its own answer, which is then empty.
contract MarketLens {
  using BoundedCall for address;

  struct Read {
    address source;
    bytes question;
  }

  /// One token of the trade: its base units per token, and the factor that converts its feed's answer to USD with 18
  /// decimals.
  struct Token {
    address token;
    uint256 unit;
    address feed;
    uint256 feedScale;
  }

  /// Venus's single-operator oracles.
  struct Oracles {
    address redStone;
    address binance;
  }

  /// Their answers for one token.
  struct Heard {
    OperatorPrices.OperatorPrice redStone;
    OperatorPrices.OperatorPrice binance;
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
    RouteSearch.Market market;
    address router;
    Oracles oracles;
  }

  /// One pool of the route, and its state.
  struct Hop {
    address pool;
    uint24 fee;
    address tokenOut;
    bytes slot0;
    /// Cumulative values now and 10 minutes ago.
    bytes observed;
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
    /// The asset's newest rounds at least one hour old and at least two hours old.
    bytes[2] roundsPast;
    Heard heard;
    Heard quoteHeard;
    /// In the order of the reads.
    bytes[] answers;
    uint256 amountIn;
    /// Best route for the amount; empty if there is none.
    Hop[] route;
    /// Quote of the route's pools; 0 if none.
    uint256 amountOut;
    /// Quote of the best single pool of the route's grade; 0 if none.
    uint256 direct;
    Outcome outcome;
    uint256 received;
    uint256 returned;
    /// Quotes of the route for smaller amounts, each two thirds of the previous one, rounded down. Empty if the price
    /// impact is so small that they would hardly get a better price.
    uint256[] smaller;
  }

  error Simulated(Outcome outcome, uint256 received, uint256 returned);

  // A call has 40,000,000 gas. Eight reads, four oracles, the feed's past, a route's three pools and the simulation
  // need at most 28,000,000. The route search leaves that much, and the smaller amounts use the remainder. So a source
  // that exhausts its share takes none from the others.
  uint256 private constant READ_GAS = 500_000;
  uint256 private constant SWAP_GAS = 5_000_000;
  // Two swaps, two approvals and four balances.
  uint256 private constant SIMULATION_GAS = 2 * SWAP_GAS + 6 * READ_GAS;
  uint256 private constant HOPS_GAS = 3 * 2 * READ_GAS;
  uint256 private constant SMALLER_QUOTE_GAS = 1_500_000;
  // Gas for returning the result.
  uint256 private constant END_GAS = 1_000_000;

  uint256 private constant SMALLER_QUOTES = 16;
  uint256 private constant SMALL_IMPACT_MILLIONTHS = 500;

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
    snapshot.roundsPast[0] = FeedPast.roundAgo(asset.feed, snapshot.round, 1 hours);
    snapshot.roundsPast[1] = FeedPast.roundAgo(asset.feed, snapshot.round, 2 hours);
    snapshot.heard = _heard(trade.oracles, asset.token);
    snapshot.quoteHeard = _heard(trade.oracles, quoteAsset.token);
    snapshot.answers = _answers(reads);
    try this.amountInOf(trade, snapshot) returns (uint256 amountIn) {
      snapshot.amountIn = amountIn;
    } catch {
      // No available price to compute the amount to pay.
      return snapshot;
    }
    if (snapshot.amountIn == 0) return snapshot;
    uint256 impactMillionths = _takeRoute(trade, snapshot);
    if (snapshot.route.length == 0) return snapshot;
    (snapshot.outcome, snapshot.received, snapshot.returned) = _simulated(trade, snapshot);
    if (impactMillionths > SMALL_IMPACT_MILLIONTHS) snapshot.smaller = _smaller(trade, snapshot);
  }

  /// Returns the amount to pay. Rounds a size in USD down and a size in the received token up. Reverts if a required
  /// price is missing.
  function amountInOf(Trade calldata trade, Snapshot calldata snapshot) external pure returns (uint256) {
    if (trade.sizeIn == SizeIn.Paid) return trade.size;
    uint256 paidWad = _usdWad(trade.paid, trade.isBuy ? snapshot.quoteRound : snapshot.round);
    if (trade.sizeIn == SizeIn.Usd) return trade.size * trade.paid.unit / paidWad;
    uint256 receivedWad = _usdWad(trade.received, trade.isBuy ? snapshot.round : snapshot.quoteRound);
    uint256 divisor = paidWad * trade.received.unit;
    return (trade.size * receivedWad * trade.paid.unit + divisor - 1) / divisor;
  }

  /// Swaps along `path`, swaps everything received back along `pathBack`, and reverts with the balance differences, so
  /// that nothing else sees the effects.
  function simulate(Trade calldata trade, uint256 amountIn, bytes calldata path, bytes calldata pathBack) external {
    address paid = trade.paid.token;
    address received = trade.received.token;
    uint256 held = _balance(paid);
    // The node did not apply the override. This is not a refusal by the token.
    require(held >= amountIn);
    uint256 before = _balance(received);
    if (!_swap(trade.router, paid, path, amountIn)) revert Simulated(Outcome.Refused, 0, 0);
    uint256 got = _balance(received) - before;
    if (!_swap(trade.router, received, pathBack, got)) revert Simulated(Outcome.NoWayBack, got, 0);
    // Measured over both swaps, so that a fee charged to the sender on top counts as not returned.
    uint256 left = _balance(paid) + amountIn;
    revert Simulated(Outcome.ThereAndBack, got, left > held ? left - held : 0);
  }

  function _takeRoute(Trade calldata trade, Snapshot memory snapshot) private returns (uint256 impactMillionths) {
    uint256 gasKept = HOPS_GAS + SIMULATION_GAS + END_GAS;
    RouteSearch.Leg[] memory legs;
    (legs, snapshot.direct) =
      RouteSearch.best(trade.market, trade.paid.token, trade.received.token, snapshot.amountIn, gasKept);
    if (legs.length == 0) return 0;
    snapshot.amountOut = legs[legs.length - 1].amountOut;
    snapshot.route = new Hop[](legs.length);
    for (uint256 i = 0; i < legs.length; i++) {
      snapshot.route[i] = _hop(legs[i]);
      impactMillionths += legs[i].impactMillionths;
    }
  }

  function _hop(RouteSearch.Leg memory leg) private view returns (Hop memory hop) {
    (hop.pool, hop.fee, hop.tokenOut) = (leg.pool.addr, leg.pool.fee, leg.tokenOut);
    hop.slot0 = _ask(hop.pool, abi.encodeCall(IPoolState.slot0, ()));
    uint32[] memory ago = new uint32[](2);
    ago[0] = 600;
    hop.observed = _ask(hop.pool, abi.encodeCall(IPoolState.observe, (ago)));
  }

  function _simulated(Trade calldata trade, Snapshot memory snapshot)
    private
    returns (Outcome outcome, uint256, uint256)
  {
    (bytes memory path, bytes memory pathBack) = _paths(trade.paid.token, snapshot.route);
    try this.simulate{gas: SIMULATION_GAS}(trade, snapshot.amountIn, path, pathBack) {}
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

  function _smaller(Trade calldata trade, Snapshot memory snapshot) private returns (uint256[] memory quotes) {
    (bytes memory path,) = _paths(trade.paid.token, snapshot.route);
    quotes = new uint256[](SMALLER_QUOTES);
    uint256 amount = snapshot.amountIn * 2 / 3;
    uint256 count;
    while (count < SMALLER_QUOTES && amount > 0 && gasleft() > SMALLER_QUOTE_GAS + END_GAS) {
      bytes memory call = abi.encodeCall(IQuoter.quoteExactInput, (path, amount));
      quotes[count] = RouteSearch.amountOf(trade.market.quoter.act(call, SMALLER_QUOTE_GAS));
      if (quotes[count] == 0) break;
      count++;
      amount = amount * 2 / 3;
    }
    assembly ("memory-safe") {
      mstore(quotes, count)
    }
  }

  /// The route as PancakeSwap paths, forward and back: token, 3-byte fee, token, and so on.
  function _paths(address paid, Hop[] memory route) private pure returns (bytes memory path, bytes memory pathBack) {
    path = pathBack = abi.encodePacked(paid);
    for (uint256 i = 0; i < route.length; i++) {
      path = bytes.concat(path, abi.encodePacked(route[i].fee, route[i].tokenOut));
      pathBack = bytes.concat(abi.encodePacked(route[i].tokenOut, route[i].fee), pathBack);
    }
  }

  function _swap(address router, address from, bytes calldata path, uint256 amountIn) private returns (bool isDone) {
    // The swap shows whether the approval worked, whatever the token returns.
    from.act(abi.encodeCall(IERC20.approve, (router, amountIn)), READ_GAS);
    ISwapRouter.Order memory order = ISwapRouter.Order({
      path: path, recipient: address(this), deadline: block.timestamp, amountIn: amountIn, amountOutMinimum: 0
    });
    return router.act(abi.encodeCall(ISwapRouter.exactInput, (order)), SWAP_GAS).length == 32;
  }

  function _heard(Oracles calldata oracles, address token) private view returns (Heard memory) {
    return Heard(OperatorPrices.redStone(oracles.redStone, token), OperatorPrices.binance(oracles.binance, token));
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
  function _usdWad(Token calldata token, bytes calldata round) private pure returns (uint256) {
    if (round.length < 160) return 0;
    (, int256 answer) = abi.decode(round, (uint256, int256));
    if (answer <= 0) return 0;
    // forge-lint: disable-next-line(unsafe-typecast)
    return uint256(answer) * token.feedScale;
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
    return source.ask(question, READ_GAS);
  }
}
