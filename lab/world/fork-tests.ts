import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { binary, hermetic } from '../tools/foundry.mjs';
import { withoutProxy } from '../tools/loopback.mjs';
import { startLocalChain } from './fork.ts';
import { morphoArtifacts } from './morpho.ts';

// Runs the Foundry tests under test/fork on their own local chain. With BSC_RPC_URL set, that chain is a fork of the
// real one, and the tests are the same. Further arguments go to forge: `npm run test:fork -- --match-test rescue`. Fails
// if no test matches them, where forge itself would exit with 0. `--attacks 10000` makes that many runs and rescues in
// the campaign of test/fork/Extraction.t.sol instead of a few. Foundry's settings (NAME=value) and the word `coverage` may
// come first (lab/tools/coverage.mjs).

Object.assign(process.env, withoutProxy());
try {
  const morpho = await morphoArtifacts();
  const chain = await startLocalChain({ upstreamUrl: process.env.BSC_RPC_URL || undefined });
  try {
    const words = process.argv.slice(2);
    const settings: NodeJS.ProcessEnv = { MORPHO_ARTIFACTS: morpho };
    for (let named = setting(words); named; named = setting(words)) settings[named[1] as string] = named[2];
    const command = words[0] === 'coverage' ? (words.shift() as string) : 'test';
    const at = words.indexOf('--attacks');
    if (at !== -1) {
      settings.EXTRACTION_ATTACKS = words.splice(at, 2)[1];
      if (!/^[1-9]\d*$/.test(settings.EXTRACTION_ATTACKS ?? '')) throw new Error('--attacks needs a number above 0');
      // All of a campaign's attacks are one test, and forge limits a test to 2^30 gas.
      words.push('--gas-limit', String(Number.MAX_SAFE_INTEGER));
    }
    process.exitCode = await forgeTest(command, chain.url, words, settings);
  } finally {
    await chain.stop();
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** Takes a leading NAME=value off the words, as env(1) does. */
function setting(words: string[]): RegExpExecArray | null {
  const named = /^([A-Z_]+)=(.*)$/.exec(words[0] ?? '');
  if (named) words.shift();
  return named;
}

/** @param settings of Foundry and of the tests: where Morpho's artifacts are (test/base), and the size of a campaign */
function forgeTest(command: string, url: string, args: string[], settings: NodeJS.ProcessEnv): Promise<number> {
  const color = process.stdout.isTTY ? ['--color', 'always'] : [];
  const child = spawn(
    binary('forge'),
    [command, '--match-path', 'test/fork/**', '--fork-url', url, ...color, ...args],
    {
      stdio: ['inherit', 'pipe', 'inherit'],
      env: hermetic(process.env, settings),
    },
  );
  let hasRun = false;
  createInterface({ input: child.stdout }).on('line', (line) => {
    hasRun ||= /Ran \d+ tests? for /.test(line);
    process.stdout.write(`${line}\n`);
  });
  // A signal ends forge, and then the chain ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && !hasRun) process.stderr.write('No test matches.\n');
      resolve(code === 0 && !hasRun ? 1 : (code ?? 1));
    });
  });
}
