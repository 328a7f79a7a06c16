// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ExactPull} from "../../../contracts/libraries/ExactPull.sol";

import {PlanBase} from "../../base/PlanBase.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";

/// PR-11: tokens that do not move exactly the stated amount. test/tokens covers all the others.
contract PlanRegistryTokensTest is PlanBase {
  /// A fee deducted from the received amount.
  function test_RevertWhen_TokenInTakesAFee() public {
    FeeERC20 taxed = new FeeERC20("TAX", 18, 100);
    taxed.mint(owner, AMOUNT);
    _assertRefused(
      executor,
      _planOf(address(taxed), address(coin)),
      abi.encodeWithSelector(ExactPull.PullInexact.selector, AMOUNT, AMOUNT, AMOUNT - AMOUNT / 100)
    );
  }

  /// A token that takes more from the owner than it gives to the executor.
  function test_RevertWhen_TokenInTakesMoreFromTheOwner() public {
    (HookERC20 hooked, uint256 planId) = _hookedPlan();
    bytes memory more = abi.encodeCall(hooked.transferFrom, (owner, stranger, 1));
    vm.prank(owner);
    hooked.approve(address(executor), 1);
    hooked.hookNextTransfer(address(executor), abi.encodeCall(executor.act, (address(hooked), more)), false);
    _assertRefused(executor, planId, abi.encodeWithSelector(ExactPull.PullInexact.selector, AMOUNT, AMOUNT + 1, AMOUNT));
  }

  /// A token that also pays the executor from elsewhere.
  function test_RevertWhen_TheExecutorIsPaidFromElsewhere() public {
    (HookERC20 hooked, uint256 planId) = _hookedPlan();
    hooked.hookNextTransfer(address(hooked), abi.encodeCall(hooked.mint, (address(executor), 1)), false);
    _assertRefused(executor, planId, abi.encodeWithSelector(ExactPull.PullInexact.selector, AMOUNT, AMOUNT, AMOUNT + 1));
  }

  /// A pull that increases the owner's balance is refused, and is not an arithmetic error.
  function test_RevertWhen_TheOwnerGains() public {
    (HookERC20 hooked, uint256 planId) = _hookedPlan();
    hooked.hookNextTransfer(address(hooked), abi.encodeCall(hooked.mint, (owner, 2 * AMOUNT)), false);
    _assertRefused(executor, planId, abi.encodeWithSelector(ExactPull.PullInexact.selector, AMOUNT, 0, AMOUNT));
  }

  function _hookedPlan() private returns (HookERC20 hooked, uint256 planId) {
    hooked = new HookERC20("HOOK", 18);
    hooked.mint(owner, FUNDS);
    planId = _planOf(address(hooked), address(coin));
  }
}
