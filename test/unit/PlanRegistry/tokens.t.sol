// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ExactPull} from "../../../contracts/libraries/ExactPull.sol";

import {PlanBase} from "../../base/PlanBase.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";

/// PR-11: tokens that do not move what they say, to the unit. All the others are in test/tokens.
contract PlanRegistryTokensTest is PlanBase {
  /// A fee out of what arrives.
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

  /// A token that pays the executor from elsewhere as well.
  function test_RevertWhen_TheExecutorIsPaidFromElsewhere() public {
    (HookERC20 hooked, uint256 planId) = _hookedPlan();
    hooked.hookNextTransfer(address(hooked), abi.encodeCall(hooked.mint, (address(executor), 1)), false);
    _assertRefused(executor, planId, abi.encodeWithSelector(ExactPull.PullInexact.selector, AMOUNT, AMOUNT, AMOUNT + 1));
  }

  /// A pull after which the owner has more than before is no pull, and no arithmetic error either.
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
