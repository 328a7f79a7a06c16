// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IncidentBase} from "../base/IncidentBase.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {PermitERC20} from "../mocks/PermitERC20.sol";
import {SmallRegistry} from "./twins/SmallRegistry.sol";

/// The mistake: a failed permit reverts everything.
contract FrontRunPermitTwin is SmallRegistry {
  constructor(address source) SmallRegistry(source) {}

  function _permit(address owner, IPlanRegistry.Permit calldata p) internal override {
    IERC20Permit(p.token).permit(owner, address(this), p.amount, p.deadline, p.v, p.r, p.s);
  }
}

/// The stranger takes the permit from the mempool and submits it alone, before the plan that it belongs to.
contract FrontRunPermitTest is IncidentBase {
  bytes32 private constant PERMIT_TYPEHASH =
    keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

  function setUp() public override {
    super.setUp();
    usd = MockERC20(address(new PermitERC20()));
    usd.mint(owner, FUNDS);
    source.setPrice(address(usd), PRICE_IN_WAD);
  }

  function attack() external override {
    vm.prank(owner);
    usd.approve(address(registry), 0);
    IPlanRegistry.Creation memory creation = _creation(_terms());
    bytes memory signature = _signed(registry.digestOf(creation));
    IPlanRegistry.Permit[] memory permits = new IPlanRegistry.Permit[](1);
    permits[0] = _signedPermit();

    vm.prank(stranger);
    IERC20Permit(address(usd))
      .permit(owner, address(registry), AMOUNT, permits[0].deadline, permits[0].v, permits[0].r, permits[0].s);
    try registry.createBySignature(creation, signature, permits) returns (uint256 planId) {
      _run(planId);
    } catch {}
  }

  /// IT-20: the owner's plan is not created, and nothing is bought.
  function test_TheTwinsOwnerHasNoPlan() public {
    _moveTo(address(new FrontRunPermitTwin(address(source))));
    this.attack();
    assertEq(registry.planCount(), 0);
    assertEq(usd.balanceOf(owner), FUNDS);
    assertEq(coin.balanceOf(recipient), 0);
  }

  /// IT-20, PR-32: the plan is created and runs as usual.
  function test_OnOursNothingIsLost() public {
    this.attack();
    assertEq(registry.planCount(), 1);
    assertEq(usd.balanceOf(owner), FUNDS - AMOUNT);
    assertEq(coin.balanceOf(recipient), FLOOR);
  }

  function _signedPermit() private view returns (IPlanRegistry.Permit memory p) {
    p = IPlanRegistry.Permit(address(usd), AMOUNT, block.timestamp + 1 hours, 0, 0, 0);
    bytes32 terms = keccak256(abi.encode(PERMIT_TYPEHASH, owner, address(registry), AMOUNT, 0, p.deadline));
    bytes32 domain = IERC20Permit(address(usd)).DOMAIN_SEPARATOR();
    (p.v, p.r, p.s) = vm.sign(ownerKey, keccak256(abi.encodePacked("\x19\x01", domain, terms)));
  }
}
