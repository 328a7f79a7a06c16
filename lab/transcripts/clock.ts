import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Clock {
  /** Unix seconds. */
  now(): number;
  set(seconds: number): void;
  /** Environment of a program that is to have this clock (clock-hook.mjs). */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** A wall clock that stands still until it is set. */
export function createClock(start: number): Clock {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-clock-'));
  const file = join(folder, 'now');
  let now = start;
  // As many digits at every time, so that a reader never sees a part of the text.
  const set = (seconds: number) => {
    now = seconds;
    writeFileSync(file, String(seconds * 1000).padStart(13, '0'));
  };
  set(start);
  const hook = new URL('clock-hook.mjs', import.meta.url);
  return {
    now: () => now,
    set,
    env: { NODE_OPTIONS: `--import ${hook}`, TRANSCRIPTS_CLOCK: file },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
