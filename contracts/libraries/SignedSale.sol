// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibBytes} from "solady/utils/LibBytes.sol";

import {ICollateralGuard} from "../interfaces/ICollateralGuard.sol";

/// @title EIP-712 hash of the consent that the funder of a CollateralGuard's guard signs
library SignedSale {
  string private constant ROUTE =
    "Route(uint24 firstFee,address firstToken,uint24 secondFee,address secondToken,uint24 thirdFee)";
  string private constant TERMS = "Terms(address borrower,address funder,address adapter,bytes32 debtMarket,"
    "bytes32 collateralMarket,address keeper,address priceSource,uint64 triggerHealthWad,uint64 targetHealthWad,"
    "uint16 maxCostBps,uint128 capPerRescue,uint128 capPerDay,uint128 minRepay,uint32 cooldownSeconds,"
    "uint40 expiresAt,Route route)";

  bytes32 private constant ROUTE_TYPEHASH = keccak256(bytes(ROUTE));
  bytes32 private constant TERMS_TYPEHASH = keccak256(bytes.concat(bytes(TERMS), bytes(ROUTE)));
  bytes32 private constant CONSENT_TYPEHASH = keccak256(
    bytes.concat(
      "Consent(Terms terms,uint256 nonce,uint256 deadline,uint64 borrowerEpoch,uint64 funderEpoch)",
      bytes(ROUTE),
      bytes(TERMS)
    )
  );
  /// The type hash and the 15 members before the route, one word each.
  uint256 private constant BEFORE_ROUTE = 16 * 32;

  function hash(ICollateralGuard.Consent memory consent) internal pure returns (bytes32) {
    // EIP-712 encodes a nested struct as its hash.
    bytes memory terms = LibBytes.slice(abi.encode(TERMS_TYPEHASH, consent.terms), 0, BEFORE_ROUTE);
    bytes32 route = keccak256(abi.encode(ROUTE_TYPEHASH, consent.terms.route));
    return keccak256(
      abi.encode(
        CONSENT_TYPEHASH,
        keccak256(bytes.concat(terms, route)),
        consent.nonce,
        consent.deadline,
        consent.borrowerEpoch,
        consent.funderEpoch
      )
    );
  }
}
