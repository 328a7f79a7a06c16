// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title One-time signatures
/// @notice Signers choose nonces in any order. Each nonce is valid for one signature.
interface INonces {
  event NonceCancelled(address indexed signer, uint256 nonce);

  error NonceUsedUp(address signer, uint256 nonce);

  /// @notice Invalidates one of the caller's nonces. Never fails, and repeated calls have no effect. It does not undo
  /// what a signature with this nonce has already done: check `isNonceUsedUp` first.
  function cancelNonce(uint256 nonce) external;

  /// @notice Returns whether a signature with this nonce was submitted or the nonce was cancelled.
  function isNonceUsedUp(address signer, uint256 nonce) external view returns (bool);
}
