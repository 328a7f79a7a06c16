// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

import {ContractSigner} from "./ContractSigner.sol";

/// An account with code whose signed calls anyone may submit. As with ERC-4337, a failed call is used up.
contract RelayedAccount is ContractSigner {
  uint256 public nonce;

  constructor(address signer) ContractSigner(signer) {}

  function submit(address target, bytes calldata call, bytes calldata signature) external returns (bool succeeded) {
    require(ECDSA.recover(digestOf(nonce++, target, call), signature) == SIGNER, "signature");
    (succeeded,) = target.call(call);
  }

  function digestOf(uint256 nonce_, address target, bytes calldata call) public view returns (bytes32) {
    return keccak256(abi.encode(block.chainid, this, nonce_, target, call));
  }
}
