import { spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithThisProcess } from '../world/anvil.ts';
import { machineSettings } from '../world/start/environment.ts';

// Where the operator's commands are run, as a person would type them, and what they have said.

type Environment = Readonly<Record<string, string>>;

interface Said {
  readonly code: number | null;
  /** Standard output and error, in the order in which they came. */
  readonly output: string;
}

/** A command, and what of its output a reader needs. */
export interface Typed {
  readonly command: string;
  readonly env: Environment;
  readonly output: string;
}

/** A program that runs until it is ended. */
export interface Process {
  readonly pid: number;
  readonly ended: Promise<Said>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The slowest of them compiles the contracts. */
const commandMs = 300_000;

interface CommandOptions {
  readonly env?: Environment;
  /** Exit code; 0 by default. */
  readonly code?: number;
  /** The lines of the output that a reader needs; all of them by default. False: nothing of the command either. */
  readonly show?: RegExp | false;
  /** What a shown line loses: it differs with time and load. */
  readonly cut?: RegExp;
}

export interface Stage {
  /** Of the machine that is rehearsed: keys, data, logs. */
  readonly folder: string;
  /** What was typed since the last call. */
  take(): readonly Typed[];
  /**
   * Runs a command of `bowline` as a person does.
   * @throws a sentence with the last lines of its output, if it ends with another code than expected.
   */
  bowline(line: string, options?: CommandOptions): Promise<string>;
  /** Notes what a person types where this script does the same itself. */
  note(command: string, env?: Environment, output?: string): void;
  /** Starts a program of the checkout that goes on. Its output goes to a file of that name. */
  start(name: string, script: string, env: Environment): Process;
  stop(): void;
}

export function openStage(folder: string, base: Environment): Stage {
  let typed: Typed[] = [];
  const running = new Set<Process>();
  const environment = (env: Environment) => ({ ...machineSettings(process.env), NO_COLOR: '1', ...base, ...env });

  function begin(program: string, args: readonly string[], env: Environment, log?: WriteStream): Process {
    const child = spawn(program, args, { cwd: root, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] });
    endWithThisProcess(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        if (log) log.write(text);
        else output += text;
      });
    }
    const ended = new Promise<Said>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, output }));
    });
    const one: Process = { pid: child.pid ?? 0, ended, kill: (signal) => void child.kill(signal) };
    running.add(one);
    const forget = () => running.delete(one);
    ended.then(forget, forget);
    return one;
  }

  return {
    folder,
    take() {
      const taken = typed;
      typed = [];
      return taken;
    },
    note: (command, env = {}, output = '') => void typed.push({ command, env, output }),
    async bowline(line, { env = {}, code: expected = 0, show, cut } = {}) {
      const child = begin(process.execPath, [join(root, 'cli/main.ts'), ...line.split(' ')], env);
      const late = setTimeout(() => child.kill('SIGKILL'), commandMs);
      const { code, output } = await child.ended;
      clearTimeout(late);
      const lines = output.trimEnd().split('\n');
      if (code !== expected) {
        throw new Error(`npx bowline ${line} ended with ${code}, not ${expected}:\n${lines.slice(-12).join('\n')}`);
      }
      if (show === false) return output;
      const shown = show === undefined ? lines : lines.filter((each) => show.test(each));
      typed.push({
        command: `npx bowline ${line}`,
        env,
        output: shown.map((each) => (cut ? each.replace(cut, '') : each)).join('\n'),
      });
      return output;
    },
    start(name, script, env) {
      const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' });
      typed.push({ command: `npx bowline ${name}`, env, output: '' });
      // A signal to npx would not reach it for certain.
      return begin(process.execPath, [join(root, script)], env, log);
    },
    stop() {
      for (const each of running) each.kill('SIGKILL');
    },
  };
}
