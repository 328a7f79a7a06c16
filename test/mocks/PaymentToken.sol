// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// Replaces the stablecoins that pay for jobs and answers: 18 decimals, transfers by the payer's signature (EIP-3009)
/// and permits (EIP-2612). The first holder has all of it.
contract PaymentToken is ERC20Permit {
  bytes32 private constant TRANSFER_TYPEHASH = keccak256(
    "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
  );
  bytes32 private constant CANCEL_TYPEHASH = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

  mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

  error AuthorizationNotYetValid();
  error AuthorizationExpired();
  error AuthorizationUsedUp();
  error InvalidSignature();

  constructor(address holder) ERC20("Local Dollar", "LUSD") ERC20Permit("Local Dollar") {
    _mint(holder, 1_000_000_000 ether);
  }

  function transferWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
  }

  function transferWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    bytes memory signature
  ) public {
    if (block.timestamp <= validAfter) revert AuthorizationNotYetValid();
    if (block.timestamp >= validBefore) revert AuthorizationExpired();
    bytes32 terms = keccak256(abi.encode(TRANSFER_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
    _use(from, nonce, terms, signature);
    emit AuthorizationUsed(from, nonce);
    _transfer(from, to, value);
  }

  function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
    bytes32 terms = keccak256(abi.encode(CANCEL_TYPEHASH, authorizer, nonce));
    _use(authorizer, nonce, terms, abi.encodePacked(r, s, v));
    emit AuthorizationCanceled(authorizer, nonce);
  }

  function _use(address signer, bytes32 nonce, bytes32 terms, bytes memory signature) private {
    if (authorizationState[signer][nonce]) revert AuthorizationUsedUp();
    authorizationState[signer][nonce] = true;
    if (!SignatureChecker.isValidSignatureNow(signer, _hashTypedDataV4(terms), signature)) revert InvalidSignature();
  }
}
