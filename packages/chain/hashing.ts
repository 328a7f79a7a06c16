import type { Hashing } from '@bowline/core/replay/replay';
import { bytesToHex, keccak256, recoverAddress, recoverTypedDataAddress } from 'viem';
import { hashText } from './drafts/address.ts';

/** viem's hash functions. */
export const hashing: Hashing = {
  keccak256: (bytes) => keccak256(bytes, 'bytes'),
  recover: (digest, signature) => recoverAddress({ hash: digest, signature: bytesToHex(signature) }),
  hash: hashText,
  signer: recoverTypedDataAddress,
};
