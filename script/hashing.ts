import type { Hashing } from '@bowline/core/replay/replay';
import { keccak256, recoverTypedDataAddress, stringToBytes } from 'viem';

/** Uses viem's hash functions. */
export const hashing: Hashing = {
  hash: (text) => keccak256(stringToBytes(text)),
  signer: recoverTypedDataAddress,
};
