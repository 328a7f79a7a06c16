import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endWithThisProcess } from '../../lab/world/anvil.ts';

interface LogLine {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** The agent as a separate process, as `npm start` runs it. */
export interface Sidecar {
  readonly url: string;
  readonly pid: number;
  /** Its whole log, oldest first. */
  readonly log: readonly LogLine[];
  /** Waits for a log line with this event and fields. */
  logged(event: string, fields?: Record<string, unknown>): Promise<LogLine>;
  /** Kills it without a graceful stop. */
  kill(): Promise<void>;
  stop(): Promise<number | null>;
  signal(name: NodeJS.Signals): void;
  /** Its exit code, when it ends. */
  readonly ended: Promise<number | null>;
}

export function startSidecar(env: Record<string, string>, ...options: string[]): Promise<Sidecar> {
  return startAgent(fileURLToPath(new URL('../../agent/src/main.ts', import.meta.url)), env, options);
}

/** @param cwd absent: this process's. */
export async function startAgent(
  main: string,
  env: Record<string, string>,
  options: readonly string[] = [],
  cwd?: string,
): Promise<Sidecar> {
  const child = spawn(process.execPath, [main, ...options], {
    ...(cwd && { cwd }),
    env: { ...process.env, CHAIN: 'local', PORT: '0', LOG_LEVEL: 'debug', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  const log: LogLine[] = [];
  let complaint = '';
  createInterface({ input: child.stdout }).on('line', (line) => log.push(JSON.parse(line)));
  child.stderr.on('data', (text) => (complaint += text));
  const closed = once(child, 'close').then(([code]) => code as number | null);

  const logged = async (event: string, fields: Record<string, unknown> = {}) => {
    const deadline = Date.now() + 90_000;
    for (;;) {
      const found = log.find(
        (line) => line.event === event && Object.entries(fields).every(([name, value]) => line[name] === value),
      );
      if (found) return found;
      if (child.exitCode !== null && child.stdout.readableEnded) throw new Error(`The agent has ended: ${complaint}`);
      if (Date.now() > deadline) throw new Error(`No ${event} in 90 s. ${complaint}${JSON.stringify(log.slice(-5))}`);
      await sleep(20);
    }
  };
  const { port } = await logged('agent.ready').catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    log,
    logged,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    signal: (name) => void child.kill(name),
    ended: closed,
  };
}

/** Settings that make the agent write the names of its CommonJS modules to a file when it ends. */
export function notingModules(file: string): Record<string, string> {
  const names = `Object.keys(createRequire('file:///').cache).join('\\n')`;
  const code = `import { createRequire } from 'node:module'; import { writeFileSync } from 'node:fs';
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, ${names}));`;
  return { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"` };
}
