import { hashing } from '@bowline/chain/hashing';
import type { Line } from '@bowline/core/replay/line';
import { replay, served } from '@bowline/core/replay/replay';
import { ZodError } from 'zod';

export type { Line } from '@bowline/core/replay/line';

export interface Replayed {
  /** Whether everything that the answer states follows from its evidence. */
  readonly follows: boolean;
  /** What was compared. `unchecked` says why a line proves nothing. */
  readonly lines: readonly Line[];
  /** The lines whose statement differs from what follows; empty if `follows`. */
  readonly differing: readonly Line[];
}

/**
 * Judges an answer of `check_asset` or `GET /verdict` again, from its evidence alone, and compares all that it states.
 * Sends no request, and so does not check whether the evidence's facts were the chain's.
 * @throws Error with one line if the input cannot be read as such an answer.
 */
export async function replayAnswer(answer: unknown): Promise<Replayed> {
  try {
    const lines = await replay(served.parse(answer), hashing);
    const differing = lines.filter(({ said, found }) => said !== found);
    return { follows: differing.length === 0, lines, differing };
  } catch (cause) {
    if (!(cause instanceof ZodError)) throw cause;
    const [first] = cause.issues;
    const where = first?.path.length ? `${first.path.join('.')}: ` : '';
    throw new Error(`This is not an answer of check_asset or GET /verdict: ${where}${first?.message}.`, { cause });
  }
}
