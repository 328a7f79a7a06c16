import type { Line } from '@bowline/core/replay/line';
import { type Hashing, replay, served } from '@bowline/core/replay/replay';
import { bytesToHex, keccak256, recoverAddress, recoverTypedDataAddress, stringToBytes } from 'viem';

/** Uses viem's hash functions. */
export const hashing: Hashing = {
  keccak256: (bytes) => keccak256(bytes, 'bytes'),
  recover: (digest, signature) => recoverAddress({ hash: digest, signature: bytesToHex(signature) }),
  hash: (text) => keccak256(stringToBytes(text)),
  signer: recoverTypedDataAddress,
};

export interface Replayed {
  /** Whether everything that the answer states follows from its evidence. */
  readonly follows: boolean;
  /** What was compared. `unchecked` says why a line proves nothing. */
  readonly lines: readonly Line[];
}

/**
 * Judges an answer of `check_asset` or `GET /verdict` again, from its evidence alone, and compares all that it states. It
 * asks nobody: whether the evidence's facts were the chain's is another question (`npm run replay -- --rpc URL`).
 * @throws Error if it cannot be read as such an answer.
 */
export async function replayAnswer(answer: unknown): Promise<Replayed> {
  const lines = await replay(served.parse(answer), hashing);
  return { follows: lines.every(({ said, found }) => said === found), lines };
}
