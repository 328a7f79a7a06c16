import type { Hashing } from '@bowline/core/replay/replay';
import { bytesToHex, keccak256, recoverAddress, recoverTypedDataAddress, stringToBytes } from 'viem';

/** viem's hash functions. */
export const hashing: Hashing = {
  keccak256: (bytes) => keccak256(bytes, 'bytes'),
  recover: (digest, signature) => recoverAddress({ hash: digest, signature: bytesToHex(signature) }),
  hash: (text) => keccak256(stringToBytes(text)),
  signer: recoverTypedDataAddress,
};
