// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {SwapBase} from "../base/SwapBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockV3Pool} from "../mocks/MockV3Pool.sol";
import {TokenPath} from "./TokenPath.sol";

/// A plan that pays 100 tokens for 102, each worth a dollar: the distance to the floor of 99.5 covers two fees of 1 %.
abstract contract PlanPath is SwapBase, TokenPath {
  using SafeERC20 for IERC20;

  /// The second pool of a route, if there is one.
  MockV3Pool internal nextPool;

  function _plan(MockERC20 tokenIn, MockERC20 tokenOut, address executor_) internal {
    source.setPrice(address(tokenIn), 1e36 / _unitOf(tokenIn));
    source.setPrice(address(tokenOut), 1e36 / _unitOf(tokenOut));
    IPlanRegistry.Terms memory terms = _terms();
    (terms.executor, terms.tokenIn, terms.tokenOut) = (executor_, address(tokenIn), address(tokenOut));
    terms.amountPerRun = uint104(100 * _unitOf(tokenIn));
    planId = _create(terms);
    tokenIn.mint(owner, 1_000 * _unitOf(tokenIn));
    if (executor_ == address(executor)) tokenOut.mint(executor_, 1_000 * _unitOf(tokenOut));
    vm.prank(owner);
    IERC20(tokenIn).forceApprove(address(registry), type(uint256).max);
  }

  /// A pool of the two, with a stock of `tokenOut` of which it pays 102.
  function _poolOf(MockERC20 tokenIn, MockERC20 tokenOut) internal returns (MockV3Pool made) {
    made = _newPool(address(tokenIn), address(tokenOut));
    made.setAmountOut(102 * _unitOf(tokenOut));
    tokenOut.mint(address(made), 1_000 * _unitOf(tokenOut));
  }

  function _prepareAgain() internal override {
    skip(PERIOD);
  }

  function _runCall() internal view returns (address, address, bytes memory) {
    return (address(this), address(executor), abi.encodeCall(executor.run, (planId, _go(), "")));
  }

  function _swapCall(bytes memory path) internal view returns (address, address, bytes memory) {
    return (operator, address(swapper), abi.encodeCall(swapper.execute, (planId, 1, _unsigned(_go()), bytes(""), path)));
  }

  function _parties() internal view override returns (address[] memory parties) {
    parties = new address[](8);
    (parties[0], parties[1], parties[2]) = (owner, recipient, address(executor));
    (parties[3], parties[4], parties[5]) = (address(registry), address(swapper), address(pool));
    (parties[6], parties[7]) = (loanGuard, address(nextPool));
  }

  function _ours() internal view override returns (address[] memory ours) {
    ours = new address[](3);
    (ours[0], ours[1], ours[2]) = (address(registry), address(swapper), loanGuard);
  }

  function _lastRun() internal view returns (IPlanRegistry.Run memory) {
    IPlanRegistry.Run[] memory history = _history(planId);
    return history[history.length - 1];
  }

  /// `what` of the plan's payment has gone from the owner to `payee`, by the index in `_parties`.
  function _assertPaid(uint256[] memory before, uint256 what, uint256 payee) internal view {
    assertEq(_lastRun().amountIn, 100 * unit);
    assertEq(before[0] - odd.balanceOf(_parties()[0]), what, "owner paid");
    assertEq(odd.balanceOf(_parties()[payee]) - before[payee], what, "was received");
  }

  /// The recipient has at least the recorded amount, and the record has at least the floor.
  function _assertDelivered(uint256[] memory before) internal view {
    assertGe(odd.balanceOf(recipient) - before[1], _lastRun().amountOut, "delivered");
    assertGe(_lastRun().amountOut, _lastRun().floor);
    assertGt(_lastRun().floor, 0);
  }

  function _unitOf(MockERC20 token) private view returns (uint256) {
    return token == odd ? unit : 1e18;
  }
}
