// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {IPriceSource} from "../../../contracts/interfaces/IPriceSource.sol";
import {VenusPriceSource} from "../../../contracts/prices/VenusPriceSource.sol";
import {Product} from "../../base/Product.sol";
import {MockVenusOracle} from "../../mocks/venus/MockVenusOracle.sol";

contract VenusPriceSourceTest is Test {
  address private immutable tokenIn = makeAddr("tokenIn");
  address private immutable tokenOut = makeAddr("tokenOut");
  MockVenusOracle private oracle;
  VenusPriceSource private source;

  function setUp() public {
    oracle = new MockVenusOracle();
    source = Product.venusPriceSource(oracle);
    oracle.set(tokenIn, 1e30);
    oracle.set(tokenOut, 600e18);
  }

  /// PS-1: the oracle's scale is the interface's, so its prices pass through unchanged and in order.
  function testFuzz_prices_areTheOracles(uint256 priceIn, uint256 priceOut) public {
    oracle.set(tokenIn, priceIn = bound(priceIn, 1, type(uint128).max));
    oracle.set(tokenOut, priceOut = bound(priceOut, 1, type(uint128).max));
    (uint256 priceInWad, uint256 priceOutWad) = source.prices(tokenIn, tokenOut);
    assertEq(priceInWad, priceIn);
    assertEq(priceOutWad, priceOut);
    assertEq(address(source.oracle()), address(oracle));
  }

  /// PS-2
  function test_prices_refusesAPriceOfZeroByTheTokensName() public {
    oracle.set(tokenIn, 0);
    vm.expectRevert(abi.encodeWithSelector(IPriceSource.TokenNotPriced.selector, tokenIn));
    source.prices(tokenIn, tokenOut);
    oracle.set(tokenIn, 1e30);
    oracle.set(tokenOut, 0);
    vm.expectRevert(abi.encodeWithSelector(IPriceSource.TokenNotPriced.selector, tokenOut));
    source.prices(tokenIn, tokenOut);
  }

  function test_prices_passesOnTheOraclesRefusal() public {
    oracle.set(tokenIn, oracle.REFUSED());
    vm.expectRevert("invalid resilient oracle price");
    source.prices(tokenIn, tokenOut);
    oracle.set(tokenIn, 1e30);
    oracle.set(tokenOut, oracle.REFUSED());
    vm.expectRevert("invalid resilient oracle price");
    source.prices(tokenIn, tokenOut);
  }
}
