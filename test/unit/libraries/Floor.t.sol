// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

import {Floor} from "../../../contracts/libraries/Floor.sol";

contract FloorTest is Test {
  /// PR-10: the minimum x with x · priceOut · 10,000 ≥ amount · priceIn · (10,000 − slippage), in 512-bit products.
  function testFuzz_FromPricesIsTheLeastThatPays(uint104 amount, uint128 priceIn, uint128 priceOut, uint256 slippageBps)
    public
    pure
  {
    priceOut = uint128(bound(priceOut, 1, type(uint128).max));
    slippageBps = bound(slippageBps, 0, 10_000);
    uint256 floor = Floor.fromPricesUp(amount, priceIn, priceOut, slippageBps);
    assertEq(
      floor,
      Math.mulDiv(uint256(amount) * (10_000 - slippageBps), priceIn, uint256(priceOut) * 10_000, Math.Rounding.Ceil)
    );
    _assertLeast(floor, uint256(priceOut) * 10_000, uint256(amount) * priceIn, 10_000 - slippageBps);
  }

  /// PR-10: the minimum x with x · limitPrice ≥ amount · 1e18.
  function testFuzz_FromLimitIsTheLeastThatPays(uint104 amount, uint128 limitPriceWad) public pure {
    limitPriceWad = uint128(bound(limitPriceWad, 1, type(uint128).max));
    uint256 floor = Floor.fromLimitUp(amount, limitPriceWad);
    assertEq(floor, Math.mulDiv(amount, 1e18, limitPriceWad, Math.Rounding.Ceil));
    _assertLeast(floor, limitPriceWad, amount, 1e18);
  }

  /// PR-27: a ticket's price has no bound.
  function testFuzz_FromATicketsPriceIsTheLeastThatPays(uint104 amount, uint256 maxPriceWad) public pure {
    maxPriceWad = bound(maxPriceWad, 1, type(uint256).max);
    _assertLeast(Floor.fromLimitUp(amount, maxPriceWad), maxPriceWad, amount, 1e18);
  }

  /// PR-36, PR-37: the maximum p with p · priceIn · (10,000 − slippage) ≤ priceOut · 1e18 · 10,000.
  function testFuzz_PriceDownIsTheMostThatThePricesAllow(uint128 priceIn, uint128 priceOut, uint256 slippageBps)
    public
    pure
  {
    priceIn = uint128(bound(priceIn, 1, type(uint128).max));
    slippageBps = bound(slippageBps, 0, 9_999);
    uint256 divisor = uint256(priceIn) * (10_000 - slippageBps);
    assertEq(Floor.priceDown(priceIn, priceOut, slippageBps), Math.mulDiv(priceOut, 1e22, divisor));
    assertEq(Floor.priceDown(type(uint128).max, type(uint128).max, slippageBps), 1e22 / (10_000 - slippageBps));
  }

  /// PR-10: computed by hand.
  function test_RoundsUpOnlyWhereSomethingIsLeft() public pure {
    assertEq(Floor.fromPricesUp(100, 3, 3, 0), 100);
    assertEq(Floor.fromPricesUp(100, 1, 3, 0), 34);
    assertEq(Floor.fromPricesUp(100, 1, 1, 1), 100); // 99.99
    assertEq(Floor.fromPricesUp(100, 1, 1, 100), 99);
    assertEq(Floor.fromPricesUp(1, 1, type(uint128).max, 1_000), 1);
    assertEq(Floor.fromLimitUp(3, 2e18), 2);
    assertEq(Floor.fromLimitUp(4, 2e18), 2);
    assertEq(Floor.fromLimitUp(0, 1), 0);
  }

  /// PR-10, PR-16: no input that the registry accepts overflows.
  function test_TheLargestInputsFit() public pure {
    uint256 amount = type(uint104).max;
    uint256 price = type(uint128).max;
    assertEq(Floor.fromPricesUp(amount, price, price, 0), amount);
    assertEq(Floor.fromPricesUp(amount, price, 1, 0), amount * price);
    assertEq(Floor.fromLimitUp(amount, 1), amount * 1e18);
    assertEq(Floor.fromLimitUp(amount, type(uint256).max), 1);
  }

  /// x · unit ≥ a · b, and one less is not enough.
  function _assertLeast(uint256 x, uint256 unit, uint256 a, uint256 b) private pure {
    (uint256 high, uint256 low) = Math.mul512(a, b);
    (uint256 paidHigh, uint256 paidLow) = Math.mul512(x, unit);
    assertTrue(paidHigh > high || (paidHigh == high && paidLow >= low), "less than the floor's meaning");
    if (x == 0) return;
    (paidHigh, paidLow) = Math.mul512(x - 1, unit);
    assertTrue(paidHigh < high || (paidHigh == high && paidLow < low), "more than the least");
  }
}
