#!/usr/bin/env node
// Deploys the contracts and records them: `npm run deploy -- --rpc-url URL` and forge's options for the key that pays
// (`--account NAME`, `--ledger`, `--private-key KEY`; on a local chain `--unlocked --sender ADDRESS`).
// Two runs of forge: the first sends, the second reads what is there and writes script/deployments/<chainId>.json.
import { spawnSync } from 'node:child_process';
import { binary, hermetic } from './foundry.mjs';

const options = process.argv.slice(2);
for (const step of [
  ['--sig', 'run()', '--broadcast', '--slow', ...options],
  ['--sig', 'record()', ...options],
]) {
  const { status } = spawnSync(binary('forge'), ['script', 'script/Deploy.s.sol', ...step], {
    stdio: 'inherit',
    env: hermetic(),
  });
  if (status !== 0) process.exit(status ?? 1);
}
