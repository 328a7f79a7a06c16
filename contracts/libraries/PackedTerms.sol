// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LibBytes} from "solady/utils/LibBytes.sol";

import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";

/// @title Compact encoding of a plan's terms
/// @notice 210 bytes instead of the 544 of the ABI encoding: each byte of code costs 200 gas to write.
library PackedTerms {
  using LibBytes for bytes;

  function pack(IPlanRegistry.Terms calldata terms) internal pure returns (bytes memory) {
    return bytes.concat(
      abi.encodePacked(
        terms.owner,
        terms.recipient,
        terms.executor,
        terms.verdictSigner,
        terms.tokenIn,
        terms.tokenOut,
        terms.priceSource
      ),
      abi.encodePacked(
        terms.amountPerRun,
        terms.startAt,
        terms.periodSeconds,
        terms.windowSeconds,
        terms.maxRuns,
        terms.expiresAt,
        terms.limitPriceWad,
        terms.maxSlippageBps,
        terms.farLimit,
        terms.triggerPriceWad
      )
    );
  }

  /// @param packed A result of `pack`.
  function unpack(bytes memory packed) internal pure returns (IPlanRegistry.Terms memory terms) {
    terms.owner = address(bytes20(packed.load(0)));
    terms.recipient = address(bytes20(packed.load(20)));
    terms.executor = address(bytes20(packed.load(40)));
    terms.verdictSigner = address(bytes20(packed.load(60)));
    terms.tokenIn = address(bytes20(packed.load(80)));
    terms.tokenOut = address(bytes20(packed.load(100)));
    terms.priceSource = address(bytes20(packed.load(120)));
    terms.amountPerRun = uint104(bytes13(packed.load(140)));
    terms.startAt = uint40(bytes5(packed.load(153)));
    terms.periodSeconds = uint32(bytes4(packed.load(158)));
    terms.windowSeconds = uint32(bytes4(packed.load(162)));
    terms.maxRuns = uint32(bytes4(packed.load(166)));
    terms.expiresAt = uint40(bytes5(packed.load(170)));
    terms.limitPriceWad = uint128(bytes16(packed.load(175)));
    terms.maxSlippageBps = uint16(bytes2(packed.load(191)));
    terms.farLimit = bytes1(packed.load(193)) != 0;
    terms.triggerPriceWad = uint128(bytes16(packed.load(194)));
  }
}
