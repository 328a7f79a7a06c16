// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IVTokenDeposit} from "../../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase} from "../../base/CollateralForkBase.sol";
import {GuardTerms} from "../../base/GuardTerms.sol";
import {Tally} from "../../invariant/Tally.sol";
import {CollateralHandler} from "./CollateralHandler.sol";

/// @notice CollateralGuard's invariants, on real Venus and PancakeSwap: 1,500 calls.
contract CollateralCampaignForkTest is CollateralForkBase, Tally {
  CollateralHandler private handler;

  function setUp() public override {
    super.setUp();
    _supply(Bsc.V_BTC, 0.3e18);
    ICollateralGuard.Terms memory terms = _terms(Bsc.V_ETH);
    (terms.capPerRescue, terms.capPerDay, terms.minRepay) = (20_000e18, 60_000e18, 50e18);
    (terms.targetHealthWad, terms.maxCostBps) = (1.15e18, 200);
    (terms.cooldownSeconds, terms.expiresAt) = (10 minutes, type(uint40).max);
    uint256[2] memory guards;
    guards[0] = _register(terms);
    terms.collateralMarket = MarketAddress.toMarket(Bsc.V_BTC);
    terms.route = ICollateralGuard.Route(2500, Bsc.WBNB, 500, address(0), 0);
    guards[1] = _register(terms);

    ILoanGuard.Terms memory wallet =
      GuardTerms.plain(owner, address(bowline.venusMarket), MarketAddress.toMarket(Bsc.V_USDT), 20_000e18);
    (wallet.triggerHealthWad, wallet.targetHealthWad, wallet.expiresAt) = (1.12e18, 1.15e18, type(uint40).max);
    vm.startPrank(owner);
    USDT.approve(address(bowline.loanGuard), type(uint256).max);
    uint256 walletId = bowline.loanGuard.register(wallet);
    vm.stopPrank();
    handler = new CollateralHandler(guard, bowline.loanGuard, walletId, owner, guards);
    address[4] memory tokens = [Bsc.USDT, Bsc.ETH, Bsc.BTCB, Bsc.WBNB];
    for (uint256 i; i < 4; ++i) {
      deal(tokens[i], address(handler), 1e27);
    }

    targetSender(makeAddr("caller"));
    targetContract(address(handler));
    bytes4[] memory selectors = new bytes4[](14);
    // After a rescue the loan is in no danger, and the next call may be a rescue.
    selectors[0] = selectors[1] = selectors[2] = CollateralHandler.rescue.selector;
    selectors[3] = selectors[4] = selectors[5] = CollateralHandler.borrow.selector;
    selectors[6] = CollateralHandler.lag.selector;
    selectors[7] = CollateralHandler.trade.selector;
    selectors[8] = CollateralHandler.pass.selector;
    selectors[9] = CollateralHandler.allow.selector;
    selectors[10] = CollateralHandler.supply.selector;
    selectors[11] = CollateralHandler.rescueByTheWallet.selector;
    // A guard cools for ten minutes after a rescue.
    selectors[12] = selectors[13] = CollateralHandler.pass.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
  }

  /// CG-9, CG-11, CG-12
  /// forge-config: default.invariant.runs = 3
  /// forge-config: default.invariant.depth = 500
  /// forge-config: default.invariant.shrink_run_limit = 10
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    address[2] memory places = [address(guard), adapter];
    address[6] memory tokens = [Bsc.USDT, Bsc.ETH, Bsc.BTCB, Bsc.WBNB, Bsc.V_ETH, Bsc.V_BTC];
    for (uint256 i; i < 2; ++i) {
      for (uint256 j; j < 6; ++j) {
        assertEq(IERC20(tokens[j]).balanceOf(places[i]), 0);
      }
    }
    assertEq(USDT.allowance(adapter, Bsc.V_USDT), 0);
  }

  /// A campaign without rescues would prove nothing.
  function afterInvariant() public view {
    _requireDone(handler, "rescue", 15, 20);
    assertGt(IVTokenDeposit(Bsc.V_ETH).balanceOf(owner), 0);
  }
}
