import { stripVTControlCharacters } from 'node:util';

/** Prints a line for each job, and collects failures. */
export interface Report {
  say(line: string): void;
  fail(sentence: string): void;
  /** Plays one job: `act` returns what it saw, or throws what it expected. A failed job does not stop the rest. */
  job(name: string, act: () => Promise<string>): Promise<void>;
  failures(): readonly string[];
  /** Since the start. */
  seconds(): string;
}

export function createReport(): Report {
  const began = performance.now();
  const failures: string[] = [];
  const since = (start: number) => ((performance.now() - start) / 1000).toFixed(1);
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  return {
    say,
    fail: (sentence) => {
      failures.push(sentence);
      say(sentence);
    },
    async job(name, act) {
      const start = performance.now();
      const tell = (mark: string, seen: string) =>
        say(`${mark.padEnd(6)}  ${name.padEnd(9)} ${since(start).padStart(5)} s  ${seen}`);
      try {
        tell('ok', await act());
      } catch (error) {
        failures.push(name);
        // A browser's error names what it waited for in its second line.
        tell('FAILED', stripVTControlCharacters((error as Error).message).replaceAll(/\s+/g, ' '));
      }
    },
    failures: () => failures,
    seconds: () => since(began),
  };
}
