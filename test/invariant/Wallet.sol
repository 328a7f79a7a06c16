// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// An account with code (ERC-1271) that accepts one key's signatures until it is turned off.
contract Wallet is IERC1271 {
  address private immutable KEY;
  bool public isOff;

  constructor(address key) {
    KEY = key;
  }

  function turn(bool isOff_) external {
    isOff = isOff_;
  }

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    (address signer,,) = ECDSA.tryRecover(hash, signature);
    return !isOff && signer == KEY ? IERC1271.isValidSignature.selector : bytes4(0);
  }
}
