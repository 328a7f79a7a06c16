// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: once an operator is proposed, the first caller may accept.
contract FirstCallerTwin is SmallExecutor {
  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_)
    SmallExecutor(registry_, poolDeployer_, operator_, rotator_)
  {}

  function _requireProposed() internal view override {
    require(proposedOperator != address(0), "proposed");
  }
}

/// The stranger accepts before the new operator, and routes the run over their own pool, which pays exactly the floor.
/// 100 USD buy 166,666.
contract FirstCallerTest is SwapIncidentBase {
  uint256 private constant FAIR = 166_666;

  function setUp() public override {
    super.setUp();
    pool.setAmountOut(FAIR);
  }

  function attack() external override {
    address next = makeAddr("next operator");
    vm.prank(rotator);
    swapper.proposeOperator(next);
    vm.prank(stranger);
    swapper.acceptOperator();

    pool.setAmountOut(FLOOR);
    IPlanRegistry.Ticket memory ticket = _unsigned(_go());
    vm.prank(stranger);
    swapper.execute(planId, 1, ticket, "", _path());
  }

  /// IT-1: the loss is the slippage that the plan permits, which is an operator's maximum.
  function test_TheTwinsOperatorIsTheThief() public {
    _moveTo(address(new FirstCallerTwin(registry, POOL_DEPLOYER, operator, rotator)));
    this.attack();
    assertEq(swapper.operator(), stranger);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(FAIR - coin.balanceOf(recipient), 832);
  }

  /// IT-1, SE-6
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(ISwapExecutor.NotProposed.selector, stranger));
    assertEq(swapper.operator(), operator);
  }
}
