import { spawn } from 'node:child_process';
import { binary, hermetic } from '../../tools/foundry.mjs';
import { startLocalChain } from './fork.ts';

// Runs the Foundry tests under test/fork on their own local chain. With BSC_RPC_URL set, that chain is a fork of the
// real one, and the tests are the same. Further arguments go to forge: `npm run test:fork -- --match-test rescue`.

try {
  const chain = await startLocalChain({ upstreamUrl: process.env.BSC_RPC_URL || undefined });
  try {
    process.exitCode = await forgeTest(chain.url, process.argv.slice(2));
  } finally {
    await chain.stop();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

function forgeTest(url: string, args: string[]): Promise<number> {
  const child = spawn(binary('forge'), ['test', '--match-path', 'test/fork/**', '--fork-url', url, ...args], {
    stdio: 'inherit',
    env: hermetic(),
  });
  // A signal ends forge, and then the chain ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
