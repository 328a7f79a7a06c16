// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibBytes} from "solady/utils/LibBytes.sol";

import {ILoanGuard} from "../interfaces/ILoanGuard.sol";

/// @title Compact encoding of a guard's immutable part
/// @notice 241 bytes instead of the 512 of the ABI encoding: each byte of code costs 200 gas to write.
library PackedAgreement {
  using LibBytes for bytes;

  struct Agreement {
    ILoanGuard.Terms terms;
    address repayToken;
    /// Both epochs are read at registration.
    uint64 borrowerEpoch;
    uint64 funderEpoch;
  }

  /// @notice Takes the members one by one, so that the terms need not be copied from calldata.
  function pack(ILoanGuard.Terms calldata terms, address repayToken, uint64 borrowerEpoch, uint64 funderEpoch)
    internal
    pure
    returns (bytes memory)
  {
    return bytes.concat(
      abi.encodePacked(
        terms.borrower, terms.funder, terms.adapter, terms.market, terms.keeper, terms.priceSource, repayToken
      ),
      abi.encodePacked(
        terms.triggerHealthWad,
        terms.targetHealthWad,
        terms.capPerRescue,
        terms.capPerDay,
        terms.minRepay,
        terms.cooldownSeconds,
        terms.expiresAt
      ),
      abi.encodePacked(borrowerEpoch, funderEpoch)
    );
  }

  /// @param packed A result of `pack`.
  function unpack(bytes memory packed) internal pure returns (Agreement memory agreement) {
    ILoanGuard.Terms memory terms = agreement.terms;
    terms.borrower = address(bytes20(packed.load(0)));
    terms.funder = address(bytes20(packed.load(20)));
    terms.adapter = address(bytes20(packed.load(40)));
    terms.market = packed.load(60);
    terms.keeper = address(bytes20(packed.load(92)));
    terms.priceSource = address(bytes20(packed.load(112)));
    agreement.repayToken = address(bytes20(packed.load(132)));
    terms.triggerHealthWad = uint64(bytes8(packed.load(152)));
    terms.targetHealthWad = uint64(bytes8(packed.load(160)));
    terms.capPerRescue = uint128(bytes16(packed.load(168)));
    terms.capPerDay = uint128(bytes16(packed.load(184)));
    terms.minRepay = uint128(bytes16(packed.load(200)));
    terms.cooldownSeconds = uint32(bytes4(packed.load(216)));
    terms.expiresAt = uint40(bytes5(packed.load(220)));
    agreement.borrowerEpoch = uint64(bytes8(packed.load(225)));
    agreement.funderEpoch = uint64(bytes8(packed.load(233)));
  }
}
