import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binary, hermetic } from '../tools/foundry.mjs';

export interface Anvil {
  /** JSON-RPC URL, on loopback. */
  readonly url: string;
  /** Resolves when the process has exited for any reason. */
  readonly ended: Promise<void>;
  /** Ends the process and waits until it has exited. */
  stop(): Promise<void>;
}

/**
 * Environment for anvil. A fork read blocks the thread that requested it, and anvil has one thread per core by default.
 * If all of them wait, none is left to take the answers, and anvil hangs for good. A waiting thread costs nothing.
 *
 * More threads do not help when a fork reads a balance, nonce or code of an older block (1.7.1). If a call at an older
 * block is waiting for the upstream node, such a request waits for its lock on the thread that receives all answers, and
 * nothing wakes another thread. `latest`, and any `eth_call`, are safe.
 */
export const enoughThreads = { TOKIO_WORKER_THREADS: '256' };

/**
 * BNB Chain's rules. EIP-7825 caps the gas of a transaction at 2^24. A call may take more: BNB Chain's nodes do not apply
 * the cap to `eth_call`.
 */
const rules = ['--hardfork', 'osaka', '--enable-tx-gas-limit'];

/**
 * Starts anvil on loopback and resolves once it answers. Anvil ends with this process, however that ends.
 * @param port 0 lets the system choose a free one, so chains started at the same time never collide.
 * @throws one sentence with anvil's own reason if it does not start.
 */
export async function startAnvil(args: readonly string[], port = 0): Promise<Anvil> {
  // Anvil writes old states to disk: by default to the user's own ~/.foundry, where it leaves them.
  const states = mkdtempSync(join(tmpdir(), 'bowline-anvil-'));
  const own = ['--host', '127.0.0.1', '--port', String(port), '--cache-path', states];
  const child = spawn(binary('anvil'), [...rules, ...args, ...own], {
    env: { ...hermetic(), ...enoughThreads },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Runs in its own process group: Ctrl-C in a terminal then reaches only this process, which stops the chains in
    // order.
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
  // Anvil logs every call. If this process is too busy to read, a full pipe would block anvil.
  await silence(url);
  child.stdout.resume();
  child.stderr.resume();
  const stop = () => {
    // A local chain keeps nothing, so there is nothing to finish first.
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

// Anvil prints the failure and below it a chain of causes, ending with the most specific.
function oneLine(errors: string): string {
  const lines = errors.trim().split('\n');
  const failure = lines[0]?.replace(/^Error: /, '') || 'it gave no reason';
  const cause = /^- Error #\d+: (.+)/.exec(lines.at(-1) ?? '')?.[1];
  return cause === undefined ? failure : `${failure}: ${cause}`;
}

async function silence(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setLoggingEnabled', params: [false] });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!response.ok) throw new Error(`anvil answered with status ${response.status}`);
}

/**
 * Ends the child, and removes its folder if given, when this process dies first. Exit handlers do not run after a
 * SIGKILL, and an orphaned child would keep its port. A watcher shell waits on a pipe whose other end this process
 * holds; the pipe closes however this process ends.
 */
export function endWithThisProcess(child: ChildProcess, folder = ''): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  const watcher = spawn('sh', ['-c', 'read _; kill -9 "$0"; rm -rf "$1"', String(child.pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {});
  // Once anvil has exited, its pid may be reused by another process.
  child.once('exit', () => watcher.kill());
}
