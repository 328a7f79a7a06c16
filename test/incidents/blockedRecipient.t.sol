// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// A token whose issuer refuses transfers to listed accounts.
contract BlockingERC20 is MockERC20 {
  mapping(address account => bool) public isBlocked;

  error Blocked(address account);

  constructor() MockERC20("BLOCKING", 8) {}

  function blockAccount(address account) external {
    isBlocked[account] = true;
  }

  function _update(address from, address to, uint256 value) internal override {
    if (isBlocked[to]) revert Blocked(to);
    super._update(from, to, value);
  }
}

/// The mistake: a delivery that the token refuses counts as made, so that one recipient cannot block the others.
contract BlockedRecipientTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _deliver(IERC20 token, address recipient, uint256 amount) internal override returns (uint256) {
    try token.transfer(recipient, amount) {} catch {}
    return amount;
  }
}

/// The issuer has listed the recipient. The executor runs the plan anyway, and the coins stay where nobody can take them.
contract BlockedRecipientTest is IncidentBase {
  BlockingERC20 private blocking;

  function setUp() public override {
    super.setUp();
    blocking = new BlockingERC20();
  }

  function attack() external override {
    blocking.mint(address(executor), FLOOR);
    blocking.blockAccount(recipient);
    _run(_planOf(address(usd), address(blocking)));
  }

  /// IT-1
  function test_TheTwinsOwnerPaysForCoinsThatNobodyGets() public {
    _moveTo(address(new BlockedRecipientTwin(address(source))));
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
    assertEq(blocking.balanceOf(address(registry)), FLOOR);
    assertEq(blocking.balanceOf(recipient), 0);
  }

  /// IT-1, PR-13
  function test_RevertWhen_TriedOnOurs() public {
    _assertAttackFails(abi.encodeWithSelector(BlockingERC20.Blocked.selector, recipient));
  }

  /// IT-1: only that plan stops.
  function test_OnOursEverybodyElseIsServed() public {
    blocking.mint(address(executor), 2 * FLOOR);
    blocking.blockAccount(recipient);
    uint256 stopped = _planOf(address(usd), address(blocking));
    IPlanRegistry.Terms memory terms = registry.plan(stopped).terms;
    terms.recipient = stranger;
    uint256 other = _create(terms);
    _assertRefused(executor, stopped, abi.encodeWithSelector(BlockingERC20.Blocked.selector, recipient));
    assertEq(_run(other), FLOOR);
    assertEq(blocking.balanceOf(stranger), FLOOR);
  }
}
