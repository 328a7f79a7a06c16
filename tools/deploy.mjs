#!/usr/bin/env node
// Deploys the contracts and records them: `npm run deploy -- --rpc-url URL` and forge's options for the paying key
// (`--account NAME`, `--ledger`; on a local chain `--unlocked --sender ADDRESS`).
// Runs forge twice: the first run sends, the second reads the chain and writes script/deployments/<chainId>.json.
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binary, hermetic } from './foundry.mjs';

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

/** @param {string[]} options */
function deploy(options) {
  if (!options.some((option) => /^(--rpc-url|--fork-url|-f)(=|$)/.test(option))) {
    // Without a chain, forge deploys to its own memory and reports success.
    process.stderr.write('Name the chain and the paying key: npm run deploy -- --rpc-url URL --account NAME\n');
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
