// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// The part of Permit2 that a spender uses.
interface ISignatureTransfer {
  struct TokenPermissions {
    address token;
    uint256 amount;
  }

  struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
  }

  struct SignatureTransferDetails {
    address to;
    uint256 requestedAmount;
  }

  function permitWitnessTransferFrom(
    PermitTransferFrom calldata permit,
    SignatureTransferDetails calldata details,
    address owner,
    bytes32 bound,
    string calldata typeString,
    bytes calldata signature
  ) external;
}

/// Replaces x402's and B402's spenders of Permit2, by their public interface: moves what the payer signed to whom the payer
/// signed, and nothing else.
contract ExactPermit2Proxy {
  struct Bound {
    address to;
    uint256 validAfter;
  }

  ISignatureTransfer public constant PERMIT2 = ISignatureTransfer(0x000000000022D473030F116dDEE9F6B43aC78BA3);
  bytes32 private constant BOUND_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");
  string private constant TYPE_STRING =
    "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";

  event Settled();

  error InvalidDestination();
  error PaymentTooEarly();

  function settle(
    ISignatureTransfer.PermitTransferFrom calldata permit,
    address owner,
    Bound calldata bound,
    bytes calldata signature
  ) external {
    if (bound.to == address(0)) revert InvalidDestination();
    if (block.timestamp < bound.validAfter) revert PaymentTooEarly();
    PERMIT2.permitWitnessTransferFrom(
      permit,
      ISignatureTransfer.SignatureTransferDetails(bound.to, permit.permitted.amount),
      owner,
      keccak256(abi.encode(BOUND_TYPEHASH, bound.to, bound.validAfter)),
      TYPE_STRING,
      signature
    );
    emit Settled();
  }
}
