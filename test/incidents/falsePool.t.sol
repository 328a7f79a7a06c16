// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPancakeV3SwapCallback} from "../../contracts/interfaces/IPancakeV3Pool.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: a caller is a pool if it says so.
contract FalsePoolTwin is SmallExecutor {
  address private immutable FACTORY;

  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_)
    SmallExecutor(registry_, poolDeployer_, operator_, rotator_)
  {
    FACTORY = poolDeployer_;
  }

  function _requirePool() internal view override {
    require(FalsePool(msg.sender).factory() == FACTORY, "pool");
  }
}

/// Says that PancakeSwap has created it, and asks for the input of a swap that nobody made.
contract FalsePool {
  address public immutable factory;

  constructor(address factory_) {
    factory = factory_;
  }

  function ask(IPancakeV3SwapCallback executor, address token, uint256 amount) external {
    executor.pancakeV3SwapCallback(int256(amount), -1, abi.encode(token));
  }
}

/// The executor holds 100 USD, sent there by mistake.
contract FalsePoolTest is SwapIncidentBase {
  FalsePool private thief;

  function setUp() public override {
    super.setUp();
    thief = new FalsePool(POOL_DEPLOYER);
  }

  function attack() external override {
    thief.ask(swapper, address(usd), AMOUNT);
  }

  /// IT-1
  function test_TheTwinPaysTheThief() public {
    _moveTo(address(new FalsePoolTwin(registry, POOL_DEPLOYER, operator, rotator)));
    usd.mint(address(swapper), AMOUNT);
    this.attack();
    assertEq(usd.balanceOf(address(swapper)), 0);
    assertEq(usd.balanceOf(address(thief)), AMOUNT);
  }

  /// IT-1, SE-10: what is here stays here.
  function test_RevertWhen_TriedOnOurs() public {
    usd.mint(address(swapper), AMOUNT);
    _assertAttackFails(abi.encodeWithSelector(ISwapExecutor.NotPool.selector, thief));
    assertEq(usd.balanceOf(address(swapper)), AMOUNT);
  }
}
