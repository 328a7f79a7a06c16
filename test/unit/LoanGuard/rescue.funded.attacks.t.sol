// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardTerms} from "../../base/GuardTerms.sol";
import {Product} from "../../base/Product.sol";
import {VenusMarketBase} from "../../base/VenusMarketBase.sol";
import {ContractSigner} from "../../mocks/ContractSigner.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {MockVaiController} from "../../mocks/venus/MockVaiController.sol";

/// Guard and Venus adapter together, against a borrower and a keeper who want a funder's tokens, and against changes in
/// Venus.
contract LoanGuardRescueFundedAttacksTest is VenusMarketBase {
  address private funder;
  uint256 private funderKey;
  LoanGuard private guard;

  function setUp() public override {
    super.setUp();
    (funder, funderKey) = makeAddrAndKey("funder");
    address[] memory adapters = new address[](1);
    adapters[0] = address(adapter);
    guard = Product.loanGuard(Product.revocations(), adapters, new address[](0));
    usdt.mint(funder, 10_000e18);
    vai.mint(funder, 10_000e18);
    vm.startPrank(funder);
    usdt.approve(address(guard), type(uint256).max);
    vai.approve(address(guard), type(uint256).max);
    vm.stopPrank();
  }

  /// LG-13: a borrower who controls the keeper withdraws collateral and is rescued, repeatedly in one transaction. It
  /// costs the funder exactly the day's cap.
  function test_attack_collateralTakenOutInALoopTakesNoMoreThanTheDaysCap() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.keeper = borrower;
    terms.capPerRescue = 70e18;
    terms.capPerDay = 200e18;
    uint256 guardId = _register(terms);

    assertEq(_loot(guardId, 10), 200e18);
    assertEq(usdt.balanceOf(funder), 9_800e18);
    assertEq(vUsdt.borrowBalanceStored(borrower), 200e18);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.DayCapUsedUp.selector, 0, 1e18));
    vm.prank(borrower);
    guard.rescue(guardId);
  }

  /// LG-3, LG-13: with a cooldown, one rescue.
  function test_attack_collateralTakenOutInALoopIsRescuedOnceACooldown() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.capPerRescue = 70e18;
    terms.cooldownSeconds = 1;
    assertEq(_loot(_register(terms), 10), 70e18);
    assertEq(usdt.balanceOf(funder), 9_930e18);
  }

  /// LG-14: contracts that never signed, including this project's and Venus', fund nothing.
  function test_attack_contractsThatCannotSignFundNothing() public {
    address[9] memory contracts_ = [
      address(adapter),
      address(guard),
      address(guard.revocations()),
      address(vUsdt),
      address(vBnb),
      address(wbnb),
      address(comptroller),
      address(vaiController),
      address(usdt)
    ];
    for (uint256 i; i < contracts_.length; ++i) {
      ILoanGuard.Consent memory consent = _consent(_terms());
      consent.terms.funder = contracts_[i];
      bytes memory signature = _sign(consent);
      vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, contracts_[i]));
      vm.prank(borrower);
      guard.registerFunded{gas: 3_000_000}(consent, signature);
    }
  }

  /// LG-14: two wallets with one key: a signature for one wallet is not valid for the other.
  function test_attack_aConsentIsForOneWalletOfTheKeys() public {
    ILoanGuard.Consent memory consent = _consent(_terms());
    consent.terms.funder = address(new ContractSigner(funder));
    bytes memory signature = _sign(consent);
    address other = address(new ContractSigner(funder));
    consent.terms.funder = other;
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.SignatureRefused.selector, other));
    vm.prank(borrower);
    guard.registerFunded(consent, signature);
    assertEq(guard.guardCount(), 0);
  }

  /// LG-14: the controller's token has changed, and somebody has sent the adapter as much of the new token as the
  /// rescue takes. The debt would fall correctly, but in the wrong token, and the funder's tokens would stay in the
  /// adapter for anyone to take.
  function test_attack_aMarketWithAnotherTokenThanAgreedTakesNothing() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.market = _market(address(vaiController));
    uint256 guardId = _register(terms);
    MockERC20 successor = new MockERC20("VAI2", 18);
    vaiController.setVAIToken(successor);
    successor.mint(address(adapter), 50e18);

    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayTokenChanged.selector, vai, successor));
    guard.rescue(guardId);
    assertEq(vai.balanceOf(funder), 10_000e18);
    assertEq(vai.balanceOf(address(adapter)), 0);
    vaiController.setVAIToken(vai);
    assertEq(guard.rescue(guardId), 50e18);
  }

  /// VM-3: a controller that Venus has replaced is not a market.
  function test_attack_aControllerThatWasReplacedTakesNothing() public {
    ILoanGuard.Terms memory terms = _terms();
    terms.market = _market(address(vaiController));
    uint256 guardId = _register(terms);
    comptroller.setVaiController(address(new MockVaiController(vai)));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, vaiController));
    guard.rescue(guardId);
    assertEq(vai.balanceOf(funder), 10_000e18);
  }

  /// As often as possible within one block: withdraws collateral until health is 1.02, and calls for a rescue.
  function _loot(uint256 guardId, uint256 times) private returns (uint256 taken) {
    for (uint256 i; i < times; ++i) {
      uint256 debtUsd = vUsdt.borrowBalanceStored(borrower) + 600e18;
      comptroller.setWeightedCollateral(borrower, debtUsd * 102 / 100);
      vm.prank(borrower);
      try guard.rescue(guardId) returns (uint256 repaid) {
        taken += repaid;
      } catch {}
    }
  }

  function _register(ILoanGuard.Terms memory terms) private returns (uint256) {
    ILoanGuard.Consent memory consent = _consent(terms);
    bytes memory signature = _sign(consent);
    vm.prank(borrower);
    return guard.registerFunded(consent, signature);
  }

  function _consent(ILoanGuard.Terms memory terms) private view returns (ILoanGuard.Consent memory consent) {
    consent.terms = terms;
    consent.deadline = block.timestamp;
  }

  function _sign(ILoanGuard.Consent memory consent) private view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(funderKey, guard.digestOf(consent));
    return abi.encodePacked(r, s, v);
  }

  function _terms() private view returns (ILoanGuard.Terms memory terms) {
    terms = GuardTerms.plain(borrower, address(adapter), _market(address(vUsdt)), 1_000e18);
    (terms.funder, terms.minRepay, terms.expiresAt) = (funder, 1e18, uint40(block.timestamp + 1 days));
  }
}
