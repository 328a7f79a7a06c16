// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Signature checks
library Signatures {
  /// @notice Returns whether `signer` signed the digest. Tries ECDSA first, because an account with code (EIP-7702) can
  /// also sign with its key, then ERC-1271. Always false for the zero address.
  function isBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
    if (signer == address(0)) return false;
    (address recovered, ECDSA.RecoverError err,) = ECDSA.tryRecoverCalldata(digest, signature);
    if (err == ECDSA.RecoverError.NoError && recovered == signer) return true;
    return signer.code.length != 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
  }
}
