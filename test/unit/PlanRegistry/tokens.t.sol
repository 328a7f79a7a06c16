// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ExactPull} from "../../../contracts/libraries/ExactPull.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {RefusingERC20} from "../../mocks/RefusingERC20.sol";
import {SilentERC20} from "../../mocks/SilentERC20.sol";

/// PR-11: tokens that do not move what they say, and tokens that say nothing.
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

  function test_TokensWithoutReturnValuesWork() public {
    (SilentERC20 silentIn, SilentERC20 silentOut) = (new SilentERC20(), new SilentERC20());
    silentIn.mint(owner, AMOUNT);
    silentOut.mint(address(executor), FLOOR);
    _run(_planOf(address(silentIn), address(silentOut)));
    assertEq(silentIn.balanceOf(owner), 0);
    assertEq(silentIn.balanceOf(address(executor)), AMOUNT);
    assertEq(silentOut.balanceOf(recipient), FLOOR);
  }

  function test_RevertWhen_TokenInReturnsFalse() public {
    RefusingERC20 refusing = new RefusingERC20("NO", 18);
    refusing.mint(owner, AMOUNT);
    _assertRefused(
      executor,
      _planOf(address(refusing), address(coin)),
      abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, refusing)
    );
  }

  /// PR-12, PR-13
  function test_RevertWhen_TokenOutReturnsFalse() public {
    RefusingERC20 refusing = new RefusingERC20("NO", 8);
    refusing.mint(address(executor), FLOOR);
    _assertRefused(
      executor,
      _planOf(address(usd), address(refusing)),
      abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, refusing)
    );
  }

  function _hookedPlan() private returns (HookERC20 hooked, uint256 planId) {
    hooked = new HookERC20("HOOK", 18);
    hooked.mint(owner, FUNDS);
    planId = _planOf(address(hooked), address(coin));
  }
}
