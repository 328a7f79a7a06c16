// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Whose signature it is
library Signatures {
  /// @notice Whether `signer` has signed: by its key first, since an account with code (EIP-7702) signs with one as well;
  /// else as a contract (ERC-1271). Zero has signed nothing.
  function isBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
    if (signer == address(0)) return false;
    (address recovered, ECDSA.RecoverError err,) = ECDSA.tryRecoverCalldata(digest, signature);
    if (err == ECDSA.RecoverError.NoError && recovered == signer) return true;
    return signer.code.length != 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
  }
}
