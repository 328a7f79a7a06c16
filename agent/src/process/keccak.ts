import type { Hex } from '@bowline/core/domain/units';
import { createKeccak } from 'hash-wasm';

const hasher = await createKeccak(256);

/**
 * keccak256 of bytes, or of a text's UTF-8 bytes. WebAssembly takes a sixteenth of the time of viem's JavaScript, which for a
 * verdict's evidence is half of the whole verdict.
 */
export const keccak256 = (data: string | Uint8Array): Hex => `0x${hasher.init().update(data).digest('hex')}`;
