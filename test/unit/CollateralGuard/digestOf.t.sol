// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {SavingsBase} from "../../base/SavingsBase.sol";

/// A consent hashed by Foundry's own EIP-712 implementation, from its type as a wallet reads it.
contract CollateralGuardDigestOfTest is SavingsBase {
  string private constant TYPES = string.concat(
    '"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},',
    '{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}],',
    '"Consent":[{"name":"terms","type":"Terms"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"},',
    '{"name":"borrowerEpoch","type":"uint64"},{"name":"funderEpoch","type":"uint64"}],',
    '"Route":[{"name":"firstFee","type":"uint24"},{"name":"firstToken","type":"address"},',
    '{"name":"secondFee","type":"uint24"},{"name":"secondToken","type":"address"},{"name":"thirdFee","type":"uint24"}],',
    '"Terms":[{"name":"borrower","type":"address"},{"name":"funder","type":"address"},',
    '{"name":"adapter","type":"address"},{"name":"debtMarket","type":"bytes32"},',
    '{"name":"collateralMarket","type":"bytes32"},{"name":"keeper","type":"address"},',
    '{"name":"priceSource","type":"address"},{"name":"triggerHealthWad","type":"uint64"},',
    '{"name":"targetHealthWad","type":"uint64"},{"name":"maxCostBps","type":"uint16"},',
    '{"name":"capPerRescue","type":"uint128"},{"name":"capPerDay","type":"uint128"},',
    '{"name":"minRepay","type":"uint128"},{"name":"cooldownSeconds","type":"uint32"},',
    '{"name":"expiresAt","type":"uint40"},{"name":"route","type":"Route"}]'
  );

  /// LG-14: any consent, its two epochs as they are.
  function testFuzz_isTheDigestThatWalletsSign(ICollateralGuard.Consent memory consent) public view {
    assertEq(saver.digestOf(consent), vm.eip712HashTypedData(_typedData(consent)));
  }

  function _typedData(ICollateralGuard.Consent memory consent) private view returns (string memory) {
    string memory domain = string.concat(
      '"domain":{"name":"Bowline CollateralGuard","version":"1","chainId":"',
      vm.toString(block.chainid),
      '","verifyingContract":"',
      vm.toString(address(saver)),
      '"}'
    );
    string memory message = string.concat(
      '"message":{"terms":{',
      _partiesJson(consent.terms),
      _boundsJson(consent.terms),
      _routeJson(consent.terms.route),
      "}",
      _number("nonce", consent.nonce),
      _number("deadline", consent.deadline),
      _number("borrowerEpoch", consent.borrowerEpoch),
      _number("funderEpoch", consent.funderEpoch),
      "}"
    );
    return string.concat('{"types":{', TYPES, '},"primaryType":"Consent",', domain, ",", message, "}");
  }

  function _partiesJson(ICollateralGuard.Terms memory terms) private pure returns (string memory) {
    return string.concat(
      '"borrower":"',
      vm.toString(terms.borrower),
      '"',
      _text("funder", vm.toString(terms.funder)),
      _text("adapter", vm.toString(terms.adapter)),
      _text("debtMarket", vm.toString(terms.debtMarket)),
      _text("collateralMarket", vm.toString(terms.collateralMarket)),
      _text("keeper", vm.toString(terms.keeper)),
      _text("priceSource", vm.toString(terms.priceSource))
    );
  }

  function _boundsJson(ICollateralGuard.Terms memory terms) private pure returns (string memory) {
    return string.concat(
      _number("triggerHealthWad", terms.triggerHealthWad),
      _number("targetHealthWad", terms.targetHealthWad),
      _number("maxCostBps", terms.maxCostBps),
      _number("capPerRescue", terms.capPerRescue),
      _number("capPerDay", terms.capPerDay),
      _number("minRepay", terms.minRepay),
      _number("cooldownSeconds", terms.cooldownSeconds),
      _number("expiresAt", terms.expiresAt)
    );
  }

  function _routeJson(ICollateralGuard.Route memory route) private pure returns (string memory) {
    return string.concat(
      ',"route":{"firstFee":"',
      vm.toString(route.firstFee),
      '"',
      _text("firstToken", vm.toString(route.firstToken)),
      _number("secondFee", route.secondFee),
      _text("secondToken", vm.toString(route.secondToken)),
      _number("thirdFee", route.thirdFee),
      "}"
    );
  }

  function _number(string memory name, uint256 value) private pure returns (string memory) {
    return _text(name, vm.toString(value));
  }

  function _text(string memory name, string memory value) private pure returns (string memory) {
    return string.concat(',"', name, '":"', value, '"');
  }
}
