// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {FeeERC20} from "../mocks/FeeERC20.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: counts the amount sent, not the amount received.
contract FeeOnTransferTwin is SmallRegistry {
  using SafeERC20 for IERC20;

  constructor(address source) SmallRegistry(source) {}

  function _deliver(IERC20 token, address recipient, uint256 amount) internal override returns (uint256) {
    token.safeTransfer(recipient, amount);
    return amount;
  }
}

/// A coin that keeps a tenth of every transfer is delivered as if it kept nothing.
contract FeeOnTransferTest is IncidentBase {
  /// What the executor sends, of which the floor arrives at the registry.
  uint256 private constant SENT = 184_260;
  /// A tenth of 165,834, rounded down: what a second transfer costs.
  uint256 private constant FEE = 16_583;
  FeeERC20 private taxed;

  function setUp() public override {
    super.setUp();
    taxed = new FeeERC20("TAXED", 8, 1_000);
  }

  function attack() external override {
    taxed.mint(address(executor), SENT);
    executor.setAmountOut(SENT);
    _run(_planOf(address(usd), address(taxed)));
  }

  /// IT-1
  function test_TheTwinsRecipientLacksTheFee() public {
    _moveTo(address(new FeeOnTransferTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
    assertEq(taxed.balanceOf(recipient), FLOOR - FEE);
  }

  /// IT-1, PR-12, PR-13
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(IPlanRegistry.FloorNotMet.selector, FLOOR - FEE, FLOOR));
    assertEq(taxed.balanceOf(recipient), 0);
  }
}
