// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// An account with code that accepts one key's signatures.
contract ContractSigner is IERC1271 {
  address internal immutable SIGNER;

  constructor(address signer) {
    SIGNER = signer;
  }

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    return ECDSA.recover(hash, signature) == SIGNER ? IERC1271.isValidSignature.selector : bytes4(0);
  }
}
