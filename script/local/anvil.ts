import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binary, hermetic } from '../../tools/foundry.mjs';

export interface Anvil {
  /** JSON-RPC address, on loopback. */
  readonly url: string;
  /** Resolves when the process is gone, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * Anvil waits for what its fork has not read yet on the thread that asked, and by default has a thread for each core: as soon
 * as all of them wait, none is left to take the answers, and it stands still for good. With two cores that was one start in
 * fifteen. In anvil's environment.
 */
export const enoughThreads = { TOKIO_WORKER_THREADS: '32' };

/**
 * Starts anvil on loopback and resolves once it answers. It ends with this process, however that ends.
 * @param port 0 lets the system choose a free one, so that chains started at the same time never meet.
 * @throws one sentence with anvil's own reason when it does not come up.
 */
export async function startAnvil(args: readonly string[], port = 0): Promise<Anvil> {
  // Old states go to disk. By default that is the user's own ~/.foundry, and anvil leaves them there.
  const states = mkdtempSync(join(tmpdir(), 'bowline-anvil-'));
  const own = ['--host', '127.0.0.1', '--port', String(port), '--cache-path', states];
  const child = spawn(binary('anvil'), [...args, ...own], {
    env: { ...hermetic(), ...enoughThreads },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its own process group: Ctrl-C in a terminal then reaches only us, who stop the chains in order.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      rmSync(states, { recursive: true, force: true });
      resolve();
    });
  });
  endWithThisProcess(child, states);
  const url = `http://${await listening(child)}`;
  // Anvil writes a line for every call. Whenever we are too busy to read them, the full pipe would stop it.
  await silence(url);
  child.stdout.resume();
  child.stderr.resume();
  const stop = () => {
    // Nothing of a local chain is kept, so there is nothing to finish first.
    child.kill('SIGKILL');
    return ended;
  };
  return { url, ended, stop };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    let errors = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const address = /Listening on (\S+)\s/.exec(output)?.[1];
      if (address === undefined) return;
      child.stdout?.removeAllListeners('data');
      child.stderr?.removeAllListeners('data');
      resolve(address);
    });
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    child.once('error', (error) => reject(new Error(`anvil could not be started: ${error.message}`)));
    child.once('close', () => {
      reject(new Error(`anvil stopped before it was ready: ${oneLine(errors)}`));
    });
  });
}

// Anvil prints what failed, and below it a chain of causes that ends with the plainest.
function oneLine(errors: string): string {
  const lines = errors.trim().split('\n');
  const failure = lines[0]?.replace(/^Error: /, '') || 'it gave no reason';
  const cause = /^- Error #\d+: (.+)/.exec(lines.at(-1) ?? '')?.[1];
  return cause === undefined ? failure : `${failure}: ${cause}`;
}

async function silence(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setLoggingEnabled', params: [false] });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!response.ok) throw new Error(`anvil answers with status ${response.status}`);
}

/**
 * Ends the child, and removes a folder of its, if this process is gone first. Exit handlers do not run when a process is
 * killed hard, and a child left behind keeps its port. The shell waits on a pipe whose other end is ours: it closes
 * whatever becomes of us.
 */
export function endWithThisProcess(child: ChildProcess, folder = ''): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  const watcher = spawn('sh', ['-c', 'read _; kill -9 "$0"; rm -rf "$1"', String(child.pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {});
  // Once anvil is gone its number may be given to a stranger.
  child.once('exit', () => watcher.kill());
}
