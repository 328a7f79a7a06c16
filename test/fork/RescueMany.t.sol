// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ILendingMarket} from "../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IResilientOracle, IVToken} from "../../contracts/interfaces/IVenus.sol";
import {BatchCall} from "../../contracts/libraries/BatchCall.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "../base/ForkBase.sol";
import {GuardTerms} from "../base/GuardTerms.sol";

/// The Venus calls of a borrower.
interface IVenusLoan {
  function enterMarkets(address[] calldata vTokens) external returns (uint256[] memory);
  function mint(uint256 amount) external returns (uint256);
  function borrow(uint256 amount) external returns (uint256);
  function mintVAI(uint256 amount) external returns (uint256);
}

/// What a rescue cannot do without: one reading of the account and one repayment, without LoanGuard.
contract BareRescue {
  function repay(ILendingMarket adapter, address vToken, address[] calldata borrowers, uint256 amount) external {
    for (uint256 i; i < borrowers.length; ++i) {
      adapter.accrueAndRead(borrowers[i], MarketAddress.toMarket(vToken));
      require(IVToken(vToken).repayBorrowBehalf(borrowers[i], amount) == 0, "repay");
    }
  }
}

/// @notice Lists of loans rescued in the real Venus core pool, as transactions of their own: cold storage, and the gas
/// that a receipt would show.
/// forge-config: default.isolate = true
contract RescueManyForkTest is ForkBase {
  IERC20 private constant USDT = IERC20(Bsc.USDT);
  IResilientOracle private constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  /// Above the health of every loan here, so that no price has to move: a mocked price would cost no gas.
  uint64 private constant TRIGGER = 1.5e18;
  uint64 private constant TARGET = 1.6e18;
  uint256 private constant MAX_TX_GAS = 1 << 24;
  uint256 private constant MOST = 38;

  BareRescue private bare;

  function setUp() public override {
    super.setUp();
    bare = new BareRescue();
    deal(Bsc.USDT, address(bare), 1e24);
    vm.prank(address(bare));
    USDT.approve(Bsc.V_USDT, type(uint256).max);
    // Somebody's first rescue: from then on the shared storage is what it is in any later block.
    bowline.loanGuard.rescue(_guards(1, "first")[0]);
  }

  /// LG-18, LG-6: real loans at their targets.
  function test_rescueMany_restoresEveryLoan() public {
    uint256[] memory ids = _guards(3, "loan");
    ILoanGuard.Result[] memory results = bowline.loanGuard.rescueMany(ids, 0);
    for (uint256 i; i < 3; ++i) {
      assertTrue(results[i].isRescued);
      ILoanGuard.Rescue memory done = bowline.loanGuard.rescues(ids[i], 0, 1)[0];
      assertEq(done.repaid, results[i].repaid);
      assertEq(uint256(done.outcome), uint256(ILoanGuard.Outcome.Full));
      assertEq(done.healthAfterWad, TARGET);
    }
    assertEq(USDT.balanceOf(address(bowline.venusMarket)) + USDT.balanceOf(address(bowline.loanGuard)), 0);
  }

  /// LG-20: what one more rescue costs beyond its own repayment and reading. That part is counted within one transaction,
  /// so that no cold access counts twice.
  function test_rescueMany_oneMoreCostsLittleBeyondItsRepayment() public {
    uint256[] memory ids = _guards(11, "loan");
    uint256 snapshot = vm.snapshotState();
    bowline.loanGuard.rescue(ids[0]);
    uint256 alone = vm.lastCallGas().gasTotalUsed;
    uint256 repaid = bowline.loanGuard.rescues(ids[0], 0, 1)[0].repaid;
    vm.revertToState(snapshot);
    uint256 ten = _gasOf(_first(ids, 10));
    vm.revertToState(snapshot);
    uint256 eleven = _gasOf(ids);
    vm.revertToState(snapshot);
    uint256 bareTen = _bareGasOf(_first(ids, 10), repaid);
    vm.revertToState(snapshot);
    uint256 bareEleven = _bareGasOf(ids, repaid);

    uint256 own = bareEleven - bareTen;
    emit log_named_uint("a rescue alone", alone);
    emit log_named_uint("a list of ten", ten);
    emit log_named_uint("one more in a list", eleven - ten);
    emit log_named_uint("its repayment and reading", own);
    emit log_named_uint("LoanGuard's part", eleven - ten - own);
    assertLe(eleven - ten, 2 * alone / 3);
    assertLe(eleven - ten - own, 100_000);
  }

  /// LG-20: rescues that cost as much as these leave enough for the last one's budget. What counts is the gas before
  /// refunds, which are about 40,000 a rescue.
  function test_rescueMany_asManyFitInATransaction() public {
    uint256[] memory ids = _guards(MOST + 3, "loan");
    uint256 snapshot = vm.snapshotState();
    uint256 most;
    for (uint256 count = MOST; count <= ids.length; ++count) {
      uint256[] memory list = _first(ids, count);
      try bowline.loanGuard.rescueMany{gas: MAX_TX_GAS - 21_000 - 60_000}(list, 0) returns (
        ILoanGuard.Result[] memory results
      ) {
        for (uint256 i; i < count; ++i) {
          assertTrue(results[i].isRescued);
        }
        most = count;
      } catch (bytes memory why) {
        assertEq(bytes4(why), BatchCall.GasTooLow.selector);
        break;
      }
      vm.revertToState(snapshot);
    }
    emit log_named_uint("as many fit in a transaction", most);
    assertGe(most, MOST);
  }

  /// LG-20: the budget of one rescue is enough for an account in every market of the replica, on cold storage.
  function test_rescueMany_hasGasForAnAccountInFiveMarketsAndVai() public {
    uint256[] memory ids = _guards(1, "loan");
    address borrower = bowline.loanGuard.guard(ids[0]).terms.borrower;
    vm.startPrank(borrower);
    address[4] memory others = [Bsc.V_ETH, Bsc.V_USDC, Bsc.V_BNB, Bsc.VAI_CONTROLLER];
    for (uint256 i; i < 3; ++i) {
      assertEq(IVenusLoan(others[i]).borrow(100e36 / ORACLE.getUnderlyingPrice(others[i])), 0);
    }
    assertEq(IVenusLoan(Bsc.VAI_CONTROLLER).mintVAI(100e18), 0);
    vm.stopPrank();
    vm.roll(block.number + 1_000);

    ILoanGuard.Result[] memory results = bowline.loanGuard.rescueMany(ids, 0);
    emit log_named_uint("a list of one, in five markets and VAI", vm.lastCallGas().gasTotalUsed);
    assertTrue(results[0].isRescued);
  }

  function _gasOf(uint256[] memory ids) private returns (uint256) {
    bowline.loanGuard.rescueMany(ids, 0);
    uint256 used = vm.lastCallGas().gasTotalUsed;
    for (uint256 i; i < ids.length; ++i) {
      assertEq(bowline.loanGuard.guard(ids[i]).state.rescues, 1);
    }
    return used;
  }

  function _bareGasOf(uint256[] memory ids, uint256 amount) private returns (uint256) {
    address[] memory borrowers = new address[](ids.length);
    for (uint256 i; i < ids.length; ++i) {
      borrowers[i] = bowline.loanGuard.guard(ids[i]).terms.borrower;
    }
    bare.repay(bowline.venusMarket, Bsc.V_USDT, borrowers, amount);
    return vm.lastCallGas().gasTotalUsed;
  }

  function _first(uint256[] memory ids, uint256 count) private pure returns (uint256[] memory list) {
    list = new uint256[](count);
    for (uint256 i; i < count; ++i) {
      list[i] = ids[i];
    }
  }

  /// Guards of accounts that each owe USDT against one BTCB.
  function _guards(uint256 count, string memory name) private returns (uint256[] memory ids) {
    uint256 loan = ORACLE.getUnderlyingPrice(Bsc.V_BTC) * 78 / 100 * 70 / 100;
    address[] memory entered = new address[](1);
    entered[0] = Bsc.V_BTC;
    ids = new uint256[](count);
    for (uint256 i; i < count; ++i) {
      address borrower = makeAddr(string.concat(name, " ", vm.toString(i)));
      deal(Bsc.BTCB, borrower, 1e18);
      vm.startPrank(borrower);
      IERC20(Bsc.BTCB).approve(Bsc.V_BTC, 1e18);
      assertEq(IVenusLoan(Bsc.V_BTC).mint(1e18), 0);
      IVenusLoan(Bsc.COMPTROLLER).enterMarkets(entered);
      assertEq(IVenusLoan(Bsc.V_USDT).borrow(loan), 0);
      USDT.approve(address(bowline.loanGuard), type(uint256).max);
      ids[i] = bowline.loanGuard.register(_terms(borrower));
      vm.stopPrank();
    }
  }

  function _terms(address borrower) private view returns (ILoanGuard.Terms memory terms) {
    terms = GuardTerms.plain(borrower, address(bowline.venusMarket), MarketAddress.toMarket(Bsc.V_USDT), 50_000e18);
    (terms.triggerHealthWad, terms.targetHealthWad) = (TRIGGER, TARGET);
    (terms.capPerDay, terms.minRepay, terms.cooldownSeconds) = (100_000e18, 1e18, 1 hours);
  }
}
