// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A source that answers every call with the bytes, or the misbehaviour, that a test sets.
contract RawPriceSource {
  enum Manner {
    Return,
    Revert,
    BurnAllGas,
    WriteState
  }

  Manner private _manner;
  uint256 private _size;
  bytes private _head;
  uint256 public written;

  /// @param size Length of the return data: `head`, cut or followed by zeros.
  function set(Manner manner, bytes calldata head, uint256 size) external {
    (_manner, _head, _size) = (manner, head, size);
  }

  fallback() external {
    Manner manner = _manner;
    if (manner == Manner.WriteState) ++written;
    uint256 size = _size;
    bytes memory head = _head;
    assembly ("memory-safe") {
      let start := add(head, 0x20)
      switch manner
      case 1 { revert(start, size) }
      case 2 { invalid() }
      default { return(start, size) }
    }
  }
}
