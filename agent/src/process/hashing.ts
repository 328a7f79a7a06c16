import type { Hex } from '@bowline/core/domain/units';
import type { SignatureHashing } from '@bowline/core/pyth/check';
import { createKeccak } from 'hash-wasm';
import { recover } from 'tiny-secp256k1';
import { bytesToHex, hexToBytes } from 'viem';

const hasher = await createKeccak(256);

/**
 * keccak256 of bytes, or of a text's UTF-8 bytes. WebAssembly takes a sixteenth of the time of viem's JavaScript, which
 * would spend half of a whole verdict's time on hashing its evidence.
 */
export const keccak256 = (data: string | Uint8Array): Hex => `0x${hasher.init().update(data).digest('hex')}`;

/** In WebAssembly: a Pyth update has thirteen signatures, which take viem's JavaScript as long as many verdicts. */
export const signatureHashing: SignatureHashing = {
  keccak256: (bytes) => hexToBytes(keccak256(bytes)),
  async recover(digest, signature) {
    const recoveryId = signature[64];
    // Neither ecrecover nor Wormhole's contracts accept any other.
    if (recoveryId !== 0 && recoveryId !== 1) throw new Error('not a recovery id');
    const key = recover(digest, signature.subarray(0, 64), recoveryId, false);
    if (key === null) throw new Error('not a signature');
    return bytesToHex(hexToBytes(keccak256(key.subarray(1))).subarray(12));
  },
};
