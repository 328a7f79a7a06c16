// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";

/// A consent hashed by Foundry's own EIP-712 implementation, from its type as a wallet reads it.
contract LoanGuardDigestOfTest is GuardBase {
  string private constant TYPES = string.concat(
    '"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},',
    '{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],',
    '"Consent":[{"name":"terms","type":"Terms"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"},',
    '{"name":"borrowerEpoch","type":"uint64"},{"name":"funderEpoch","type":"uint64"}],',
    '"Terms":[{"name":"borrower","type":"address"},{"name":"funder","type":"address"},',
    '{"name":"adapter","type":"address"},{"name":"market","type":"bytes32"},{"name":"keeper","type":"address"},',
    '{"name":"priceSource","type":"address"},{"name":"triggerHealthWad","type":"uint64"},',
    '{"name":"targetHealthWad","type":"uint64"},{"name":"capPerRescue","type":"uint128"},',
    '{"name":"capPerDay","type":"uint128"},{"name":"minRepay","type":"uint128"},',
    '{"name":"cooldownSeconds","type":"uint32"},{"name":"expiresAt","type":"uint40"}]'
  );

  /// LG-14: any consent, its two epochs as they are.
  function testFuzz_isTheDigestThatWalletsSign(ILoanGuard.Consent memory consent) public view {
    assertEq(guard.digestOf(consent), vm.eip712HashTypedData(_typedData(consent)));
  }

  function _typedData(ILoanGuard.Consent memory consent) private view returns (string memory) {
    string memory domain = string.concat(
      '"domain":{"name":"Bowline LoanGuard","version":"1","chainId":"',
      vm.toString(block.chainid),
      '","verifyingContract":"',
      vm.toString(address(guard)),
      '"}'
    );
    string memory message = string.concat(
      '"message":{"terms":',
      _termsJson(consent.terms),
      _number("nonce", consent.nonce),
      _number("deadline", consent.deadline),
      _number("borrowerEpoch", consent.borrowerEpoch),
      _number("funderEpoch", consent.funderEpoch),
      "}"
    );
    return string.concat('{"types":{', TYPES, '},"primaryType":"Consent",', domain, ",", message, "}");
  }

  function _termsJson(ILoanGuard.Terms memory terms) private pure returns (string memory) {
    string memory parties = string.concat(
      '{"borrower":"',
      vm.toString(terms.borrower),
      '","funder":"',
      vm.toString(terms.funder),
      '","adapter":"',
      vm.toString(terms.adapter),
      '","market":"',
      vm.toString(terms.market),
      '","keeper":"',
      vm.toString(terms.keeper),
      '","priceSource":"',
      vm.toString(terms.priceSource),
      '"'
    );
    return string.concat(
      parties,
      _number("triggerHealthWad", terms.triggerHealthWad),
      _number("targetHealthWad", terms.targetHealthWad),
      _number("capPerRescue", terms.capPerRescue),
      _number("capPerDay", terms.capPerDay),
      _number("minRepay", terms.minRepay),
      _number("cooldownSeconds", terms.cooldownSeconds),
      _number("expiresAt", terms.expiresAt),
      "}"
    );
  }

  function _number(string memory name, uint256 value) private pure returns (string memory) {
    return string.concat(',"', name, '":"', vm.toString(value), '"');
  }
}
