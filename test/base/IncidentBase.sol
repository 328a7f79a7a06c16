// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {TestExecutor} from "../mocks/TestExecutor.sol";
import {PlanBase} from "./PlanBase.sol";

/// An attack on `registry`, which is this project's until a test moves everything to a twin. The attacker controls the
/// stranger's account and every executor.
abstract contract IncidentBase is PlanBase {
  uint256 internal ownerKey;

  function setUp() public virtual override {
    (owner, ownerKey) = makeAddrAndKey("owner with a key");
    super.setUp();
  }

  /// The attack, written once. External, so that it is undone as a whole if it fails, as in a transaction.
  function attack() external virtual;

  /// The same owner, tokens and attacker on another registry.
  function _moveTo(address registry_) internal {
    registry = PlanRegistry(registry_);
    executor = new TestExecutor(registry);
    coin.mint(address(executor), 1_000e8);
    executor.setAmountOut(FLOOR);
    vm.prank(owner);
    usd.approve(registry_, type(uint256).max);
  }

  /// On a twin: the owner pays 100 USD for one base unit of the coin.
  function _assertAttackPaysForOneUnit() internal {
    this.attack();
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(usd.balanceOf(address(executor)), AMOUNT);
    assertEq(coin.balanceOf(recipient), 1);
  }

  /// On this project's contract: the attack fails with exactly this error, and nobody has gained or lost a unit.
  function _assertAttackFails(bytes memory reason) internal {
    bytes memory before = _wealth();
    vm.expectRevert(reason);
    this.attack();
    assertEq(_wealth(), before, "an attack that failed has moved something");
    assertEq(usd.balanceOf(owner), FUNDS, "the owner's funds");
  }

  function _creation(IPlanRegistry.Terms memory terms) internal view returns (IPlanRegistry.Creation memory creation) {
    creation.owner = owner;
    creation.plans = new IPlanRegistry.Terms[](1);
    creation.plans[0] = terms;
    creation.nonce = 7;
    creation.deadline = block.timestamp + 30 days;
  }

  function _signed(bytes32 digest) internal view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(ownerKey, digest);
    return abi.encodePacked(r, s, v);
  }

  /// The attacker submits.
  function _submit(IPlanRegistry.Creation memory creation, bytes memory signature) internal returns (uint256) {
    vm.prank(stranger);
    return registry.createBySignature(creation, signature);
  }

  function _wealth() private view returns (bytes memory) {
    address[4] memory who = [owner, recipient, stranger, address(executor)];
    uint256[8] memory has;
    for (uint256 i; i < 4; ++i) {
      (has[2 * i], has[2 * i + 1]) = (usd.balanceOf(who[i]), coin.balanceOf(who[i]));
    }
    return abi.encode(has);
  }
}
