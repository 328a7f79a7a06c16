// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {PancakePools} from "../libraries/PancakePools.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {IPoolState, IQuoter} from "./Sources.sol";

/// @title RouteSearch: the best route between two tokens, over up to three PancakeSwap v3 pools
/// @notice Two tokens have up to four pools, one per fee tier. A route is one pool, or goes through one or two hubs.
/// The search is greedy: each leg takes the pool that pays most for its input.
///
/// Every pool here has PancakeSwap's code, since its address is derived from it, but anybody may create one at any
/// price with any liquidity distribution. A stranger's pool may therefore quote best and fail every check. So routes
/// are searched by grade, and a lower grade only if no higher one has a route.
library RouteSearch {
  using BoundedCall for address;
  using BoundedCall for bytes;

  enum Grade {
    /// Price, liquidity and impact pass the checks, and a run has enough gas for it.
    Sound,
    /// Each pool's oracle covers 20 minutes.
    Remembering,
    Any
  }

  /// @param deployer PancakeSwap v3's pool deployer.
  /// @param steadyTicks maximum distance of a sound route's price from its mean.
  /// @param impactBps maximum price impact of a sound route, excluding fees, in basis points.
  /// @param withdrawnBps maximum drop of a pool's liquidity below its earlier mean in a sound route, in basis points.
  struct Market {
    address deployer;
    address quoter;
    address[] hubs;
    uint256 steadyTicks;
    uint256 impactBps;
    uint256 withdrawnBps;
  }

  struct Pool {
    /// Zero if there is none, or none with liquidity in range.
    address addr;
    uint24 fee;
    uint256 sqrtPriceX96;
    int256 tick;
    uint256 liquidity;
    /// Whether `remembers`, `drift` and `liquidityBefore` have been read.
    bool isAsked;
    bool remembers;
    /// Distance in ticks between the price and its ten-minute mean.
    uint256 drift;
    /// Harmonic mean from 20 to 10 minutes ago.
    uint256 liquidityBefore;
  }

  struct Leg {
    Pool pool;
    address tokenOut;
    uint256 amountOut;
    /// Price impact: how much less that is than at the pool's spot price, excluding its fee.
    uint256 impactMillionths;
  }

  struct Search {
    Market market;
    /// The token paid, the token received, and the other hubs. Below, tokens are referred to by index.
    address[] tokens;
    /// By `_index`.
    Pool[] pools;
    uint256 gasKept;
    Grade grade;
    /// Output of the best single pool of the grade; 0 if none.
    uint256 direct;
  }

  /// A query of the pools of two tokens.
  struct Step {
    uint256 from;
    uint256 to;
    uint256 amountIn;
  }

  /// The best routes of a grade so far.
  struct Found {
    /// By hub: the best output through one pool.
    Leg[] first;
    /// By hub: the best output through one or two pools.
    Leg[] most;
    /// By hub: the hub between those two pools; zero for a single pool.
    uint256[] before;
    Leg last;
    /// The hub before the last pool; zero if that is the only one.
    uint256 lastHub;
  }

  uint256 private constant PAID = 0;
  uint256 private constant RECEIVED = 1;
  uint256 private constant FIRST_HUB = 2;
  uint256 private constant FEES = 4;

  uint32 private constant TWAP_SECONDS = 600;
  uint256 private constant BPS = 10_000;
  uint256 private constant MILLION = 1_000_000;
  uint256 private constant Q96 = 2 ** 96;

  /// Maximum legs of a route over hubs. The deviation allowed to a sound route is divided among them.
  uint256 private constant MAX_LEGS = 3;

  // PancakeSwap's own code: enough for a search through 65,535 observations.
  uint256 private constant STATE_GAS = 50_000;
  uint256 internal constant OBSERVE_GAS = 500_000;
  // Anyone may place a little liquidity at each tick, and every tick that a swap crosses costs gas. A run of
  // SwapExecutor has 1,000,000 gas: these limits leave enough for the rest of it.
  uint256 private constant SOUND_DIRECT_GAS = 600_000;
  uint256 private constant SOUND_LEG_GAS = 200_000;
  uint256 private constant QUOTE_GAS = 2_000_000;

  /// @notice Returns the best route for `amountIn`; empty if there is none. Its last amount is 0 if no route has a
  /// quote. Also returns the output of the best single pool of the same grade; 0 if none.
  /// @param gasKept The search ends before it uses this gas.
  function best(Market memory market, address paid, address received, uint256 amountIn, uint256 gasKept)
    internal
    returns (Leg[] memory route, uint256 direct)
  {
    // Exceeds any token's supply: products below would overflow.
    if (amountIn > type(uint128).max) return (route, 0);
    Search memory search;
    search.market = market;
    search.gasKept = gasKept;
    search.tokens = _tokensOf(market.hubs, paid, received);
    _findPools(search);
    for (uint256 grade = 0; grade <= uint256(Grade.Any) && route.length == 0; grade++) {
      search.grade = Grade(grade);
      route = _bestOfGrade(search, amountIn);
    }
    if (route.length == 0) route = _unquoted(search, Step(PAID, RECEIVED, amountIn));
    return (route, search.direct);
  }

  /// The direct pool with the best price, used if none quotes the amount: a simulation then shows whether the token
  /// refuses.
  function _unquoted(Search memory search, Step memory step) private pure returns (Leg[] memory route) {
    Pool memory pool;
    uint256 most = 0;
    for (uint256 i = 0; i < FEES; i++) {
      uint256 atPrice = _atPrice(search, _poolAt(search, step, i), step);
      if (atPrice > most) (most, pool) = (atPrice, _poolAt(search, step, i));
    }
    if (most == 0) return route;
    route = new Leg[](1);
    route[0] = Leg(pool, search.tokens[RECEIVED], 0, 0);
  }

  function _tokensOf(address[] memory hubs, address paid, address received)
    private
    pure
    returns (address[] memory tokens)
  {
    tokens = new address[](FIRST_HUB + hubs.length);
    (tokens[PAID], tokens[RECEIVED]) = (paid, received);
    uint256 count = FIRST_HUB;
    for (uint256 i = 0; i < hubs.length; i++) {
      if (hubs[i] != paid && hubs[i] != received) tokens[count++] = hubs[i];
    }
    assembly ("memory-safe") {
      mstore(tokens, count)
    }
  }

  function _findPools(Search memory search) private view {
    uint256 count = search.tokens.length;
    search.pools = new Pool[](count * count * FEES);
    for (uint256 a = 0; a < count; a++) {
      for (uint256 b = a + 1; b < count; b++) {
        for (uint256 i = 0; i < FEES; i++) {
          _findPool(search, search.pools[_index(search, a, b, i)], a, b, _feeAt(i));
        }
      }
    }
  }

  function _findPool(Search memory search, Pool memory pool, uint256 a, uint256 b, uint24 fee) private view {
    address addr = PancakePools.poolOf(search.market.deployer, search.tokens[a], search.tokens[b], fee);
    if (addr.code.length == 0) return;
    uint256 liquidity = addr.ask(abi.encodeCall(IPoolState.liquidity, ()), STATE_GAS).wordAt(0);
    bytes memory slot0 = addr.ask(abi.encodeCall(IPoolState.slot0, ()), STATE_GAS);
    uint256 sqrtPriceX96 = slot0.wordAt(0);
    if (liquidity == 0 || liquidity > type(uint128).max) return;
    if (sqrtPriceX96 == 0 || sqrtPriceX96 > type(uint160).max) return;
    pool.addr = addr;
    pool.fee = fee;
    pool.liquidity = liquidity;
    pool.sqrtPriceX96 = sqrtPriceX96;
    // forge-lint: disable-next-line(unsafe-typecast)
    pool.tick = int24(uint24(slot0.wordAt(1)));
  }

  function _bestOfGrade(Search memory search, uint256 amountIn) private returns (Leg[] memory route) {
    uint256 count = search.tokens.length;
    Found memory found;
    found.first = new Leg[](count);
    found.most = new Leg[](count);
    found.before = new uint256[](count);
    found.last = _leg(search, Step(PAID, RECEIVED, amountIn), 0);
    search.direct = found.last.amountOut;
    for (uint256 hub = FIRST_HUB; hub < count; hub++) {
      _toHub(search, found, Step(PAID, hub, amountIn));
    }
    for (uint256 hub = FIRST_HUB; hub < count; hub++) {
      for (uint256 before = FIRST_HUB; before < count; before++) {
        if (before != hub) _betweenHubs(search, found, Step(before, hub, found.first[before].amountOut));
      }
    }
    for (uint256 hub = FIRST_HUB; hub < count; hub++) {
      _fromHub(search, found, Step(hub, RECEIVED, found.most[hub].amountOut));
    }
    return _routeOf(found);
  }

  function _toHub(Search memory search, Found memory found, Step memory step) private {
    if (_mostFrom(search, step.to, _most(search, step)) <= found.last.amountOut) return;
    found.first[step.to] = found.most[step.to] = _leg(search, step, 0);
  }

  /// More of a hub's token always yields more output, so only the largest amount per hub needs to be traded on.
  function _betweenHubs(Search memory search, Found memory found, Step memory step) private {
    if (step.amountIn == 0) return;
    Step memory next = Step(step.to, RECEIVED, _most(search, step));
    if (_most(search, next) <= found.last.amountOut) return;
    Leg memory leg = _leg(search, step, found.most[step.to].amountOut);
    if (leg.amountOut > 0) (found.most[step.to], found.before[step.to]) = (leg, step.from);
  }

  function _fromHub(Search memory search, Found memory found, Step memory step) private {
    if (step.amountIn == 0) return;
    Leg memory leg = _leg(search, step, found.last.amountOut);
    if (leg.amountOut > 0) (found.last, found.lastHub) = (leg, step.from);
  }

  function _routeOf(Found memory found) private pure returns (Leg[] memory route) {
    if (found.last.amountOut == 0) return route;
    uint256 before = found.before[found.lastHub];
    route = new Leg[](found.lastHub == 0 ? 1 : before == 0 ? 2 : MAX_LEGS);
    route[route.length - 1] = found.last;
    if (route.length > 1) route[route.length - 2] = found.most[found.lastHub];
    if (route.length == MAX_LEGS) route[0] = found.first[before];
  }

  /// The pool between two tokens that pays most; empty if none pays more than `atLeast`.
  function _leg(Search memory search, Step memory step, uint256 atLeast) private returns (Leg memory leg) {
    bool isSound = search.grade == Grade.Sound;
    uint256 share = step.from == PAID && step.to == RECEIVED ? 1 : MAX_LEGS;
    uint256 gasGiven = !isSound ? QUOTE_GAS : share == 1 ? SOUND_DIRECT_GAS : SOUND_LEG_GAS;
    leg.amountOut = atLeast;
    for (uint256 i = 0; i < FEES; i++) {
      Pool memory pool = _poolAt(search, step, i);
      uint256 atPrice = _atPrice(search, pool, step);
      if (atPrice <= leg.amountOut || gasleft() < search.gasKept + gasGiven + OBSERVE_GAS) continue;
      if (!_isFit(search, pool, share)) continue;
      uint256 amountOut = _quoted(search, pool, step, gasGiven);
      if (amountOut <= leg.amountOut) continue;
      uint256 impact = Math.ceilDiv((atPrice - Math.min(amountOut, atPrice)) * MILLION, atPrice);
      if (isSound && impact * share > search.market.impactBps * (MILLION / BPS)) continue;
      leg = Leg(pool, search.tokens[step.to], amountOut, impact);
    }
    if (leg.pool.addr == address(0)) leg.amountOut = 0;
  }

  function _quoted(Search memory search, Pool memory pool, Step memory step, uint256 gasGiven)
    private
    returns (uint256)
  {
    IQuoter.Order memory order = IQuoter.Order({
      tokenIn: search.tokens[step.from],
      tokenOut: search.tokens[step.to],
      amountIn: step.amountIn,
      fee: pool.fee,
      sqrtPriceLimitX96: 0
    });
    return amountOf(search.market.quoter.act(abi.encodeCall(IQuoter.quoteExactInputSingle, (order)), gasGiven));
  }

  /// @notice Returns the amount in either of the quoter's answers; 0 if invalid.
  function amountOf(bytes memory answer) internal pure returns (uint256) {
    return answer.length < 128 ? 0 : Math.min(answer.wordAt(0), type(uint128).max);
  }

  function _isFit(Search memory search, Pool memory pool, uint256 share) private view returns (bool) {
    if (search.grade == Grade.Any) return true;
    if (!pool.isAsked) _observe(pool);
    if (!pool.remembers || search.grade == Grade.Remembering) return pool.remembers;
    // A mean is rounded to a tick.
    return (pool.drift + 1) * share <= search.market.steadyTicks
      && pool.liquidity * BPS >= pool.liquidityBefore * (BPS - search.market.withdrawnBps);
  }

  function _observe(Pool memory pool) private view {
    pool.isAsked = true;
    uint32[] memory ago = new uint32[](3);
    (ago[0], ago[1]) = (2 * TWAP_SECONDS, TWAP_SECONDS);
    // Two offsets, and two lists of three after their lengths.
    bytes memory sums = pool.addr.ask(abi.encodeCall(IPoolState.observe, (ago)), OBSERVE_GAS);
    if (sums.length != 320) return;
    pool.remembers = true;
    unchecked {
      // forge-lint: disable-next-line(unsafe-typecast)
      int256 change = int256(sums.wordAt(5)) - int256(sums.wordAt(4));
      int256 drift = pool.tick - change / int256(uint256(TWAP_SECONDS));
      // forge-lint: disable-next-line(unsafe-typecast)
      pool.drift = uint256(drift < 0 ? -drift : drift);
      // The sum of seconds per liquidity wraps at 160 bits.
      // forge-lint: disable-next-line(unsafe-typecast)
      uint256 perLiquidity = uint160(sums.wordAt(8) - sums.wordAt(7));
      if (perLiquidity != 0) pool.liquidityBefore = (uint256(TWAP_SECONDS) << 128) / perLiquidity;
    }
  }

  /// Upper bound on the output of routes over `hub`.
  function _mostFrom(Search memory search, uint256 hub, uint256 arrived) private pure returns (uint256 most) {
    if (arrived == 0) return 0;
    most = _most(search, Step(hub, RECEIVED, arrived));
    for (uint256 next = FIRST_HUB; next < search.tokens.length; next++) {
      if (next == hub) continue;
      uint256 between = _most(search, Step(hub, next, arrived));
      most = Math.max(most, _most(search, Step(next, RECEIVED, between)));
    }
  }

  /// Upper bound on the output of the pools of two tokens.
  function _most(Search memory search, Step memory step) private pure returns (uint256 most) {
    for (uint256 i = 0; i < FEES; i++) {
      most = Math.max(most, _atPrice(search, _poolAt(search, step, i), step));
    }
  }

  /// Output at the spot price, without price impact: an upper bound.
  function _atPrice(Search memory search, Pool memory pool, Step memory step) private pure returns (uint256 amountOut) {
    if (pool.addr == address(0)) return 0;
    uint256 left = step.amountIn * (MILLION - pool.fee) / MILLION;
    uint256 root = pool.sqrtPriceX96;
    if (search.tokens[step.from] < search.tokens[step.to]) {
      amountOut = Math.mulDiv(Math.mulDiv(left, root, Q96), root, Q96);
    } else {
      amountOut = Math.mulDiv(Math.min(Math.mulDiv(left, Q96, root), type(uint128).max), Q96, root);
    }
    return Math.min(amountOut, type(uint128).max);
  }

  function _poolAt(Search memory search, Step memory step, uint256 feeIndex) private pure returns (Pool memory) {
    return search.pools[_index(search, step.from, step.to, feeIndex)];
  }

  /// Index in `pools` of a pool of two tokens, in any order.
  function _index(Search memory search, uint256 a, uint256 b, uint256 feeIndex) private pure returns (uint256) {
    return (Math.min(a, b) * search.tokens.length + Math.max(a, b)) * FEES + feeIndex;
  }

  /// The fees for which PancakeSwap creates pools, in 1/1,000,000.
  function _feeAt(uint256 feeIndex) private pure returns (uint24) {
    return feeIndex == 0 ? 100 : feeIndex == 1 ? 500 : feeIndex == 2 ? 2500 : 10_000;
  }
}
