// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {QuoteDesk} from "../../contracts/QuoteDesk.sol";
import {IQuoteDesk} from "../../contracts/interfaces/IQuoteDesk.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {Product} from "./Product.sol";
import {Test} from "forge-std/Test.sol";

/// A desk with 10 of the token sold, and a buyer with 1,000 of the token paid.
abstract contract DeskBase is Test {
  uint256 internal constant NOW = 1_000_000;

  address internal maker;
  uint256 internal makerKey;
  address internal immutable buyer = makeAddr("buyer");
  address internal immutable stranger = makeAddr("stranger");
  QuoteDesk internal desk;
  MockERC20 internal paid;
  MockERC20 internal sold;

  function setUp() public virtual {
    vm.warp(NOW);
    (maker, makerKey) = makeAddrAndKey("maker");
    desk = Product.quoteDesk(maker);
    use(new MockERC20("PAID", 6), new MockERC20("SOLD", 18));
  }

  function use(MockERC20 paid_, MockERC20 sold_) internal {
    (paid, sold) = (paid_, sold_);
    paid.mint(buyer, 1_000e6);
    sold.mint(address(desk), 10e18);
    vm.prank(buyer);
    paid.approve(address(desk), type(uint256).max);
  }

  function quote() internal view returns (IQuoteDesk.Quote memory) {
    return IQuoteDesk.Quote({
      buyer: buyer,
      tokenIn: address(paid),
      amountIn: 300e6,
      tokenOut: address(sold),
      amountOut: 3e18,
      nonce: 7,
      expiresAt: NOW + 1
    });
  }

  function sign(IQuoteDesk.Quote memory terms) internal view returns (bytes memory) {
    return signAs(makerKey, desk.digestOf(terms));
  }

  function signAs(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
    return abi.encodePacked(r, s, v);
  }

  function assertUntouched() internal view {
    assertEq(paid.balanceOf(buyer), 1_000e6);
    assertEq(sold.balanceOf(address(desk)), 10e18);
  }
}
