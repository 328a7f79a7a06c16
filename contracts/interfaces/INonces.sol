// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Signatures that are good once
/// @notice Nonces are of the signer's choosing, in any order; each is good for one signature.
interface INonces {
  event NonceCancelled(address indexed signer, uint256 nonce);

  error NonceUsedUp(address signer, uint256 nonce);

  /// @notice Makes a nonce of the caller's useless. Never fails; twice is as good as once. What was made with it before
  /// stands: ask `isNonceUsedUp` first.
  function cancelNonce(uint256 nonce) external;

  /// @notice Whether a signature with this nonce was submitted, or the nonce cancelled.
  function isNonceUsedUp(address signer, uint256 nonce) external view returns (bool);
}
