// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INonces} from "./interfaces/INonces.sol";

/// @title Nonces
/// @notice In no order, so that a signature that is never submitted holds up no other.
abstract contract Nonces is INonces {
  /// @inheritdoc INonces
  mapping(address signer => mapping(uint256 nonce => bool)) public isNonceUsedUp;

  // Takes no lock of the contract's: see PlanRegistry on stop buttons.
  /// @inheritdoc INonces
  function cancelNonce(uint256 nonce) external {
    isNonceUsedUp[msg.sender][nonce] = true;
    emit NonceCancelled(msg.sender, nonce);
  }

  function _useUpNonce(address signer, uint256 nonce) internal {
    if (isNonceUsedUp[signer][nonce]) revert NonceUsedUp(signer, nonce);
    isNonceUsedUp[signer][nonce] = true;
  }
}
