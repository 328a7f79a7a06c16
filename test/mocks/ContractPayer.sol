// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface IApprovable {
  function approve(address spender, uint256 amount) external returns (bool);
}

/// A contract wallet that pays by signatures (ERC-1271), honestly or not. It reads the first 65 bytes of a signature, so that a longer
/// one is an envelope.
contract ContractPayer {
  enum Mood {
    /// Its key's signatures are good.
    Key,
    /// Everybody's are.
    Anybody,
    /// Nobody's are.
    Nobody,
    /// Its key's are while somebody only asks, and in a transaction none is.
    AskedOnly
  }

  address private immutable KEY;
  Mood public mood;

  constructor(address key) {
    KEY = key;
  }

  function turn(Mood mood_) external {
    mood = mood_;
  }

  function approve(IApprovable token, address spender, uint256 amount) external {
    token.approve(spender, amount);
  }

  function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
    if (mood == Mood.Anybody) return this.isValidSignature.selector;
    if (mood == Mood.Nobody || (mood == Mood.AskedOnly && tx.gasprice > 0) || signature.length < 65) return 0;
    bytes32 r = bytes32(signature[0:32]);
    bytes32 s = bytes32(signature[32:64]);
    return ecrecover(hash, uint8(signature[64]), r, s) == KEY ? this.isValidSignature.selector : bytes4(0);
  }
}
