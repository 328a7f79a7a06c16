// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: requires the whole balance to be this run's funds.
contract GiftTwin is SmallExecutor {
  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_)
    SmallExecutor(registry_, poolDeployer_, operator_, rotator_)
  {}

  function _requireFunds(uint256 balance, uint256 amountIn) internal pure override {
    require(balance == amountIn, "funds");
  }
}

/// One base unit, which nobody can take out again, stops every plan that pays with this token for good.
contract GiftTest is SwapIncidentBase {
  function setUp() public override {
    super.setUp();
    usd.mint(stranger, 1);
  }

  function attack() external override {
    vm.prank(stranger);
    assertTrue(usd.transfer(address(swapper), 1));
    for (uint256 day; day < 3; ++day) {
      vm.warp(START + day * PERIOD);
      IPlanRegistry.Ticket memory ticket = _unsigned(_go());
      vm.prank(operator);
      try swapper.execute(planId, 1, ticket, "", _path()) {} catch {}
    }
  }

  /// IT-1
  function test_TheTwinBuysNothingAnyMore() public {
    _moveTo(address(new GiftTwin(registry, POOL_DEPLOYER, operator, rotator)));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(recipient), 0);
    assertEq(_state(planId).runs, 0);
  }

  /// IT-1, SE-5: three days, three purchases, and the donation stays where it was sent.
  function test_OursGoesOn() public {
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - 3 * AMOUNT);
    assertEq(coin.balanceOf(recipient), 3 * FLOOR);
    assertEq(usd.balanceOf(address(swapper)), 1);
  }
}
