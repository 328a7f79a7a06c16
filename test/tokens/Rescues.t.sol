// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {VenusMarket} from "../../contracts/lending/VenusMarket.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {GuardBase} from "../base/GuardBase.sol";
import {Product} from "../base/Product.sol";
import {MockComptroller} from "../mocks/venus/MockComptroller.sol";
import {MockVToken} from "../mocks/venus/MockVToken.sol";
import {MockVenusOracle} from "../mocks/venus/MockVenusOracle.sol";
import {TokenPath} from "./TokenPath.sol";

/// A guard over the Venus adapter, and a loan of 1,000 tokens at one dollar, of which a rescue takes 184.
contract RescueTest is GuardBase, TokenPath {
  using SafeERC20 for IERC20;

  MockVToken internal vToken;
  VenusMarket internal adapter;
  uint256 internal guardId;

  function _heading() internal pure virtual override returns (string memory) {
    return "rescue";
  }

  function _prepare() internal virtual override {
    MockVenusOracle oracle = new MockVenusOracle();
    MockComptroller comptroller = new MockComptroller(address(oracle));
    vToken = new MockVToken(address(odd));
    adapter = Product.venusMarket(comptroller, makeAddr("vBNB"), makeAddr("WBNB"));
    oracle.set(address(vToken), 1e36 / unit);
    comptroller.list(address(vToken), true);
    comptroller.enter(borrower, address(vToken));
    comptroller.setWeightedCollateral(borrower, 1_020e18);
    address[] memory adapters = new address[](1);
    adapters[0] = address(adapter);
    guard = Product.loanGuard(revocations, adapters, new address[](0));
    _prepareAgain();

    ILoanGuard.Terms memory terms = _terms();
    (terms.adapter, terms.market, terms.minRepay) = (address(adapter), MarketAddress.toMarket(address(vToken)), 1);
    guardId = _register(terms);
    odd.mint(borrower, 1_000 * unit);
    vm.prank(borrower);
    IERC20(odd).forceApprove(address(guard), type(uint256).max);
  }

  function _prepareAgain() internal override {
    skip(1 days);
    vToken.setDebt(borrower, 1_000 * unit);
  }

  function _call() internal view override returns (address, address, bytes memory) {
    return (stranger, address(guard), abi.encodeCall(guard.rescue, (guardId)));
  }

  function _ends() internal view virtual override returns (address, address) {
    return (borrower, address(adapter));
  }

  function _parties() internal view override returns (address[] memory parties) {
    parties = new address[](4);
    (parties[0], parties[1], parties[2], parties[3]) = (borrower, address(vToken), address(guard), address(adapter));
  }

  function _ours() internal view override returns (address[] memory ours) {
    ours = new address[](2);
    (ours[0], ours[1]) = (address(guard), address(adapter));
  }

  function _assertMoved(uint256[] memory before) internal view virtual override {
    _assertRepaid(before, 184 * unit);
  }

  function _assertRepaid(uint256[] memory before, uint256 amount) internal view {
    assertEq(before[0] - odd.balanceOf(borrower), amount, "borrower paid");
    assertEq(odd.balanceOf(address(vToken)) - before[1], amount, "market received");
    assertEq(vToken.borrowBalanceStored(borrower), 1_000 * unit - amount, "debt fell");
    assertEq(_lastRescue(guardId).repaid, amount, "recorded");
  }
}

/// The market takes 100. The other 84 return to the borrower.
contract RescueGivesBackTest is RescueTest {
  function _heading() internal pure override returns (string memory) {
    return "rescue gives back";
  }

  function _prepare() internal override {
    super._prepare();
    vToken.setMaxTaken(100 * unit);
  }

  function _ends() internal view override returns (address, address) {
    return (address(adapter), borrower);
  }

  function _assertMoved(uint256[] memory before) internal view override {
    _assertRepaid(before, 100 * unit);
  }
}
