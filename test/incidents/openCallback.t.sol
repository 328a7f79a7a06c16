// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IFundsReceiver} from "../../contracts/interfaces/IFundsReceiver.sol";
import {IPancakeV3Router} from "../../contracts/interfaces/IPancakeV3Router.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: any caller of the callback is taken for the registry.
contract OpenCallbackTwin is SmallExecutor {
  constructor(IPlanRegistry registry_, IPancakeV3Router router_, address operator_, address rotator_)
    SmallExecutor(registry_, router_, operator_, rotator_)
  {}

  function _requireRegistry() internal view override {}
}

/// Claims that it has pulled funds, and takes the delivery.
contract FalseRegistry {
  IERC20 private immutable COIN;
  address private immutable THIEF;

  constructor(IERC20 coin, address thief) {
    (COIN, THIEF) = (coin, thief);
  }

  function claim(IFundsReceiver executor, IPlanRegistry.Pull calldata pull, bytes calldata path) external {
    executor.onFundsPulled(pull, path);
  }

  function recordRun(uint256, uint256 amountOut) external returns (uint256) {
    require(COIN.transferFrom(msg.sender, THIEF, amountOut), "coin");
    return amountOut;
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
    IPlanRegistry.Pull memory pull = IPlanRegistry.Pull(planId, address(usd), address(coin), AMOUNT, 0);
    thief.claim(swapper, pull, _path());
  }

  /// IT-2
  function test_TheTwinsBalanceIsSwappedForTheThief() public {
    _moveTo(address(new OpenCallbackTwin(registry, router, operator, rotator)));
    usd.mint(address(swapper), AMOUNT);
    this.attack();
    assertEq(usd.balanceOf(address(swapper)), 0);
    assertEq(coin.balanceOf(stranger), FLOOR);
  }

  /// IT-2, SE-2
  function test_RevertWhen_TriedOnOurs() public {
    usd.mint(address(swapper), AMOUNT);
    _assertAttackFails(abi.encodeWithSelector(ISwapExecutor.NotRegistry.selector, thief));
    assertEq(usd.balanceOf(address(swapper)), AMOUNT);
  }
}
