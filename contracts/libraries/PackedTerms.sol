// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";

/// @title Compact encoding of a plan's terms
/// @notice 193 bytes instead of the 480 of the ABI encoding: each byte of code costs 200 gas to write.
library PackedTerms {
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
        terms.maxSlippageBps
      )
    );
  }

  /// @param packed A result of `pack`.
  function unpack(bytes memory packed) internal pure returns (IPlanRegistry.Terms memory terms) {
    terms.owner = address(uint160(_read(packed, 0, 20)));
    terms.recipient = address(uint160(_read(packed, 20, 20)));
    terms.executor = address(uint160(_read(packed, 40, 20)));
    terms.verdictSigner = address(uint160(_read(packed, 60, 20)));
    terms.tokenIn = address(uint160(_read(packed, 80, 20)));
    terms.tokenOut = address(uint160(_read(packed, 100, 20)));
    terms.priceSource = address(uint160(_read(packed, 120, 20)));
    terms.amountPerRun = uint104(_read(packed, 140, 13));
    terms.startAt = uint40(_read(packed, 153, 5));
    terms.periodSeconds = uint32(_read(packed, 158, 4));
    terms.windowSeconds = uint32(_read(packed, 162, 4));
    terms.maxRuns = uint32(_read(packed, 166, 4));
    terms.expiresAt = uint40(_read(packed, 170, 5));
    terms.limitPriceWad = uint128(_read(packed, 175, 16));
    terms.maxSlippageBps = uint16(_read(packed, 191, 2));
  }

  /// Reads `size` bytes at `offset` as a big-endian number.
  function _read(bytes memory packed, uint256 offset, uint256 size) private pure returns (uint256 value) {
    assembly ("memory-safe") {
      // Loads the word that starts at `offset` and shifts out what follows the number, even past the end of the bytes.
      value := shr(sub(256, mul(8, size)), mload(add(add(packed, 32), offset)))
    }
  }
}
