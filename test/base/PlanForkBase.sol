// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IPlanRegistry, Verdict} from "../../contracts/interfaces/IPlanRegistry.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "./ForkBase.sol";

/// @notice An owner on the fork with 1,000 USDT, all of it approved for the registry, and a plan to buy BTCB.
abstract contract PlanForkBase is ForkBase {
  IERC20 internal constant USDT = IERC20(Bsc.USDT);
  IERC20 internal constant BTCB = IERC20(Bsc.BTCB);
  uint256 internal constant BUDGET = 1_000e18;

  function setUp() public virtual override {
    super.setUp();
    deal(Bsc.USDT, owner, BUDGET);
    vm.prank(owner);
    USDT.approve(address(bowline.planRegistry), BUDGET);
  }

  function _create(IPlanRegistry.Terms memory terms) internal returns (uint256 planId) {
    vm.prank(owner);
    planId = bowline.planRegistry.create(terms);
  }

  /// The operator's claim for a plan without a signer.
  function _go() internal pure returns (IPlanRegistry.Ticket memory ticket) {
    ticket.verdict = Verdict.GO;
    ticket.evidenceHash = keccak256("evidence");
  }

  function _terms() internal view returns (IPlanRegistry.Terms memory) {
    return IPlanRegistry.Terms({
      owner: owner,
      recipient: owner,
      executor: address(bowline.swapExecutor),
      verdictSigner: address(0),
      tokenIn: Bsc.USDT,
      tokenOut: Bsc.BTCB,
      amountPerRun: 100e18,
      startAt: uint40(block.timestamp),
      periodSeconds: 300,
      windowSeconds: 120,
      maxRuns: 10,
      expiresAt: uint40(block.timestamp + 1 days),
      priceSource: address(bowline.venusPriceSource),
      limitPriceWad: 0,
      maxSlippageBps: 100,
      farLimit: false,
      triggerPriceWad: 0
    });
  }

  /// The owner still has everything, and the plan has no run.
  function _requireUntouched(uint256 planId) internal view {
    assertEq(USDT.balanceOf(owner), BUDGET);
    assertEq(USDT.allowance(owner, address(bowline.planRegistry)), BUDGET);
    assertEq(BTCB.balanceOf(owner), 0);
    IPlanRegistry.State memory state = bowline.planRegistry.plan(planId).state;
    assertEq(state.runs, 0);
    assertEq(state.records, 0);
    assertEq(state.cursor, 0);
  }
}
