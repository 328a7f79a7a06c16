import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { binary, hermetic } from '../../tools/foundry.mjs';

export interface Anvil {
  /** JSON-RPC address, on loopback. */
  readonly url: string;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts anvil on loopback and resolves once it answers. It ends with this process, however that ends.
 * @param port 0 lets the system choose a free one, so that chains started at the same time never meet.
 * @throws one sentence with anvil's own reason when it does not come up.
 */
export async function startAnvil(args: readonly string[], port = 0): Promise<Anvil> {
  const child = spawn(binary('anvil'), [...args, '--host', '127.0.0.1', '--port', String(port)], {
    env: hermetic(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  const url = `http://${await listening(child)}`;
  // Anvil writes a line for every call. Unread, they would fill the pipe and stop it.
  child.stdout.resume();
  child.stderr.resume();
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      // Nothing is kept on disk, so there is nothing to finish first; SIGTERM waits for open connections.
      child.kill('SIGKILL');
      await gone;
    },
  };
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
      const reason = errors.trim().replace(/^Error: /, '');
      reject(new Error(`anvil stopped before it was ready: ${reason === '' ? 'it gave no reason' : reason}`));
    });
  });
}

// Exit handlers do not run when a process is killed hard, and an anvil left behind keeps its port. The shell waits on a
// pipe whose other end is ours: it closes whatever becomes of us.
function endWithThisProcess(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return;
  const watcher = spawn('sh', ['-c', 'read _; kill -9 "$0"', String(child.pid)], {
    // Its own process group, so that Ctrl-C in a terminal does not end the watcher first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.on('error', () => {});
  // Once anvil is gone its number may be given to a stranger.
  child.once('exit', () => watcher.kill());
}
