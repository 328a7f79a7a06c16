import type { SignatureHashing } from '@bowline/core/pyth/check';
import type { Hashing } from '@bowline/core/replay/replay';
import { bytesToHex, keccak256, recoverAddress, recoverTypedDataAddress, stringToBytes } from 'viem';

const signatures: SignatureHashing = {
  keccak256: (bytes) => keccak256(bytes, 'bytes'),
  recover: (digest, signature) => recoverAddress({ hash: digest, signature: bytesToHex(signature) }),
};

/** Uses viem's hash functions. */
export const hashing: Hashing = {
  ...signatures,
  hash: (text) => keccak256(stringToBytes(text)),
  signer: recoverTypedDataAddress,
};
