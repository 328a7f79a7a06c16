// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Floor} from "../../contracts/libraries/Floor.sol";
import {hint} from "./hint.sol";

// As in Slots.sol. Amounts have 104 bits and prices 128, as PlanRegistry and BoundedPrices enforce.

contract PF7 {
  function whoeverDeliversTheFloorKeepsTheLimit(uint104 amount, uint128 limit, uint128 received) external pure {
    require(limit > 0);
    uint256 floor = Floor.fromLimitUp(amount, limit);
    require(received >= floor);
    hint((received - floor) * limit);
    assert(uint256(received) * limit >= uint256(amount) * 1e18);
  }
}

contract PF8 {
  function oneLessWouldBreakTheLimit(uint104 amount, uint128 limit) external pure {
    require(limit > 0 && amount > 0);
    assert((Floor.fromLimitUp(amount, limit) - 1) * limit < uint256(amount) * 1e18);
  }
}

contract PF9 {
  function aStricterLimitIsNoLowerFloor(uint104 amount, uint128 stricter, uint128 limit) external pure {
    require(stricter > 0 && stricter <= limit);
    uint256 higher = Floor.fromLimitUp(amount, stricter);
    uint256 floor = Floor.fromLimitUp(amount, limit);
    if (floor > higher) hint((floor - higher - 1) * stricter + (limit - stricter) * (floor - 1));
    assert(higher >= floor);
  }
}

contract PF10 {
  function moreFundsAreNoLowerFloor(uint104 amount, uint104 more, uint128 limit) external pure {
    require(limit > 0 && amount <= more);
    uint256 floor = Floor.fromLimitUp(amount, limit);
    uint256 higher = Floor.fromLimitUp(more, limit);
    if (floor > higher) hint((floor - higher - 1) * limit);
    assert(floor <= higher);
  }
}

contract PF11 {
  function whoeverDeliversTheFloorKeepsTheSlippage(
    uint104 amount,
    uint128 priceIn,
    uint128 priceOut,
    uint16 slippageBps,
    uint104 received
  ) external pure {
    require(priceOut > 0 && slippageBps <= 10_000);
    uint256 floor = Floor.fromPricesUp(amount, priceIn, priceOut, slippageBps);
    require(received >= floor);
    hint((received - floor) * priceOut);
    assert(uint256(received) * priceOut * 10_000 >= uint256(amount) * priceIn * (10_000 - slippageBps));
  }
}

contract PF12 {
  function oneLessWouldBreakTheSlippage(uint104 amount, uint128 priceIn, uint128 priceOut, uint16 slippageBps)
    external
    pure
  {
    require(priceOut > 0 && slippageBps <= 10_000);
    uint256 floor = Floor.fromPricesUp(amount, priceIn, priceOut, slippageBps);
    assert(floor == 0 || (floor - 1) * priceOut * 10_000 < uint256(amount) * priceIn * (10_000 - slippageBps));
  }
}

contract PF13 {
  function moreSlippageIsNoHigherFloor(uint104 amount, uint128 priceIn, uint128 priceOut, uint16 less, uint16 more)
    external
    pure
  {
    require(priceOut > 0 && less <= more && more <= 10_000);
    uint256 higher = Floor.fromPricesUp(amount, priceIn, priceOut, less);
    uint256 floor = Floor.fromPricesUp(amount, priceIn, priceOut, more);
    hint(floor > higher ? (floor - higher - 1) * priceOut : 0);
    hint(uint256(amount) * priceIn * (more - less));
    assert(floor <= higher);
  }
}

contract PF14 {
  function somethingIsNeverSoldForNothing(uint104 amount, uint128 priceIn, uint128 priceOut, uint16 slippageBps)
    external
    pure
  {
    require(amount > 0 && priceIn > 0 && priceOut > 0 && slippageBps < 10_000);
    assert(Floor.fromPricesUp(amount, priceIn, priceOut, slippageBps) > 0);
  }
}

contract PF15 {
  function atEqualPricesTheFloorIsTheAmount(uint104 amount, uint128 price) external pure {
    require(price > 0);
    uint256 floor = Floor.fromPricesUp(amount, price, price, 0);
    uint256 unit = uint256(price) * 10_000;
    hint(uint256(amount) * unit);
    if (floor > amount) hint((floor - amount - 1) * unit);
    if (floor < amount) hint((amount - floor - 1) * unit);
    assert(floor == amount);
  }
}
