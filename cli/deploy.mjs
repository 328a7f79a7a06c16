#!/usr/bin/env node
// Deploys the contracts and records them: `npx bowline deploy --rpc-url URL` and forge's options for the paying key
// (`--account NAME`, `--ledger`; on a local chain `--unlocked --sender ADDRESS`).
// Checks the settings, then runs forge twice: the first run prints every address and sends, the second reads the chain and
// writes script/deployments/<chainId>.json. `--predict` only checks and prints.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binary, hermetic } from '../lab/tools/foundry.mjs';
import { problemsOf, withEnvFile } from './deploy/settings.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Replaces `--account NAME` in forge's options with the path of that keystore in `home`. Forge itself would look in its
 * hermetic home, which is not the user's.
 * @param {string[]} options
 * @param {string} home
 */
export function withKeystores(options, home) {
  const separate = options.flatMap((option) => (option.startsWith('--account=') ? option.split(/=(.*)/s, 2) : option));
  return separate.map((option, at) => {
    if (option === '--account') return '--keystore';
    return separate[at - 1] === '--account' ? join(home, '.foundry', 'keystores', option) : option;
  });
}

/**
 * @param {string[]} options
 * @returns {string | undefined} the node's address, as named for forge
 */
function nodeIn(options) {
  const separate = options.flatMap((option) => (/^--\S+=/.test(option) ? option.split(/=(.*)/s, 2) : option));
  const at = separate.findIndex((option) => ['--rpc-url', '--fork-url', '-f'].includes(option));
  return at === -1 ? undefined : separate[at + 1];
}

/**
 * Undefined if the node's address is a name of forge's own, or no HTTP.
 * @param {string} url
 * @returns {Promise<number | undefined>}
 */
async function chainIdAt(url) {
  if (!/^https?:/.test(url)) return undefined;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) });
    return Number(/** @type {{result: string}} */ (await response.json()).result);
  } catch {
    throw new Error(`No node answers at ${new URL(url).host}, which --rpc-url names.`);
  }
}

/**
 * @param {string[]} words
 * @throws {Error} one line for each reason not to begin
 */
async function deploy(words) {
  const isForecast = words.includes('--predict');
  const options = words.filter((word) => word !== '--predict');
  const url = nodeIn(options);
  // Without a chain, forge deploys to its own memory and reports success.
  if (!url) throw new Error('Name the chain and the paying key: npx bowline deploy --rpc-url URL --account NAME');
  const chainId = await chainIdAt(url);
  const foundryToml = readFileSync(join(root, 'foundry.toml'), 'utf8');
  const problems = problemsOf(withEnvFile(process.env, root), { chainId, root, foundryToml, options });
  if (problems.length > 0) throw new Error(['Nothing was sent.', ...problems].join('\n'));
  const send = ['--sig', 'run()', '--slow', ...options];
  // Forge prints the addresses, which the script logs, before it sends anything.
  const steps = isForecast
    ? [send]
    : [
        ['--broadcast', ...send],
        ['--sig', 'record()', ...options],
      ];
  for (const step of steps) {
    const { status } = spawnSync(binary('forge'), ['script', 'script/Deploy.s.sol', ...step], {
      stdio: 'inherit',
      env: hermetic(),
    });
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    return;
  }
  process.stdout.write(
    isForecast
      ? '\nNothing was sent. Without --predict, the contracts marked "new" are created at these addresses.\n'
      : '\nDeployed, read back and recorded in script/deployments/, or in DEPLOYMENTS_DIR.\n',
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await deploy(withKeystores(process.argv.slice(2), homedir()));
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    process.exitCode = 1;
  }
}
