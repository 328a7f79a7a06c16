import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithThisProcess } from '../world/anvil.ts';
import { machineSettings } from '../world/start/environment.ts';

// Runs the operator's commands as a person would type them, and keeps their output.

export type Environment = Readonly<Record<string, string>>;

/** A command, and the part of its output that a reader needs. */
export interface Typed {
  readonly command: string;
  readonly env: Environment;
  readonly output: string;
}

/** A command that runs, or has ended. */
export interface Process {
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Longer than anything in a day. */
const commandMs = 600_000;
/** Beginnings of commands, and the scripts that npm would run. A signal to npx might not reach the script. */
const scripts = [
  ['npx bowline ', 'cli/main.ts'],
  ['npm run lab -- ', 'lab/main.ts'],
  ['node bowline.js ', 'bowline.js'],
] as const;

interface CommandOptions {
  readonly env?: Environment;
  /** From the agent's settings file, which the page shows once. */
  readonly settings?: Environment;
  /** Where it is typed; by default in the checkout. */
  readonly folder?: string;
  /** Exit code; 0 by default. */
  readonly code?: number;
  /** The lines of the output that a reader needs; all of them by default. False: leaves out the command, too. */
  readonly show?: RegExp | false;
}

export type Stage = ReturnType<typeof openStage>;

/** @param folder of the simulated machine: keys, data. */
export function openStage(folder: string, base: Environment) {
  const typed: Typed[] = [];
  const running = new Set<Process>();

  function begin(line: string, { env = {}, settings = {}, folder: cwd = root }: CommandOptions): Process {
    const [start, script] = scripts.find(([beginning]) => line.startsWith(beginning)) ?? ['', ''];
    const child = spawn(process.execPath, [join(cwd, script), ...line.slice(start.length).split(' ')], {
      cwd,
      env: { ...machineSettings(process.env), NO_COLOR: '1', ...base, ...settings, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: commandMs,
    });
    endWithThisProcess(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'close').then(([code]) => ({ code, output }));
    const one: Process = { ended, kill: (signal) => void child.kill(signal) };
    running.add(one);
    return one;
  }

  return {
    folder,
    /** What was typed since the last call. */
    take: () => typed.splice(0),
    /** Notes what a person would type where this script does the same itself. */
    note: (command: string, env: Environment = {}, output = '') => void typed.push({ command, env, output }),
    /** @throws a sentence with the last lines of its output, if a command ends with another code than expected. */
    async run(line: string, options: CommandOptions = {}): Promise<string> {
      const { env = {}, code: expected = 0, show = /./ } = options;
      const { code, output } = await begin(line, options).ended;
      const lines = output.trimEnd().split('\n');
      if (code !== expected)
        throw new Error(`${line} ended with ${code}, not ${expected}:\n${lines.slice(-12).join('\n')}`);
      if (show) typed.push({ command: line, env, output: lines.filter((each) => show.test(each)).join('\n') });
      return output;
    },
    /** Starts a command that keeps running. */
    start(line: string, options: Pick<CommandOptions, 'settings' | 'folder'>): Process {
      typed.push({ command: line, env: {}, output: '' });
      return begin(line, options);
    },
    stop() {
      for (const each of running) each.kill('SIGKILL');
    },
  };
}
