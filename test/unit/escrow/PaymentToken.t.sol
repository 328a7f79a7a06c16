// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ContractSigner} from "../../mocks/ContractSigner.sol";
import {PaymentToken} from "../../mocks/PaymentToken.sol";
import {Test} from "forge-std/Test.sol";

contract PaymentTokenTest is Test {
  bytes32 private constant NONCE = "nonce";

  PaymentToken private token;
  uint256 private key;
  address private payer;
  address private immutable payee = makeAddr("payee");

  function setUp() public {
    vm.warp(1_000);
    token = new PaymentToken(address(this));
    (payer, key) = makeAddrAndKey("payer");
    require(token.transfer(payer, 10 ether));
  }

  function test_movesWhatWasSignedOnce() public {
    (uint8 v, bytes32 r, bytes32 s) = sign(payee, 3 ether, 999, 1_001);
    token.transferWithAuthorization(payer, payee, 3 ether, 999, 1_001, NONCE, v, r, s);
    assertEq(token.balanceOf(payee), 3 ether);
    assertEq(token.balanceOf(payer), 7 ether);
    assertTrue(token.authorizationState(payer, NONCE));
    vm.expectRevert(PaymentToken.AuthorizationUsedUp.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 999, 1_001, NONCE, abi.encodePacked(r, s, v));
  }

  function test_refusesEveryOtherTerm() public {
    (uint8 v, bytes32 r, bytes32 s) = sign(payee, 3 ether, 999, 1_001);
    bytes memory signature = abi.encodePacked(r, s, v);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(payer, address(this), 3 ether, 999, 1_001, NONCE, signature);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(payer, payee, 4 ether, 999, 1_001, NONCE, signature);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 998, 1_001, NONCE, signature);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 999, 1_002, NONCE, signature);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 999, 1_001, "other", signature);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(address(this), payee, 3 ether, 999, 1_001, NONCE, signature);
    vm.chainId(56);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 999, 1_001, NONCE, signature);
  }

  function test_isGoodInsideItsTimeAlone() public {
    (uint8 v, bytes32 r, bytes32 s) = sign(payee, 3 ether, 1_000, 1_002);
    vm.expectRevert(PaymentToken.AuthorizationNotYetValid.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 1_000, 1_002, NONCE, v, r, s);
    vm.warp(1_002);
    vm.expectRevert(PaymentToken.AuthorizationExpired.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 1_000, 1_002, NONCE, v, r, s);
    vm.warp(1_001);
    token.transferWithAuthorization(payer, payee, 3 ether, 1_000, 1_002, NONCE, v, r, s);
  }

  function test_aCancelledAuthorisationIsUsedUp() public {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(
      key,
      digest(keccak256(abi.encode(keccak256("CancelAuthorization(address authorizer,bytes32 nonce)"), payer, NONCE)))
    );
    token.cancelAuthorization(payer, NONCE, v, r, s);
    (v, r, s) = sign(payee, 3 ether, 999, 1_001);
    vm.expectRevert(PaymentToken.AuthorizationUsedUp.selector);
    token.transferWithAuthorization(payer, payee, 3 ether, 999, 1_001, NONCE, v, r, s);
  }

  function test_aPayerMayBeAContract() public {
    ContractSigner account = new ContractSigner(payer);
    require(token.transfer(address(account), 5 ether));
    bytes memory signature = signFrom(address(account), key, payee, 3 ether, 999, 1_001);
    (, uint256 otherKey) = makeAddrAndKey("other");
    bytes memory foreign = signFrom(address(account), otherKey, payee, 3 ether, 999, 1_001);
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(address(account), payee, 3 ether, 999, 1_001, NONCE, foreign);
    token.transferWithAuthorization(address(account), payee, 3 ether, 999, 1_001, NONCE, signature);
    assertEq(token.balanceOf(payee), 3 ether);
  }

  function test_whatFailsIsNotUsedUp() public {
    (uint8 v, bytes32 r, bytes32 s) = sign(payee, 11 ether, 999, 1_001);
    vm.expectRevert();
    token.transferWithAuthorization(payer, payee, 11 ether, 999, 1_001, NONCE, v, r, s);
    assertFalse(token.authorizationState(payer, NONCE));
    require(token.transfer(payer, 1 ether));
    token.transferWithAuthorization(payer, payee, 11 ether, 999, 1_001, NONCE, v, r, s);
    assertEq(token.balanceOf(payee), 11 ether);
  }

  /// The same signature in its other form, with s in the upper half.
  function test_refusesAMalleableSignature() public {
    (uint8 v, bytes32 r, bytes32 s) = sign(payee, 3 ether, 999, 1_001);
    uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    vm.expectRevert(PaymentToken.InvalidSignature.selector);
    token.transferWithAuthorization(
      payer, payee, 3 ether, 999, 1_001, NONCE, v == 27 ? 28 : 27, r, bytes32(order - uint256(s))
    );
  }

  function sign(address to, uint256 value, uint256 validAfter, uint256 validBefore)
    private
    view
    returns (uint8, bytes32, bytes32)
  {
    return vm.sign(key, digest(transferTerms(payer, to, value, validAfter, validBefore)));
  }

  function signFrom(address from, uint256 with, address to, uint256 value, uint256 validAfter, uint256 validBefore)
    private
    view
    returns (bytes memory)
  {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(with, digest(transferTerms(from, to, value, validAfter, validBefore)));
    return abi.encodePacked(r, s, v);
  }

  function transferTerms(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore)
    private
    pure
    returns (bytes32)
  {
    bytes32 typehash = keccak256(
      "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    return keccak256(abi.encode(typehash, from, to, value, validAfter, validBefore, NONCE));
  }

  function digest(bytes32 terms) private view returns (bytes32) {
    return keccak256(abi.encodePacked(hex"1901", token.DOMAIN_SEPARATOR(), terms));
  }
}
