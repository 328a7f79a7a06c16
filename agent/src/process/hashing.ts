import type { Hex } from '@bowline/core/domain/units';
import type { SignatureHashing } from '@bowline/core/pyth/check';
import { createKeccak } from 'hash-wasm';
import { recover } from 'tiny-secp256k1';
import { bytesToHex, hexToBytes } from 'viem';

const hasher = await createKeccak(256);

/**
 * keccak256 of bytes, or of a text's UTF-8 bytes. WebAssembly takes a sixteenth of the time of viem's JavaScript, which for a
 * verdict's evidence is half of the whole verdict.
 */
export const keccak256 = (data: string | Uint8Array): Hex => `0x${hasher.init().update(data).digest('hex')}`;

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
