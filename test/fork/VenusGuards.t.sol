// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "../base/ForkBase.sol";
import {GuardTerms} from "../base/GuardTerms.sol";
import {Tally} from "../invariant/Tally.sol";
import {VenusHandler} from "./VenusHandler.sol";

interface IVenusDeposit {
  function enterMarkets(address[] calldata vTokens) external returns (uint256[] memory);
  function mint(uint256 amount) external returns (uint256);
}

/// @notice LoanGuard's invariants again, on the real Venus core pool: 1,500 calls.
contract VenusGuardsForkTest is ForkBase, Tally {
  VenusHandler private handler;

  function setUp() public override {
    super.setUp();
    deal(Bsc.BTCB, owner, 1e18);
    vm.startPrank(owner);
    IERC20(Bsc.BTCB).approve(Bsc.V_BTC, 1e18);
    assertEq(IVenusDeposit(Bsc.V_BTC).mint(1e18), 0);
    address[] memory entered = new address[](1);
    entered[0] = Bsc.V_BTC;
    IVenusDeposit(Bsc.COMPTROLLER).enterMarkets(entered);
    vm.stopPrank();
    address[3] memory markets = [Bsc.V_USDT, Bsc.V_BNB, Bsc.VAI_CONTROLLER];
    uint256[3] memory guards;
    for (uint256 i; i < 3; ++i) {
      guards[i] = _guard(markets[i], i == 1 ? 30e18 : 20_000e18);
    }
    handler = new VenusHandler(bowline.loanGuard, bowline.venusMarket, owner, guards);
    for (uint256 i; i < 6; ++i) {
      handler.borrow(i);
    }

    // The sender of a call gets BNB out of nowhere, and could otherwise be an account that must hold none.
    targetSender(makeAddr("caller"));
    targetContract(address(handler));
    bytes4[] memory selectors = new bytes4[](10);
    selectors[0] = selectors[1] = VenusHandler.rescue.selector;
    // After a rescue the loan is in no danger, and the next call may be a rescue.
    selectors[2] = selectors[3] = selectors[4] = selectors[5] = VenusHandler.endanger.selector;
    selectors[6] = VenusHandler.borrow.selector;
    selectors[7] = VenusHandler.withdraw.selector;
    selectors[8] = VenusHandler.move.selector;
    selectors[9] = VenusHandler.pass.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
  }

  /// LG-8, LG-5, LG-6, LG-10, LG-9
  /// forge-config: default.invariant.runs = 3
  /// forge-config: default.invariant.depth = 500
  /// forge-config: default.invariant.shrink_run_limit = 10
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    for (uint256 i; i < 3; ++i) {
      IERC20 token = IERC20(handler.tokens(i));
      assertEq(token.balanceOf(address(bowline.loanGuard)), 0);
      assertEq(token.balanceOf(address(bowline.venusMarket)), 0);
      assertEq(token.allowance(address(bowline.venusMarket), handler.markets(i)), 0);
    }
    assertEq(address(bowline.venusMarket).balance, 0);
  }

  /// A campaign without rescues would prove nothing.
  function afterInvariant() public view {
    _requireDone(handler, "rescue", 20, 30);
  }

  function _guard(address market, uint256 cap) private returns (uint256 guardId) {
    ILoanGuard.Terms memory terms =
      GuardTerms.plain(owner, address(bowline.venusMarket), MarketAddress.toMarket(market), cap);
    (terms.capPerDay, terms.minRepay, terms.expiresAt) = (uint128(cap * 3), 1e15, type(uint40).max);
    address token = bowline.venusMarket.repayToken(MarketAddress.toMarket(market));
    deal(token, owner, cap * 1_000);
    vm.startPrank(owner);
    IERC20(token).approve(address(bowline.loanGuard), type(uint256).max);
    guardId = bowline.loanGuard.register(terms);
    vm.stopPrank();
  }
}
