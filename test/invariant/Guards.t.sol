// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../base/GuardBase.sol";
import {Product} from "../base/Product.sol";
import {MockPriceSource} from "../mocks/MockPriceSource.sol";
import {MockLendingMarket} from "../mocks/lending/MockLendingMarket.sol";
import {LoudToken} from "./LoudToken.sol";
import {Tally} from "./Tally.sol";
import {GuardHandler} from "./guards/GuardHandler.sol";
import {Rescues} from "./guards/Rescues.sol";

/// LoanGuard's invariants under any sequence of actions by borrowers, funders, falling markets and an attacker with the
/// keeper's key.
contract GuardInvariants is GuardBase, Tally {
  GuardHandler private handler;
  MockLendingMarket[2] private markets;

  function setUp() public override {
    vm.warp(START);
    address[] memory adapters = new address[](2);
    for (uint256 i; i < 2; ++i) {
      markets[i] = new MockLendingMarket(new LoudToken("USDT", 18), market, till, 1e18);
      adapters[i] = address(markets[i]);
    }
    address[] memory sources = new address[](1);
    sources[0] = address(source = new MockPriceSource());
    guard = Product.loanGuard(Product.revocations(), adapters, sources);
    handler = new GuardHandler(guard, markets, market, source);
    for (uint256 seed; seed < 3; ++seed) {
      handler.register(seed);
      handler.registerFunded(seed);
    }
    targetContract(address(handler));
    bytes4[] memory selectors = new bytes4[](12);
    // The attacker acts more often than anybody changes anything.
    selectors[0] = selectors[1] = selectors[2] = selectors[3] = Rescues.rescue.selector;
    selectors[4] = Rescues.reorder.selector;
    selectors[5] = GuardHandler.pass.selector;
    selectors[6] = GuardHandler.registerFunded.selector;
    selectors[7] = GuardHandler.stop.selector;
    selectors[8] = GuardHandler.spend.selector;
    selectors[9] = GuardHandler.forge.selector;
    selectors[10] = GuardHandler.cheat.selector;
    selectors[11] = GuardHandler.price.selector;
    targetSelector(FuzzSelector(address(handler), selectors));
    bytes4[] memory others = new bytes4[](2);
    others[0] = GuardHandler.register.selector;
    others[1] = GuardHandler.grab.selector;
    targetSelector(FuzzSelector(address(handler), others));
  }

  /// After every tenth call. The handler, which knows the state before, checks LG-8, LG-5, LG-3, LG-6, LG-10, LG-14, LG-11, IN-33, IN-36
  /// and IN-34.
  function invariant_All() public view {
    assertEq(handler.broken(), "");
    for (uint256 i; i < 2; ++i) {
      _guardAndAdapterHoldNothing(markets[i]);
    }
  }

  /// After the last call of a sequence, from state alone.
  function afterInvariant() public {
    invariant_All();
    _everybodyHasWhatIsRecorded();
    for (uint256 guardId = 1; guardId <= guard.guardCount(); ++guardId) {
      _countersAreWhatIsRecorded(guardId);
      _guardsNeverChange(guardId);
    }
    _tally("guards", handler);
    _requireDone(handler, "rescue", 20, 40);
  }

  /// LG-9: guard and adapter hold nothing but what was given to them and have no open allowances.
  function _guardAndAdapterHoldNothing(MockLendingMarket lending) private view {
    LoudToken token_ = LoudToken(address(lending.token()));
    assertEq(token_.balanceOf(address(guard)), handler.ledger(address(token_), address(guard)));
    assertEq(token_.balanceOf(address(lending)), handler.ledger(address(token_), address(lending)));
    assertEq(token_.allowance(address(guard), address(lending)), 0);
  }

  /// LG-8: each account has the tokens given to it, less the repayments recorded from it.
  function _everybodyHasWhatIsRecorded() private view {
    for (uint256 i; i < 2; ++i) {
      LoudToken token_ = LoudToken(address(markets[i].token()));
      for (uint256 j; j < handler.accountsCount(); ++j) {
        address account = handler.accounts(j);
        assertEq(token_.balanceOf(account), handler.ledger(address(token_), account));
      }
    }
  }

  /// LG-10: counters and the day's sum match the records.
  function _countersAreWhatIsRecorded(uint256 guardId) private view {
    ILoanGuard.Guard memory entry = guard.guard(guardId);
    ILoanGuard.Rescue[] memory rescues = guard.rescues(guardId, 0, type(uint256).max);
    (, uint256 count,,, bool isEnded) = handler.noted(guardId);
    assertEq(rescues.length, count);
    assertEq(entry.state.rescues, count);
    uint256 inDay;
    for (uint256 i; i < count; ++i) {
      if (rescues[i].time / 1 days == entry.state.day) inDay += rescues[i].repaid;
    }
    assertEq(entry.state.takenInDay, inDay);
    if (count != 0) assertEq(entry.state.lastRescueAt, rescues[count - 1].time);
    if (isEnded) assertTrue(entry.isRevoked || entry.state.status == ILoanGuard.Status.Cancelled);
  }

  /// LG-10: a guard's terms match its agreement.
  function _guardsNeverChange(uint256 guardId) private view {
    (bytes32 terms,,,,) = handler.noted(guardId);
    assertEq(keccak256(abi.encode(guard.guard(guardId).terms)), terms);
  }
}
