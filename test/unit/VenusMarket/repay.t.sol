// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {VenusMarket} from "../../../contracts/lending/VenusMarket.sol";
import {GuardTerms} from "../../base/GuardTerms.sol";
import {Product} from "../../base/Product.sol";
import {VenusMarketBase} from "../../base/VenusMarketBase.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {SilentERC20} from "../../mocks/SilentERC20.sol";
import {MockVToken} from "../../mocks/venus/MockVToken.sol";

contract VenusMarketRepayTest is VenusMarketBase {
  address private immutable leftoverTo = makeAddr("leftoverTo");

  /// LG-8, LG-9
  function testFuzz_repay_paysTheBorrowersDebtAndKeepsNothing(uint256 amount) public {
    amount = bound(amount, 1, 400e18);
    usdt.mint(address(adapter), amount);
    adapter.repay(borrower, _market(address(vUsdt)), amount, leftoverTo);

    assertEq(vUsdt.borrowBalanceStored(borrower), 400e18 - amount);
    assertEq(usdt.balanceOf(address(vUsdt)), amount);
    assertEq(usdt.balanceOf(address(adapter)), 0);
    assertEq(usdt.balanceOf(leftoverTo), 0);
    assertEq(usdt.allowance(address(adapter), address(vUsdt)), 0);
  }

  /// LG-9: what the market does not take, here the excess over the debt, goes to the account that the caller named.
  function test_repay_returnsWhatTheMarketDoesNotTake() public {
    usdt.mint(address(adapter), 500e18);
    adapter.repay(borrower, _market(address(vUsdt)), 500e18, leftoverTo);
    assertEq(vUsdt.borrowBalanceStored(borrower), 0);
    assertEq(usdt.balanceOf(leftoverTo), 100e18);
    assertEq(usdt.balanceOf(address(adapter)), 0);
    assertEq(usdt.allowance(address(adapter), address(vUsdt)), 0);
  }

  /// LG-9
  function test_repay_returnsAllIfTheMarketTakesNothing() public {
    vUsdt.setMaxTaken(0);
    usdt.mint(address(adapter), 100e18);
    adapter.repay(borrower, _market(address(vUsdt)), 100e18, leftoverTo);
    assertEq(usdt.balanceOf(leftoverTo), 100e18);
    assertEq(usdt.balanceOf(address(adapter)), 0);
    assertEq(usdt.allowance(address(adapter), address(vUsdt)), 0);
  }

  /// LG-9: a donation is neither spent nor swept, whether the market takes all or only part.
  function testFuzz_repay_leavesAGiftWhereItIs(uint128 gift, uint256 taken) public {
    taken = bound(taken, 0, 100e18);
    vUsdt.setMaxTaken(taken);
    usdt.mint(address(adapter), gift);
    usdt.mint(address(adapter), 100e18);
    adapter.repay(borrower, _market(address(vUsdt)), 100e18, leftoverTo);
    assertEq(usdt.balanceOf(address(adapter)), gift);
    assertEq(usdt.balanceOf(leftoverTo), 100e18 - taken);
    assertEq(vUsdt.borrowBalanceStored(borrower), 400e18 - taken);
  }

  /// LG-9: the allowance is exactly the amount, so not even a donation can be taken on top.
  function test_repay_letsTheMarketTakeNoMoreThanTheAmount() public {
    vUsdt.setOvercharge(1);
    usdt.mint(address(adapter), 200e18);
    vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, vUsdt, 100e18, 100e18 + 1));
    adapter.repay(borrower, _market(address(vUsdt)), 100e18, leftoverTo);
  }

  /// VM-3: most failures of Venus revert, but some only return a code, with nothing repaid.
  function testFuzz_repay_refusesAReturnCodeOtherThanZero(uint256 code) public {
    code = bound(code, 1, type(uint256).max);
    vUsdt.setRepayCode(code);
    usdt.mint(address(adapter), 100e18);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayRejected.selector, vUsdt, code));
    adapter.repay(borrower, _market(address(vUsdt)), 100e18, leftoverTo);
    assertEq(usdt.balanceOf(address(adapter)), 100e18);
    assertEq(vUsdt.borrowBalanceStored(borrower), 400e18);
  }

  /// LG-2: the allowance would go to a contract of the caller's choice.
  function test_repay_refusesAMarketThatTheComptrollerDoesNotList() public {
    address fake = address(new MockVToken(address(usdt)));
    usdt.mint(address(adapter), 100e18);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, fake));
    adapter.repay(borrower, _market(fake), 100e18, leftoverTo);
    assertEq(usdt.allowance(address(adapter), fake), 0);
  }

  /// VM-4: unwrapped exactly, from the borrower's WBNB to Venus.
  function testFuzz_repay_ofVBnbUnwraps(uint256 amount, uint64 gift) public {
    amount = bound(amount, 1, 0.5e18);
    _dealWbnb(amount + gift);
    adapter.repay(borrower, _market(address(vBnb)), amount, leftoverTo);
    assertEq(vBnb.borrowBalanceStored(borrower), 0.5e18 - amount);
    assertEq(address(vBnb).balance, amount);
    assertEq(address(adapter).balance, 0);
    assertEq(wbnb.balanceOf(address(adapter)), gift);
  }

  /// VM-4: vBNB refuses the excess over the debt, and nothing is unwrapped.
  function test_repay_ofVBnbAboveTheDebtIsRefused() public {
    _dealWbnb(0.6e18);
    vm.expectRevert("repay: above the debt");
    adapter.repay(borrower, _market(address(vBnb)), 0.5e18 + 1, leftoverTo);
    assertEq(wbnb.balanceOf(address(adapter)), 0.6e18);
  }

  /// LG-9, VM-4: a coin forced into the adapter pays for nothing.
  function testFuzz_repay_ofVBnbLeavesAForcedCoinWhereItIs(uint64 forced) public {
    vm.deal(address(adapter), forced);
    _dealWbnb(0.2e18);
    adapter.repay(borrower, _market(address(vBnb)), 0.2e18, leftoverTo);
    assertEq(address(adapter).balance, forced);
    assertEq(address(vBnb).balance, 0.2e18);
    assertEq(vBnb.borrowBalanceStored(borrower), 0.3e18);
  }

  /// VM-4: a coin sent here could not be recovered.
  function test_receive_refusesCoinsOfAnyoneButWbnb() public {
    vm.deal(borrower, 1 ether);
    vm.prank(borrower);
    (bool sent, bytes memory why) = address(adapter).call{value: 1}("");
    assertFalse(sent);
    assertEq(why, abi.encodeWithSelector(VenusMarket.NotWbnb.selector, borrower));
  }

  /// VM-4: WBNB of BNB Chain unwraps with the 2,300 gas that `transfer` gives.
  function test_receive_needsNoMoreGasThanWbnbGives() public {
    vm.deal(address(wbnb), 1);
    vm.prank(address(wbnb));
    (bool sent,) = address(adapter).call{value: 1, gas: 0}("");
    assertTrue(sent);
  }

  /// VM-4
  function testFuzz_repay_ofVaiReturnsTheRemainder(uint256 amount, uint64 gift) public {
    amount = bound(amount, 1, 100e18);
    vai.mint(address(adapter), amount + gift);
    adapter.repay(borrower, _market(address(vaiController)), amount, leftoverTo);
    uint256 taken = amount < 50e18 ? amount : 50e18;
    assertEq(vaiController.getVAIRepayAmount(borrower), 50e18 - taken);
    assertEq(vai.balanceOf(leftoverTo), amount - taken);
    assertEq(vai.balanceOf(address(adapter)), gift);
    assertEq(vai.allowance(address(adapter), address(vaiController)), 0);
  }

  /// VM-3, VM-4
  function test_repay_ofVaiRefusesAReturnCodeOtherThanZero() public {
    vaiController.setRepayCode(7);
    vai.mint(address(adapter), 1e18);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayRejected.selector, vaiController, 7));
    adapter.repay(borrower, _market(address(vaiController)), 1e18, leftoverTo);
  }

  /// VM-3
  function test_repay_whileThatMarketIsPausedIsRefused() public {
    usdt.mint(address(adapter), 100e18);
    comptroller.pauseAction(address(vUsdc), 3);
    comptroller.pauseAction(address(vUsdt), 1);
    adapter.repay(borrower, _market(address(vUsdt)), 50e18, leftoverTo);
    comptroller.pauseAction(address(vUsdt), 3);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayPaused.selector, vUsdt));
    adapter.repay(borrower, _market(address(vUsdt)), 50e18, leftoverTo);
  }

  /// VM-3
  function test_repay_whileAllOfVenusIsPausedIsRefused() public {
    usdt.mint(address(adapter), 100e18);
    comptroller.pauseProtocol();
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayPaused.selector, vUsdt));
    adapter.repay(borrower, _market(address(vUsdt)), 100e18, leftoverTo);
  }

  /// LG-8, LG-9: a token whose transfers and approvals return nothing, and that changes an allowance only from zero or
  /// to zero.
  function test_repay_worksWithATokenThatReturnsNothing() public {
    SilentERC20 silent = new SilentERC20();
    MockVToken vSilent = new MockVToken(address(silent));
    _list(address(vSilent), 1e18);
    vSilent.setDebt(borrower, 100e18);
    vSilent.setMaxTaken(60e18);
    silent.mint(address(adapter), 160e18);

    adapter.repay(borrower, _market(address(vSilent)), 80e18, leftoverTo);
    adapter.repay(borrower, _market(address(vSilent)), 80e18, leftoverTo);
    assertEq(vSilent.borrowBalanceStored(borrower), 0);
    assertEq(silent.balanceOf(leftoverTo), 60e18);
    assertEq(silent.balanceOf(address(adapter)), 0);
    assertEq(silent.allowance(address(adapter), address(vSilent)), 0);
  }

  /// LG-9: otherwise a contract called while the market takes the tokens could use the rest for its own debt.
  function test_repay_withinARepayIsRefused() public {
    HookERC20 hooked = new HookERC20("HOOK", 18);
    MockVToken vHooked = new MockVToken(address(hooked));
    _list(address(vHooked), 1e18);
    address thief = makeAddr("thief");
    vHooked.setDebt(borrower, 100e18);
    vHooked.setDebt(thief, 100e18);
    vHooked.setMaxTaken(60e18);
    hooked.mint(address(adapter), 100e18);
    bytes memory theft = abi.encodeCall(ILendingMarket.repay, (thief, _market(address(vHooked)), 40e18, thief));
    hooked.hookNextTransfer(address(adapter), theft, true);

    adapter.repay(borrower, _market(address(vHooked)), 100e18, leftoverTo);
    assertFalse(hooked.succeeded());
    assertEq(hooked.returned(), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
    assertEq(vHooked.borrowBalanceStored(thief), 100e18);
    assertEq(hooked.balanceOf(leftoverTo), 40e18);
  }

  /// LG-5, LG-6, LG-8, LG-9: guard and adapter together. D = 1,000, W = 1,020: 184 of the 400 bring health to 1.25.
  function test_repay_forTheGuardBringsALoanWithManyDebtsToTheTarget() public {
    (LoanGuard guard, uint256 guardId) = _guarded();
    usdt.mint(address(adapter), 7e18);

    assertEq(guard.rescue(guardId), 184e18);
    assertEq(vUsdt.borrowBalanceStored(borrower), 216e18);
    assertEq(usdt.balanceOf(borrower), 816e18);
    assertEq(usdt.balanceOf(address(adapter)), 7e18);
    assertEq(usdt.balanceOf(address(guard)), 0);
    assertEq(usdt.allowance(address(adapter), address(vUsdt)), 0);
    ILoanGuard.Rescue memory record = guard.rescues(guardId, 0, 1)[0];
    assertEq(record.healthBeforeWad, 1.02e18);
    assertEq(record.healthAfterWad, 1.25e18);
    ILendingMarket.Position memory position = adapter.accrueAndRead(borrower, _market(address(vUsdt)));
    assertEq(position.weightedCollateralValue * WAD / position.debtValue, 1.25e18);
  }

  /// LG-8, VM-3: neither an error code nor a fake success costs the borrower anything.
  function test_repay_forTheGuardThatFailsCostsNothing() public {
    (LoanGuard guard, uint256 guardId) = _guarded();
    vUsdt.setRepayCode(3);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.RepayRejected.selector, vUsdt, 3));
    guard.rescue(guardId);
    vUsdt.setRepayCode(0);
    vUsdt.setMaxTaken(0);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayBelowMinimum.selector, 0, 1));
    guard.rescue(guardId);
    assertEq(usdt.balanceOf(borrower), 1_000e18);
    assertEq(vUsdt.borrowBalanceStored(borrower), 400e18);
  }

  /// LG-2: LoanGuard does not register a market that the adapter refuses to repay.
  function test_repay_forTheGuardIsOnlyOfMarketsThatCanBeRegistered() public {
    (LoanGuard guard,) = _guarded();
    ILoanGuard.Terms memory terms = guard.guard(1).terms;
    terms.market = _market(address(new MockVToken(address(usdt))));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, terms.market));
    vm.prank(borrower);
    guard.register(terms);
  }

  function _dealWbnb(uint256 amount) private {
    vm.deal(address(this), amount);
    wbnb.deposit{value: amount}();
    wbnb.transfer(address(adapter), amount);
  }

  function _guarded() private returns (LoanGuard guard, uint256 guardId) {
    address[] memory adapters = new address[](1);
    adapters[0] = address(adapter);
    guard = Product.loanGuard(Product.revocations(), adapters, new address[](0));
    usdt.mint(borrower, 1_000e18);
    vm.startPrank(borrower);
    usdt.approve(address(guard), type(uint256).max);
    guardId = guard.register(GuardTerms.plain(borrower, address(adapter), _market(address(vUsdt)), 1_000e18));
    vm.stopPrank();
  }
}
