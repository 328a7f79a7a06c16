import type { SignatureHashing } from '@bowline/core/pyth/check';
import { recover } from 'tiny-secp256k1';
import { bytesToHex, hexToBytes } from 'viem';
import { keccak256 } from '../process/keccak.ts';

/** WebAssembly: an update of Pyth has thirteen signatures, for which viem's JavaScript needs as long as for many verdicts. */
export const signatureHashing: SignatureHashing = {
  keccak256: (bytes) => hexToBytes(keccak256(bytes)),
  async recover(digest, signature) {
    const recoveryId = signature[64];
    // Ecrecover knows no other, and neither do Wormhole's contracts.
    if (recoveryId !== 0 && recoveryId !== 1) throw new Error('not a recovery id');
    const key = recover(digest, signature.subarray(0, 64), recoveryId, false);
    if (key === null) throw new Error('not a signature');
    return bytesToHex(hexToBytes(keccak256(key.subarray(1))).subarray(12));
  },
};
