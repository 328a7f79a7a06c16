// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibBytes} from "solady/utils/LibBytes.sol";

import {ICollateralGuard} from "../interfaces/ICollateralGuard.sol";

/// @title Compact encoding of the immutable part of a guard that sells collateral
/// @notice 344 bytes instead of the 768 of the ABI encoding, as PackedAgreement does for LoanGuard.
library PackedSale {
  using LibBytes for bytes;

  struct Agreement {
    ICollateralGuard.Terms terms;
    address repayToken;
    address collateralToken;
    /// Both epochs are read at registration.
    uint64 borrowerEpoch;
    uint64 funderEpoch;
  }

  function pack(
    ICollateralGuard.Terms memory terms,
    address repayToken,
    address collateralToken,
    uint64 borrowerEpoch,
    uint64 funderEpoch
  ) internal pure returns (bytes memory) {
    return bytes.concat(
      abi.encodePacked(terms.borrower, terms.funder, terms.adapter, terms.debtMarket, terms.collateralMarket),
      abi.encodePacked(terms.keeper, terms.priceSource, repayToken, collateralToken),
      abi.encodePacked(
        terms.triggerHealthWad,
        terms.targetHealthWad,
        terms.maxCostBps,
        terms.capPerRescue,
        terms.capPerDay,
        terms.minRepay,
        terms.cooldownSeconds,
        terms.expiresAt
      ),
      abi.encodePacked(
        terms.route.firstFee,
        terms.route.firstToken,
        terms.route.secondFee,
        terms.route.secondToken,
        terms.route.thirdFee
      ),
      abi.encodePacked(borrowerEpoch, funderEpoch)
    );
  }

  /// @param packed A result of `pack`.
  function unpack(bytes memory packed) internal pure returns (Agreement memory agreement) {
    ICollateralGuard.Terms memory terms = agreement.terms;
    terms.borrower = address(bytes20(packed.load(0)));
    terms.funder = address(bytes20(packed.load(20)));
    terms.adapter = address(bytes20(packed.load(40)));
    terms.debtMarket = packed.load(60);
    terms.collateralMarket = packed.load(92);
    terms.keeper = address(bytes20(packed.load(124)));
    terms.priceSource = address(bytes20(packed.load(144)));
    agreement.repayToken = address(bytes20(packed.load(164)));
    agreement.collateralToken = address(bytes20(packed.load(184)));
    terms.triggerHealthWad = uint64(bytes8(packed.load(204)));
    terms.targetHealthWad = uint64(bytes8(packed.load(212)));
    terms.maxCostBps = uint16(bytes2(packed.load(220)));
    terms.capPerRescue = uint128(bytes16(packed.load(222)));
    terms.capPerDay = uint128(bytes16(packed.load(238)));
    terms.minRepay = uint128(bytes16(packed.load(254)));
    terms.cooldownSeconds = uint32(bytes4(packed.load(270)));
    terms.expiresAt = uint40(bytes5(packed.load(274)));
    terms.route.firstFee = uint24(bytes3(packed.load(279)));
    terms.route.firstToken = address(bytes20(packed.load(282)));
    terms.route.secondFee = uint24(bytes3(packed.load(302)));
    terms.route.secondToken = address(bytes20(packed.load(305)));
    terms.route.thirdFee = uint24(bytes3(packed.load(325)));
    agreement.borrowerEpoch = uint64(bytes8(packed.load(328)));
    agreement.funderEpoch = uint64(bytes8(packed.load(336)));
  }
}
