// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IQuoteDesk} from "../../contracts/interfaces/IQuoteDesk.sol";
import {DeskBase} from "../base/DeskBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TokenPath} from "./TokenPath.sol";

/// A desk that sells 100 tokens for 100. The maker can withdraw its whole balance, so nothing can get stuck.
abstract contract DeskPath is DeskBase, TokenPath {
  using SafeERC20 for IERC20;

  uint256 internal nonce = 1;

  function _trade(MockERC20 paid_, MockERC20 sold_) internal {
    (paid, sold) = (paid_, sold_);
    odd.mint(paid == odd ? buyer : address(desk), 1_000 * unit);
    other.mint(paid == odd ? address(desk) : buyer, 1_000e18);
    vm.prank(buyer);
    IERC20(paid).forceApprove(address(desk), type(uint256).max);
  }

  function _prepareAgain() internal override {
    ++nonce;
  }

  function _oddAmount() internal view returns (uint256) {
    return namesTheLargest ? type(uint256).max : 100 * unit;
  }

  function _call() internal view virtual override returns (address, address, bytes memory) {
    IQuoteDesk.Quote memory terms = quote();
    terms.nonce = nonce;
    (terms.amountIn, terms.amountOut) = (100e18, 100e18);
    if (paid == odd) terms.amountIn = _oddAmount();
    else terms.amountOut = _oddAmount();
    return (buyer, address(desk), abi.encodeCall(desk.redeem, (terms, sign(terms))));
  }

  function _parties() internal view override returns (address[] memory parties) {
    parties = new address[](3);
    (parties[0], parties[1], parties[2]) = (buyer, address(desk), maker);
  }

  function _ours() internal pure override returns (address[] memory) {}

  /// All of the amount, by the indices in `_parties`.
  function _assertWent(uint256[] memory before, uint256 from, uint256 to) internal view {
    address[] memory parties = _parties();
    assertEq(before[from] - odd.balanceOf(parties[from]), 100 * unit, "was given");
    assertEq(odd.balanceOf(parties[to]) - before[to], 100 * unit, "was received");
  }
}

contract DeskBuysTest is DeskPath {
  function _heading() internal pure override returns (string memory) {
    return "desk buys";
  }

  function _prepare() internal override {
    _trade(odd, other);
  }

  function _ends() internal view override returns (address, address) {
    return (buyer, address(desk));
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertWent(before, 0, 1);
  }
}

contract DeskSellsTest is DeskPath {
  function _heading() internal pure virtual override returns (string memory) {
    return "desk sells";
  }

  function _prepare() internal override {
    _trade(other, odd);
  }

  function _ends() internal view virtual override returns (address, address) {
    return (address(desk), buyer);
  }

  function _assertMoved(uint256[] memory before) internal view virtual override {
    _assertWent(before, 1, 0);
  }
}

/// The maker's own withdrawal: a fee affects only the maker, and is not refused.
contract DeskIsEmptiedTest is DeskSellsTest {
  function _heading() internal pure override returns (string memory) {
    return "desk is emptied";
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return (maker, address(desk), abi.encodeCall(desk.withdraw, (address(odd), maker, _oddAmount())));
  }

  function _ends() internal view override returns (address, address) {
    return (address(desk), maker);
  }

  function _assertMoved(uint256[] memory before) internal view override {
    assertGe(odd.balanceOf(maker) - before[2], 99 * unit, "was received");
  }
}
