import { hashText } from '@bowline/chain/drafts/address';
import type { Line } from '@bowline/core/replay/line';
import { type Hashing, replay, served } from '@bowline/core/replay/replay';
import { bytesToHex, keccak256, recoverAddress, recoverTypedDataAddress } from 'viem';
import { readable } from './readable.ts';

/** Uses viem's hash functions. */
export const hashing: Hashing = {
  keccak256: (bytes) => keccak256(bytes, 'bytes'),
  recover: (digest, signature) => recoverAddress({ hash: digest, signature: bytesToHex(signature) }),
  hash: hashText,
  signer: recoverTypedDataAddress,
};

export interface Replayed {
  /** Whether everything that the answer states follows from its evidence. */
  readonly follows: boolean;
  /** What was compared. `unchecked` says why a line proves nothing. */
  readonly lines: readonly Line[];
  /** Those of them that are stated otherwise than they follow; none if it follows. */
  readonly differing: readonly Line[];
}

/**
 * Judges an answer of `check_asset` or `GET /verdict` again, from its evidence alone, and compares all that it states. It
 * asks nobody: whether the evidence's facts were the chain's is another question.
 * @throws Error if it cannot be read as such an answer.
 */
export async function replayAnswer(answer: unknown): Promise<Replayed> {
  const lines = await readable(() => replay(served.parse(answer), hashing));
  const differing = lines.filter(({ said, found }) => said !== found);
  return { follows: differing.length === 0, lines, differing };
}
