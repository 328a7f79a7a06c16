// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {INonces} from "./interfaces/INonces.sol";

/// @title Nonces
/// @notice Accepts a signer's nonces in any order, so an unsubmitted signature blocks no other.
abstract contract Nonces is INonces {
  /// @inheritdoc INonces
  mapping(address signer => mapping(uint256 nonce => bool)) public isNonceUsedUp;

  // Has no lock: see `PlanRegistry.whenNoRunOpen` for why stop functions stay open.
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
