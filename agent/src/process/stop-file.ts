import { statSync } from 'node:fs';
import type { Log } from '@bowline/core/domain/log';

/**
 * Whether the stop file exists, looked up at each call. A path that cannot be looked up counts as a stop file: nothing
 * shows that there is none. Logs each change that a call finds.
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
    if (isThere && !wasThere) log.warn('stop_file.found', { path: path.pathname });
    if (!isThere && wasThere) log.warn('stop_file.gone', { path: path.pathname });
    wasThere = isThere;
    return isThere;
  };
}
