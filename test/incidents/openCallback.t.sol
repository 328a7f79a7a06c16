// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IPlanExecutor} from "../../contracts/interfaces/IPlanExecutor.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: any caller of the callback is taken for the registry.
contract OpenCallbackTwin is SmallExecutor {
  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_)
    SmallExecutor(registry_, poolDeployer_, operator_, rotator_)
  {}

  function _requireRegistry() internal view override {}
}

/// Claims that it has opened a run, pays nothing, and takes the delivery.
contract FalseRegistry {
  IERC20 private immutable COIN;
  address private immutable THIEF;

  constructor(IERC20 coin, address thief) {
    (COIN, THIEF) = (coin, thief);
  }

  function claim(IPlanExecutor executor, IPlanRegistry.OpenRun calldata run, bytes calldata path) external {
    executor.onRunOpened(run, path);
  }

  function payTo(address) external {}

  function recordRun(uint256) external returns (uint256 amountOut) {
    amountOut = COIN.balanceOf(address(this));
    require(COIN.transfer(THIEF, amountOut), "coin");
  }
}

/// The executor holds 100 USD, sent there by mistake.
contract OpenCallbackTest is SwapIncidentBase {
  FalseRegistry private thief;

  function setUp() public override {
    super.setUp();
    thief = new FalseRegistry(coin, stranger);
  }

  function attack() external override {
    IPlanRegistry.OpenRun memory run = IPlanRegistry.OpenRun(planId, address(usd), address(coin), AMOUNT, 0);
    thief.claim(swapper, run, _path());
  }

  /// IT-1
  function test_TheTwinsBalanceIsSwappedForTheThief() public {
    _moveTo(address(new OpenCallbackTwin(registry, POOL_DEPLOYER, operator, rotator)));
    usd.mint(address(swapper), AMOUNT);
    this.attack();
    assertEq(usd.balanceOf(address(swapper)), 0);
    assertEq(coin.balanceOf(stranger), FLOOR);
  }

  /// IT-1, SE-1
  function test_RevertWhen_TriedOnOurs() public {
    usd.mint(address(swapper), AMOUNT);
    _assertAttackFails(abi.encodeWithSelector(ISwapExecutor.NotRegistry.selector, thief));
    assertEq(usd.balanceOf(address(swapper)), AMOUNT);
  }
}
