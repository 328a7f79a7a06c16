import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Clock = ReturnType<typeof createClock>;

/** A wall clock that stands still until it is set. */
export function createClock(start: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-clock-'));
  const file = join(folder, 'now');
  let now = start;
  // Always the same number of digits, so that a reader never sees a partial text.
  const set = (seconds: number) => {
    now = seconds;
    writeFileSync(file, String(seconds * 1000).padStart(13, '0'));
  };
  set(start);
  const hook = new URL('clock-hook.mjs', import.meta.url);
  return {
    /** Unix seconds. */
    now: () => now,
    set,
    /** Environment for a program that shall use this clock (clock-hook.mjs). */
    env: { NODE_OPTIONS: `--import ${hook}`, TRANSCRIPTS_CLOCK: file },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
