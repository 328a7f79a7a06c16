import { execFileSync } from 'node:child_process';
import manifest from '../../../package.json' with { type: 'json' };

/** Version of this agent, as in its documents, `/ready` and the log. */
export const { version } = manifest;

let revision: string | undefined;

/** The build that runs. */
export function buildOf(): { readonly version: string; readonly revision: string } {
  revision ??= revisionOf();
  return { version, revision };
}

/** Commit of this checkout. Packaging replaces the call by the commit itself (lab/tools/package.mjs). */
function revisionOf(): string {
  try {
    const here = new URL('.', import.meta.url);
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: here, stdio: 'pipe' }).toString().trim();
  } catch {
    return 'unknown';
  }
}
