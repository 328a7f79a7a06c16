// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPancakeV3Router} from "../../contracts/interfaces/IPancakeV3Router.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Product} from "../base/Product.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {MockV3Router} from "../mocks/MockV3Router.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: the unused part of a router's allowance stays approved.
contract ResidualAllowanceTwin is SmallExecutor {
  constructor(IPlanRegistry registry_, IPancakeV3Router router_, address operator_, address rotator_)
    SmallExecutor(registry_, router_, operator_, rotator_)
  {}

  function _takeBack(IERC20, address) internal override {}
}

/// Takes a part, and returns for the rest later.
contract PatientRouter is MockV3Router {
  using SafeERC20 for IERC20;

  function collect(IERC20 token, address from, address to, uint256 amount) external {
    token.safeTransferFrom(from, to, amount);
  }
}

/// The router takes half of a run's 100 USD; the other half returns to the owner. The executor also holds 70 USD of
/// somebody else.
contract ResidualAllowanceTest is SwapIncidentBase {
  uint256 private constant LOST = 70e18;
  PatientRouter private patient;

  function setUp() public override {
    super.setUp();
    patient = new PatientRouter();
    patient.setAmountOut(FLOOR);
    patient.setTakenBps(5_000);
    coin.mint(address(patient), FLOOR);
  }

  function attack() external override {
    usd.mint(address(swapper), LOST);
    _execute(planId, _path());
    patient.collect(usd, address(swapper), stranger, AMOUNT / 2);
  }

  /// IT-21
  function test_TheTwinLosesWhatTheRouterWasAllowed() public {
    _moveTo(address(new ResidualAllowanceTwin(registry, patient, operator, rotator)));
    this.attack();
    assertEq(usd.balanceOf(stranger), AMOUNT / 2);
    assertEq(usd.balanceOf(address(swapper)), LOST - AMOUNT / 2);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT / 2);
  }

  /// IT-21, SE-5
  function test_RevertWhen_TriedOnOurs() public {
    _moveTo(address(Product.swapExecutor(registry, patient, operator, rotator)));
    _assertAttackFails(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, patient, 0, AMOUNT / 2));
  }
}
