// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry} from "../interfaces/IPlanRegistry.sol";

/// @title Terms in as few bytes as they need
/// @notice 193 instead of the 480 of their ABI encoding: each byte of code costs 200 gas to write.
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

  /// @param packed What `pack` gave.
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

  /// The number in `size` bytes from `offset` on, most significant first.
  function _read(bytes memory packed, uint256 offset, uint256 size) private pure returns (uint256 value) {
    assembly ("memory-safe") {
      // The word that begins there; what lies beyond the number, beyond the bytes even, is shifted out.
      value := shr(sub(256, mul(8, size)), mload(add(add(packed, 32), offset)))
    }
  }
}
