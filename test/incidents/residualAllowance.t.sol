// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {ISwapExecutor} from "../../contracts/interfaces/ISwapExecutor.sol";
import {SwapIncidentBase} from "../base/SwapIncidentBase.sol";
import {SmallExecutor} from "./twins/SmallExecutor.sol";

/// The mistake: lets the exchange take its payment, and leaves what it does not take approved.
contract ResidualAllowanceTwin is SmallExecutor {
  using SafeERC20 for IERC20;

  constructor(IPlanRegistry registry_, address poolDeployer_, address operator_, address rotator_)
    SmallExecutor(registry_, poolDeployer_, operator_, rotator_)
  {}

  function _swap(IPlanRegistry.OpenRun calldata run, bytes calldata path) internal override {
    address exchange = address(bytes20(path[path.length - 20:]));
    IERC20(run.tokenIn).forceApprove(exchange, run.amountIn);
    PatientExchange(exchange).trade(IERC20(run.tokenIn), IERC20(run.tokenOut), run.amountIn, msg.sender);
  }
}

/// Takes a half, and returns for the rest later.
contract PatientExchange {
  using SafeERC20 for IERC20;

  uint256 private immutable AMOUNT_OUT;

  constructor(uint256 amountOut) {
    AMOUNT_OUT = amountOut;
  }

  function trade(IERC20 tokenIn, IERC20 tokenOut, uint256 amountIn, address recipient) external {
    tokenIn.safeTransferFrom(msg.sender, address(this), amountIn / 2);
    tokenOut.safeTransfer(recipient, AMOUNT_OUT);
  }

  function collect(IERC20 token, address from, address to, uint256 amount) external {
    token.safeTransferFrom(from, to, amount);
  }
}

/// The exchange takes half of a run's 100 USD; the other half stays in the executor.
contract ResidualAllowanceTest is SwapIncidentBase {
  PatientExchange private patient;

  function setUp() public override {
    super.setUp();
    patient = new PatientExchange(FLOOR);
    coin.mint(address(patient), FLOOR);
  }

  function attack() external override {
    _execute(planId, abi.encodePacked(_path(), FEE, address(patient)));
    patient.collect(usd, address(swapper), stranger, AMOUNT / 2);
  }

  /// IT-1
  function test_TheTwinLosesWhatTheExchangeWasAllowed() public {
    _moveTo(address(new ResidualAllowanceTwin(registry, POOL_DEPLOYER, operator, rotator)));
    this.attack();
    assertEq(usd.balanceOf(stranger), AMOUNT / 2);
    assertEq(usd.balanceOf(address(swapper)), 0);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
  }

  /// IT-1, SE-4
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(ISwapExecutor.PathEndsWrong.selector, usd, patient));
  }

  /// IT-1, SE-4, SE-5: ours allows nobody anything, and a pool that asks for a half has the whole run revert.
  function test_RevertWhen_APoolAsksForAHalf() public {
    pool.setTakenBps(5_000);
    _assertNotExecuted(
      planId, _path(), abi.encodeWithSelector(ISwapExecutor.PoolTookLess.selector, pool, AMOUNT / 2, AMOUNT)
    );
    pool.setTakenBps(10_000);
    _execute(planId, _path());
    assertEq(usd.allowance(address(swapper), address(pool)), 0);
  }
}
