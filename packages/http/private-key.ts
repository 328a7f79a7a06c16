import { createECDH } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3';

// Does not use viem, which takes longer to load than everything that the settings need.

/** keccak256 of bytes. */
export const keccak = (bytes: Uint8Array): Buffer => Buffer.from(keccak_256(bytes));

/** The account of a private key, in lower case. */
export function addressOfKey(privateKey: string): string {
  const pair = createECDH('secp256k1');
  pair.setPrivateKey(Buffer.from(privateKey.slice(2), 'hex'));
  return `0x${keccak(pair.getPublicKey().subarray(1)).subarray(12).toString('hex')}`;
}
