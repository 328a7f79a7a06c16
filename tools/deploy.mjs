#!/usr/bin/env node
// Deploys the contracts and records them: `npm run deploy -- --rpc-url URL` and forge's options for the key that pays
// (`--account NAME`, `--ledger`; on a local chain `--unlocked --sender ADDRESS`).
// Two runs of forge: the first sends, the second reads what is there and writes script/deployments/<chainId>.json.
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binary, hermetic } from './foundry.mjs';

/**
 * Forge's options with `--account NAME` as the keystore file that it means in `home`: forge itself would look for it in the
 * home that it is given, which is not the user's.
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

/** @param {string[]} options */
function deploy(options) {
  if (!options.some((option) => /^(--rpc-url|--fork-url|-f)(=|$)/.test(option))) {
    // Without a chain forge deploys into its own memory and calls that a success.
    process.stderr.write('Which chain? npm run deploy -- --rpc-url URL, and the key that pays: --account NAME\n');
    process.exitCode = 1;
    return;
  }
  for (const step of [
    ['--sig', 'run()', '--broadcast', '--slow', ...options],
    ['--sig', 'record()', ...options],
  ]) {
    const { status } = spawnSync(binary('forge'), ['script', 'script/Deploy.s.sol', ...step], {
      stdio: 'inherit',
      env: hermetic(),
    });
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    return;
  }
  process.stdout.write('\nDeployed, read back and recorded in script/deployments/.\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) deploy(withKeystores(process.argv.slice(2), homedir()));
