import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithThisProcess } from '../anvil.ts';

/** A program to run next to this one until it is stopped. */
export interface ChildPlan {
  readonly name: string;
  /** Program and arguments. */
  readonly command: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** URL that answers 2xx to GET once the child is ready. */
  readonly ready: string;
  /** How long it may take to be ready; by default a minute. */
  readonly readySeconds?: number;
  /** Called with every line that it writes. */
  readonly onLine: (line: string) => void;
  /** Called with a sentence each time that it has ended, before it is restarted. Absent: it is not restarted. */
  readonly onEnd?: ((why: string) => void) | undefined;
}

export interface Child {
  /** Resolves with a sentence when it has ended for good, for any reason. */
  readonly ended: Promise<string>;
  /** Asks the process to end, kills it if it does not, and waits until it has exited. */
  stop(): Promise<void>;
}

/** Busy machines need most of it: the agent alone sends dozens of requests to the node, one after the other. */
const usualReadySeconds = 60;
const graceSeconds = 5;
/** Per request: the agent first asks its node, the exchange and Pyth whether they are ready. */
const answerSeconds = 10;
/** Number of lines kept of a child's error output: enough for a stack trace and more. */
const lastLines = 50;

const restartSeconds = 1;

/** @throws a sentence with the child's own error output if the child ends or stays silent instead of becoming ready. */
export async function startChild(plan: ChildPlan): Promise<Child> {
  const { onEnd } = plan;
  let running = await startOnce(plan);
  if (onEnd === undefined) return running;
  const stopping = new AbortController();
  const again = async (): Promise<string> => {
    let why = await running.ended;
    while (!stopping.signal.aborted) {
      onEnd(why);
      await sleep(restartSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) break;
      try {
        running = await startOnce(plan);
        why = await running.ended;
      } catch (error) {
        why = (error as Error).message;
      }
    }
    return why;
  };
  const stop = async () => {
    stopping.abort();
    await running.stop();
  };
  return { ended: again(), stop };
}

async function startOnce(plan: ChildPlan): Promise<Child> {
  const { name, command, env, cwd, ready, onLine, readySeconds = usualReadySeconds } = plan;
  const [program, ...args] = command;
  // Runs in its own process group: Ctrl-C in a terminal then reaches only this process, which stops everything in
  // order.
  const child = spawn(program, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithThisProcess(child);
  const complaints: string[] = [];
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', (line) => {
    complaints.push(line);
    if (complaints.length > lastLines) complaints.shift();
    onLine(line);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`The ${name} could not be started: ${error.message}`));
    child.once('close', (code, signal) => {
      const how = signal === null ? `exit code ${code}` : signal;
      resolve([`The ${name} stopped unexpectedly (${how}).`, ...causeOf(complaints)].join('\n  '));
    });
  });
  const stop = () => stopChild(child, ended);
  const state = await Promise.race([answers(ready, readySeconds), ended]);
  if (state === true) return { ended, stop };
  await stop();
  throw new Error(
    typeof state === 'string' ? state : `The ${name} was not ready at ${ready} within ${readySeconds} s.`,
  );
}

const maxOfCause = 5;

/** The cause of a program's end: the line that names an uncaught error, otherwise its last lines. */
function causeOf(complaints: readonly string[]): readonly string[] {
  const error = complaints.findLast((line) => /^(Uncaught )?(\w*Error( \[\w+\])?|FATAL ERROR): /.test(line));
  return error === undefined ? complaints.filter((line) => line.trim() !== '').slice(-maxOfCause) : [error];
}

/** Whether a GET succeeds in time. */
async function answers(url: string, readySeconds: number): Promise<boolean> {
  const deadline = performance.now() + readySeconds * 1000;
  while (performance.now() < deadline) {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerSeconds * 1000) }).catch(() => undefined);
    if (response?.ok) return true;
    await sleep(50);
  }
  return false;
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), graceSeconds * 1000);
  await ended;
  clearTimeout(late);
}
