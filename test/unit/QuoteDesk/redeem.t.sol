// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {QuoteDesk} from "../../../contracts/QuoteDesk.sol";
import {IQuoteDesk} from "../../../contracts/interfaces/IQuoteDesk.sol";
import {ExactPull} from "../../../contracts/libraries/ExactPull.sol";
import {DeskBase} from "../../base/DeskBase.sol";
import {Product} from "../../base/Product.sol";
import {ContractSigner} from "../../mocks/ContractSigner.sol";
import {FeeERC20} from "../../mocks/FeeERC20.sol";
import {HookERC20} from "../../mocks/HookERC20.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

contract QuoteDeskRedeemTest is DeskBase {
  /// QD-1
  function test_givesExactlyWhatWasSigned() public {
    IQuoteDesk.Quote memory terms = quote();
    vm.expectEmit(address(desk));
    emit IQuoteDesk.QuoteRedeemed(7, buyer, address(paid), 300e6, address(sold), 3e18);
    redeem(terms, sign(terms));
    assertEq(paid.balanceOf(buyer), 700e6);
    assertEq(paid.balanceOf(address(desk)), 300e6);
    assertEq(sold.balanceOf(buyer), 3e18);
    assertEq(sold.balanceOf(address(desk)), 7e18);
  }

  /// QD-1
  function test_isForTheBuyerAlone() public {
    IQuoteDesk.Quote memory terms = quote();
    bytes memory signature = sign(terms);
    vm.prank(stranger);
    vm.expectRevert(abi.encodeWithSelector(IQuoteDesk.NotBuyer.selector, stranger, buyer));
    desk.redeem(terms, signature);
    assertUntouched();
  }

  /// QD-1
  function test_isGoodOnce() public {
    IQuoteDesk.Quote memory terms = quote();
    redeem(terms, sign(terms));
    // Another quote with the same nonce is used up with it.
    terms.amountOut = 1e18;
    refuses(terms, sign(terms), abi.encodeWithSelector(IQuoteDesk.QuoteUsedUp.selector, 7));
    terms.nonce = 8;
    redeem(terms, sign(terms));
    assertEq(sold.balanceOf(buyer), 4e18);
  }

  /// QD-1
  function test_isGoodUntilItExpires() public {
    IQuoteDesk.Quote memory terms = quote();
    bytes memory signature = sign(terms);
    vm.warp(NOW + 1);
    refuses(terms, signature, abi.encodeWithSelector(IQuoteDesk.QuoteExpired.selector, NOW + 1));
    vm.warp(NOW);
    redeem(terms, signature);
  }

  /// QD-5
  function test_everyTermIsSigned() public {
    bytes memory signature = sign(quote());
    bytes memory refused = abi.encodeWithSelector(IQuoteDesk.SignatureRefused.selector);
    IQuoteDesk.Quote memory terms = quote();
    terms.amountIn = 1;
    refuses(terms, signature, refused);
    terms = quote();
    terms.amountOut = 10e18;
    refuses(terms, signature, refused);
    terms = quote();
    terms.tokenIn = address(new MockERC20("OTHER", 6));
    refuses(terms, signature, refused);
    terms = quote();
    terms.tokenOut = address(new MockERC20("OTHER", 6));
    refuses(terms, signature, refused);
    terms = quote();
    terms.nonce = 8;
    refuses(terms, signature, refused);
    terms = quote();
    terms.expiresAt = NOW + 2;
    refuses(terms, signature, refused);
    terms = quote();
    terms.buyer = stranger;
    vm.prank(stranger);
    vm.expectRevert(refused);
    desk.redeem(terms, signature);
    assertUntouched();
  }

  /// QD-5
  function test_isGoodAtThisDeskAndChainAlone() public {
    bytes memory signature = sign(quote());
    QuoteDesk other = Product.quoteDesk(maker);
    sold.mint(address(other), 10e18);
    vm.prank(buyer);
    vm.expectRevert(IQuoteDesk.SignatureRefused.selector);
    other.redeem(quote(), signature);
    vm.chainId(56);
    refuses(quote(), signature, abi.encodeWithSelector(IQuoteDesk.SignatureRefused.selector));
  }

  /// QD-5
  function test_refusesOtherSigners() public {
    (, uint256 otherKey) = makeAddrAndKey("other");
    bytes memory refused = abi.encodeWithSelector(IQuoteDesk.SignatureRefused.selector);
    refuses(quote(), signAs(otherKey, desk.digestOf(quote())), refused);
    refuses(quote(), "", refused);
    refuses(quote(), new bytes(65), refused);
    // The same signature in its other form, with s in the upper half.
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(makerKey, desk.digestOf(quote()));
    uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    refuses(quote(), abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27)), refused);
  }

  /// QD-5
  function test_aMakerMayBeAContract() public {
    desk = Product.quoteDesk(address(new ContractSigner(maker)));
    sold.mint(address(desk), 10e18);
    vm.prank(buyer);
    paid.approve(address(desk), type(uint256).max);
    IQuoteDesk.Quote memory terms = quote();
    (, uint256 otherKey) = makeAddrAndKey("other");
    refuses(terms, signAs(otherKey, desk.digestOf(terms)), abi.encodeWithSelector(IQuoteDesk.SignatureRefused.selector));
    redeem(terms, sign(terms));
    assertEq(sold.balanceOf(buyer), 3e18);
  }

  /// QD-5
  function test_aMakerWithCodeStillSignsWithItsKey() public {
    vm.etch(maker, hex"00");
    IQuoteDesk.Quote memory terms = quote();
    redeem(terms, sign(terms));
    assertEq(sold.balanceOf(buyer), 3e18);
  }

  /// QD-1
  function test_refusesTokensThatKeepAPart() public {
    use(new FeeERC20("PAID", 6, 100), new MockERC20("SOLD", 18));
    IQuoteDesk.Quote memory terms = quote();
    refuses(terms, sign(terms), abi.encodeWithSelector(ExactPull.PullInexact.selector, 300e6, 300e6, 297e6));
    use(new MockERC20("PAID", 6), new FeeERC20("SOLD", 18, 100));
    terms = quote();
    refuses(terms, sign(terms), abi.encodeWithSelector(IQuoteDesk.DeliveryInexact.selector, 3e18, 3e18, 2.97e18));
    assertFalse(desk.isUsedUp(7));
  }

  /// QD-1
  function test_refusesOneTokenForItself() public {
    IQuoteDesk.Quote memory terms = quote();
    terms.tokenOut = terms.tokenIn;
    refuses(terms, sign(terms), abi.encodeWithSelector(IQuoteDesk.SameToken.selector, address(paid)));
  }

  function test_cannotBeEnteredAgainFromAToken() public {
    HookERC20 hooked = new HookERC20("PAID", 6);
    use(hooked, new MockERC20("SOLD", 18));
    IQuoteDesk.Quote memory inner = quote();
    inner.nonce = 8;
    bytes memory again = abi.encodeCall(desk.redeem, (inner, sign(inner)));
    hooked.hookNextTransfer(address(desk), again, false);
    IQuoteDesk.Quote memory terms = quote();
    // The token is not the buyer, whoever calls it.
    terms.buyer = buyer;
    refuses(terms, sign(terms), abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
  }

  function test_withoutInventoryNothingIsTaken() public {
    vm.prank(maker);
    desk.withdraw(address(sold), maker, 8e18);
    IQuoteDesk.Quote memory terms = quote();
    bytes memory signature = sign(terms);
    vm.prank(buyer);
    vm.expectRevert();
    desk.redeem(terms, signature);
    assertEq(paid.balanceOf(buyer), 1_000e6);
    assertFalse(desk.isUsedUp(7));
  }

  function redeem(IQuoteDesk.Quote memory terms, bytes memory signature) private {
    vm.prank(buyer);
    desk.redeem(terms, signature);
  }

  function refuses(IQuoteDesk.Quote memory terms, bytes memory signature, bytes memory reason) private {
    vm.prank(buyer);
    vm.expectRevert(reason);
    desk.redeem(terms, signature);
  }
}
