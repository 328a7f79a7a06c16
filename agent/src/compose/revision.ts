import { execFileSync } from 'node:child_process';

/** Commit of this checkout; a package has its own written in its place (lab/tools/package.mjs). */
export function revisionOf(): string {
  try {
    const here = new URL('.', import.meta.url);
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: here, stdio: 'pipe' }).toString().trim();
  } catch {
    return 'unknown';
  }
}
