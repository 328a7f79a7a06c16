// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";
import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";

/// @title EIP-712 hashes of the messages that owners, verdict signers and funders sign
library SignedTypes {
  string private constant TERMS = "Terms(address owner,address recipient,address executor,address verdictSigner,"
    "address tokenIn,address tokenOut,uint104 amountPerRun,uint40 startAt,uint32 periodSeconds,uint32 windowSeconds,"
    "uint32 maxRuns,uint40 expiresAt,address priceSource,uint128 limitPriceWad,uint16 maxSlippageBps,"
    "bool farLimit,uint128 triggerPriceWad)";

  bytes32 private constant TERMS_TYPEHASH = keccak256(bytes(TERMS));
  bytes32 private constant CREATION_TYPEHASH = keccak256(
    bytes.concat("Creation(address owner,Terms[] plans,uint256 nonce,uint256 deadline,uint64 epoch)", bytes(TERMS))
  );
  bytes32 private constant VERDICT_TYPEHASH = keccak256(
    "Verdict(address tokenIn,address tokenOut,uint8 verdict,uint256 maxPriceWad,uint256 maxAmountIn,uint64 issuedAt,uint64 expiresAt,bytes32 evidenceHash)"
  );

  string private constant GUARD_TERMS = "Terms(address borrower,address funder,address adapter,bytes32 market,"
    "address keeper,address priceSource,uint64 triggerHealthWad,uint64 targetHealthWad,uint128 capPerRescue,"
    "uint128 capPerDay,uint128 minRepay,uint32 cooldownSeconds,uint40 expiresAt)";

  bytes32 private constant GUARD_TERMS_TYPEHASH = keccak256(bytes(GUARD_TERMS));
  bytes32 private constant CONSENT_TYPEHASH = keccak256(
    bytes.concat(
      "Consent(Terms terms,uint256 nonce,uint256 deadline,uint64 borrowerEpoch,uint64 funderEpoch)", bytes(GUARD_TERMS)
    )
  );

  function hash(IPlanRegistry.Creation calldata creation) internal pure returns (bytes32) {
    bytes32[] memory plans = new bytes32[](creation.plans.length);
    for (uint256 i; i < plans.length; ++i) {
      // Every member is a value type in its own word, which is how EIP-712 encodes a struct.
      plans[i] = keccak256(abi.encode(TERMS_TYPEHASH, creation.plans[i]));
    }
    return keccak256(
      abi.encode(
        CREATION_TYPEHASH,
        creation.owner,
        keccak256(abi.encodePacked(plans)),
        creation.nonce,
        creation.deadline,
        creation.epoch
      )
    );
  }

  function hash(IPlanRegistry.Ticket calldata ticket) internal pure returns (bytes32) {
    return keccak256(abi.encode(VERDICT_TYPEHASH, ticket));
  }

  function hash(ILoanGuard.Consent calldata consent) internal pure returns (bytes32) {
    return keccak256(
      abi.encode(
        CONSENT_TYPEHASH,
        keccak256(abi.encode(GUARD_TERMS_TYPEHASH, consent.terms)),
        consent.nonce,
        consent.deadline,
        consent.borrowerEpoch,
        consent.funderEpoch
      )
    );
  }
}
