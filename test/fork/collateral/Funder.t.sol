// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ICollateralMarket} from "../../../contracts/interfaces/ICollateralMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {INonces} from "../../../contracts/interfaces/INonces.sol";
import {IVToken, IVTokenDeposit} from "../../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase, IVenusAll} from "../../base/CollateralForkBase.sol";

/// @notice Another account's deposit pays, by its signature: it earns interest until it is needed.
contract CollateralFunderForkTest is CollateralForkBase {
  address private funder;
  uint256 private key;

  function setUp() public override {
    super.setUp();
    (funder, key) = makeAddrAndKey("funder");
    deal(Bsc.USDT, funder, 20_000e18);
    vm.startPrank(funder);
    USDT.approve(Bsc.V_USDT, 20_000e18);
    assertEq(IVenusAll(Bsc.V_USDT).mint(20_000e18), 0);
    // It secures loans of the funder's own, and none of the borrower's.
    _enter(Bsc.V_USDT);
    IERC20(Bsc.V_USDT).approve(address(guard), type(uint256).max);
    vm.stopPrank();
  }

  /// CG-4: No pool, no cost, and LoanGuard's very amount.
  function test_savingsInVUsdt() public {
    guardId = _registerFunded(_consent());
    _borrowTo(1.08e18);
    vm.roll(block.number + 10_000);
    IVTokenDeposit(Bsc.V_USDT).accrueInterest();
    uint256 health = _health();
    uint256 debt = IVToken(Bsc.V_USDT).borrowBalanceStored(owner);
    uint256 savings = _savings();
    assertGt(savings, 20_000e18, "earned");

    uint256 repaid = guard.rescue(guardId, none);

    assertGe(_health(), TARGET);
    assertApproxEqRel(_health(), TARGET, 1e10);
    assertApproxEqRel(repaid, debt - debt * health / TARGET, 1e10, "LoanGuard's own size");
    assertApproxEqAbs(savings - _savings(), repaid, 1e12, "and no more than that");
    _assertNothingStays(Bsc.V_USDT, Bsc.USDT);
    ICollateralGuard.Rescue memory done = guard.rescues(guardId, 0, 1)[0];
    assertEq(done.sold, repaid);
    assertEq(uint256(done.repayment.outcome), uint256(ILoanGuard.Outcome.Full));
  }

  /// LG-14: A consent is of one guard, of one time, and of both epochs.
  function test_consent_isRefusedByName() public {
    ICollateralGuard.Consent memory consent = _consent();
    vm.prank(owner);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.FunderRefused.selector, funder));
    guard.register(consent.terms);

    bytes memory signature = _signed(consent);
    vm.startPrank(owner);
    guard.registerFunded(consent, signature);
    vm.expectRevert(abi.encodeWithSelector(INonces.NonceUsedUp.selector, funder, 7));
    guard.registerFunded(consent, signature);
    consent.nonce = 8;
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, funder));
    guard.registerFunded(consent, signature);
    vm.stopPrank();

    signature = _signed(consent);
    vm.prank(stranger);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.NotBorrower.selector, stranger, owner));
    guard.registerFunded(consent, signature);
    vm.warp(consent.deadline + 1);
    vm.prank(owner);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DeadlinePassed.selector, consent.deadline, consent.deadline + 1));
    guard.registerFunded(consent, signature);
    vm.warp(consent.deadline);
    vm.prank(funder);
    guard.cancelNonce(8);
    vm.prank(owner);
    vm.expectRevert(abi.encodeWithSelector(INonces.NonceUsedUp.selector, funder, 8));
    guard.registerFunded(consent, signature);
  }

  /// LG-14
  function test_consent_endsWithEitherEpoch() public {
    ICollateralGuard.Consent memory consent = _consent();
    bytes memory signature = _signed(consent);
    address[2] memory who = [owner, funder];
    for (uint256 i; i < 2; ++i) {
      uint256 snapshot = vm.snapshotState();
      vm.prank(who[i]);
      bowline.revocations.revokeAll();
      uint64 epoch = bowline.revocations.epochOf(who[i]);
      vm.prank(owner);
      vm.expectRevert(abi.encodeWithSelector(ILoanGuard.EpochPassed.selector, 0, epoch));
      guard.registerFunded(consent, signature);
      vm.revertToState(snapshot);
    }
  }

  /// LG-14: Every term is signed: any other one needs another signature.
  function testFuzz_consent_isForTheseTermsAlone(uint256 field) public {
    ICollateralGuard.Consent memory consent = _consent();
    bytes memory signature = _signed(consent);
    bytes memory terms = abi.encode(consent.terms);
    // The borrower is the caller, and the funder the signer.
    field = bound(field, 2, terms.length / 32 - 1);
    assembly ("memory-safe") {
      let place := add(add(terms, 32), mul(field, 32))
      mstore(place, xor(mload(place), 1))
    }
    consent.terms = abi.decode(terms, (ICollateralGuard.Terms));
    vm.prank(owner);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, funder));
    guard.registerFunded(consent, signature);
  }

  /// LG-11
  function test_stopped_byTheFunder() public {
    guardId = _registerFunded(_consent());
    _borrowTo(1.08e18);
    uint256 snapshot = vm.snapshotState();
    vm.prank(funder);
    bowline.revocations.revokeAll();
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.GuardRevoked.selector, guardId));
    guard.rescue(guardId, none);
    vm.revertToState(snapshot);
    vm.prank(funder);
    guard.cancel(guardId);
    vm.expectPartialRevert(ILoanGuard.GuardNotActive.selector);
    guard.rescue(guardId, none);
  }

  /// LG-11: What one of them revoked before is over: each epoch is compared with its own account's.
  function test_revokedBefore_rescues() public {
    vm.prank(owner);
    bowline.revocations.revokeAll();
    ICollateralGuard.Consent memory consent = _consent();
    consent.borrowerEpoch = bowline.revocations.epochOf(owner);
    guardId = _registerFunded(consent);
    _borrowTo(1.08e18);
    assertFalse(guard.guard(guardId).isRevoked);
    assertGt(guard.rescue(guardId, none), 0);
  }

  /// CG-4: A funder's deposit in another token is sold; what weighs nothing for the borrower costs the borrower nothing.
  function test_anothersDepositInAnotherToken() public {
    deal(Bsc.BTCB, funder, 1e18);
    vm.startPrank(funder);
    IERC20(Bsc.BTCB).approve(Bsc.V_BTC, 1e18);
    IVenusAll(Bsc.V_BTC).mint(1e18);
    _enter(Bsc.V_BTC);
    IERC20(Bsc.V_BTC).approve(address(guard), type(uint256).max);
    vm.stopPrank();
    ICollateralGuard.Consent memory consent = _consent();
    consent.terms = _terms(Bsc.V_BTC);
    consent.terms.funder = funder;
    guardId = _registerFunded(consent);
    _borrowTo(1.08e18);
    guard.rescue(guardId, none);
    assertGe(_health(), TARGET);
    assertApproxEqRel(_health(), TARGET, 1e10);
    assertEq(IERC20(Bsc.BTCB).balanceOf(owner), 0, "the rest is the funder's");
  }

  /// CG-4: One's own deposit that secures nothing weighs nothing either.
  function test_ownSavingsInAnotherToken() public {
    _borrowTo(1.08e18);
    deal(Bsc.BTCB, owner, 1e18);
    vm.startPrank(owner);
    IERC20(Bsc.BTCB).approve(Bsc.V_BTC, 1e18);
    IVenusAll(Bsc.V_BTC).mint(1e18);
    vm.stopPrank();
    guardId = _register(_terms(Bsc.V_BTC));
    guard.rescue(guardId, none);
    assertApproxEqRel(_health(), TARGET, 1e10);
  }

  /// CG-4: The debt's token as entered collateral is paid out before the repayment, as far as borrowing power goes.
  function test_sameTokenAsCollateral() public {
    _supply(Bsc.V_USDT, 1_000e18);
    guardId = _register(_terms(Bsc.V_USDT));
    _borrowTo(1.08e18);
    uint256 before = _health();
    guard.rescue(guardId, none);
    assertGt(_health(), before);
    _assertNothingStays(Bsc.V_USDT, Bsc.USDT);
    _supply(Bsc.V_USDT, 5_000e18);
    _borrowTo(1.08e18);
    vm.expectRevert(
      abi.encodeWithSelector(ICollateralMarket.BorrowingPowerTooLow.selector, owner, MarketAddress.toMarket(Bsc.V_USDT))
    );
    guard.rescue(guardId, none);
  }

  function _consent() private view returns (ICollateralGuard.Consent memory consent) {
    consent.terms = _terms(Bsc.V_USDT);
    (consent.terms.funder, consent.terms.maxCostBps) = (funder, 1);
    (consent.nonce, consent.deadline) = (7, block.timestamp + 1 days);
  }

  function _signed(ICollateralGuard.Consent memory consent) private view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, guard.digestOf(consent));
    return abi.encodePacked(r, s, v);
  }

  function _registerFunded(ICollateralGuard.Consent memory consent) private returns (uint256) {
    bytes memory signature = _signed(consent);
    vm.prank(owner);
    return guard.registerFunded(consent, signature);
  }

  function _savings() private view returns (uint256) {
    return IVTokenDeposit(Bsc.V_USDT).balanceOf(funder) * IVTokenDeposit(Bsc.V_USDT).exchangeRateStored() / WAD;
  }
}
