// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {FixedPointMathLib} from "solady/utils/FixedPointMathLib.sol";

import {ICollateralGuard} from "../interfaces/ICollateralGuard.sol";
import {IPancakeV3Slot0} from "../interfaces/IPancakeV3Pool.sol";
import {PancakePools} from "./PancakePools.sol";

/// @title The pools of a route, and the price limit of a sale over them
library PoolRoute {
  uint256 private constant Q96 = 1 << 96;
  uint256 private constant PIPS = 1_000_000;
  /// The lowest and highest price limit that a v3 pool accepts.
  uint160 internal constant MIN_SQRT_PRICE = 4295128740;
  uint160 internal constant MAX_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  struct Pool {
    address place;
    /// Whether the pool's input is its token0.
    bool zeroForOne;
    uint24 fee;
  }

  /// @notice Whether the route names at least one pool, has no gap and nothing after its end.
  function isWhole(ICollateralGuard.Route memory route) internal pure returns (bool) {
    if (route.firstFee == 0) return false;
    if (route.firstToken == address(0)) {
      return route.secondFee == 0 && route.secondToken == address(0) && route.thirdFee == 0;
    }
    return route.secondFee != 0 && (route.secondToken == address(0)) == (route.thirdFee == 0);
  }

  function count(ICollateralGuard.Route memory route) internal pure returns (uint256) {
    if (route.firstToken == address(0)) return 1;
    return route.secondToken == address(0) ? 2 : 3;
  }

  /// @notice Pool `index` of the route, whose first pool takes `from` and whose last pays `to`.
  function poolAt(ICollateralGuard.Route memory route, uint256 index, address deployer, address from, address to)
    internal
    pure
    returns (Pool memory pool)
  {
    if (index != 0) from = index == 1 ? route.firstToken : route.secondToken;
    if (index + 1 != count(route)) to = index == 0 ? route.firstToken : route.secondToken;
    pool.fee = index == 0 ? route.firstFee : index == 1 ? route.secondFee : route.thirdFee;
    pool.place = PancakePools.poolOf(deployer, from, to, pool.fee);
    pool.zeroForOne = from < to;
  }

  /// @notice All pools, in the order of the route. Reverts with PoolMissing.
  function poolsOf(ICollateralGuard.Route memory route, address deployer, address from, address to)
    internal
    view
    returns (Pool[] memory pools)
  {
    pools = new Pool[](count(route));
    for (uint256 i; i < pools.length; ++i) {
      pools[i] = poolAt(route, i, deployer, from, to);
      if (pools[i].place.code.length == 0) revert ICollateralGuard.PoolMissing(pools[i].place);
    }
  }

  /// @notice The price limit of the last pool, for a sale in which one base unit of the first token must yield at least
  /// `rateX96` of the last: rate / Π(1 − fee), divided by what the previous pools pay at their spot price.
  /// @dev Ignores the price impact in the previous pools. If one of them is shallow, a sale may fail only the check of
  /// its whole cost, and is then refused instead of made smaller.
  function limitX96(Pool[] memory pools, uint256 rateX96) internal view returns (uint160) {
    for (uint256 i; i < pools.length; ++i) {
      rateX96 = FixedPointMathLib.fullMulDivUp(rateX96, PIPS, PIPS - pools[i].fee);
      if (i + 1 != pools.length) rateX96 = FixedPointMathLib.fullMulDivUp(rateX96, Q96, _spotX96(pools[i]));
    }
    bool zeroForOne = pools[pools.length - 1].zeroForOne;
    // √(token1 / token0), rounded to the side on which the pool stops earlier.
    uint256 root = zeroForOne
      ? (FixedPointMathLib.sqrt(rateX96) + 1) << 48
      : FixedPointMathLib.sqrt(FixedPointMathLib.fullMulDiv(Q96, Q96, rateX96)) << 48;
    // forge-lint: disable-next-line(unsafe-typecast)
    return uint160(Math.max(Math.min(root, MAX_SQRT_PRICE), MIN_SQRT_PRICE));
  }

  /// @notice No price limit, for a pool whose price is bounded by other means.
  function unlimited(Pool memory pool) internal pure returns (uint160) {
    return pool.zeroForOne ? MIN_SQRT_PRICE : MAX_SQRT_PRICE;
  }

  /// @notice Whether the pool's price is at the limit or beyond it.
  function isBeyond(Pool memory pool, uint256 limit) internal view returns (bool beyond, uint256 sqrtPriceX96) {
    sqrtPriceX96 = IPancakeV3Slot0(pool.place).slot0();
    beyond = pool.zeroForOne ? sqrtPriceX96 <= limit : sqrtPriceX96 >= limit;
  }

  /// Base units that the pool pays per base unit, before its fee, rounded down.
  function _spotX96(Pool memory pool) private view returns (uint256) {
    uint256 root = IPancakeV3Slot0(pool.place).slot0();
    return pool.zeroForOne
      ? FixedPointMathLib.fullMulDiv(root, root, Q96)
      : FixedPointMathLib.fullMulDiv(1 << 192, Q96, root) / root;
  }
}
