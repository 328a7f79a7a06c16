import { statSync } from 'node:fs';
import type { Log } from '@bowline/core/domain/log';

// The stop file: no sender signs a new call, no loop below begins a round, this worker takes no turns, and /ready is red. What was
// sent before is unaffected, and questions are still answered.

/**
 * Loops that start no round during a stop: judging what cannot be sent would only query sources and fill the log. The
 * loan guard keeps reading, so that it knows what is due when the stop ends.
 */
const heldLoops: ReadonlySet<string> = new Set(['executor', 'jobs']);
/** Seconds between two looks for the end of a stop. */
const AGAIN_SECONDS = 15;

/**
 * Whether the stop file exists, checked at each call. A path that cannot be checked counts as a stop file: it
 * may exist. Logs each change that a call finds.
 */
export function createStopFile(path: URL, log: Log): () => boolean {
  let wasThere = false;
  return () => {
    let isThere = true;
    try {
      isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      // Fail closed.
    }
    if (isThere && !wasThere) log.warn('stop_file.found', { path: path.pathname, remedy: 'Remove it to resume.' });
    if (!isThere && wasThere) log.warn('stop_file.gone', { path: path.pathname });
    wasThere = isThere;
    return isThere;
  };
}

interface Held {
  readonly counts: { readonly stopped: number };
  readonly nextInSeconds: number;
}

/** Wraps a loop's round: while the agent is stopped, a round of a held loop does nothing. */
export const unlessStopped =
  <Of extends readonly unknown[], Round>(isStopped: () => boolean, loop: string, tick: (...of: Of) => Promise<Round>) =>
  async (...of: Of): Promise<Round | Held> =>
    heldLoops.has(loop) && isStopped() ? { counts: { stopped: 1 }, nextInSeconds: AGAIN_SECONDS } : tick(...of);
