#!/usr/bin/env node
// Runs the Foundry binary that npm installed: `node tools/foundry.mjs forge test`.
// The wrappers in node_modules/.bin exit 0 whatever happened and outlive their parent; this one passes the exit code on.
// The hermetic settings live here, in the environment of the child, and not in foundry.toml: a person who runs their own
// forge on this checkout keeps their own compiler, network and caches.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Absolute path of the platform's `forge` or `anvil`; throws a sentence when npm installed none for this platform. */
export function binary(tool) {
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform];
  const name = `@foundry-rs/${tool}-${platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? `${tool}.exe` : tool);
  } catch {
    throw new Error(`${name} is not installed: run "npm ci" on a platform that Foundry publishes binaries for`);
  }
}

/** The environment that makes a Foundry tool use this project's npm packages and nothing else of the machine's. */
export function hermetic(env = process.env) {
  const { ETH_RPC_URL: _rpc, FOUNDRY_ETH_RPC_URL: _foundryRpc, ...rest } = env;
  return {
    ...rest,
    FOUNDRY_SOLC: join(root, 'tools', 'solc.mjs'),
    FOUNDRY_OFFLINE: 'true',
    FOUNDRY_NO_STORAGE_CACHING: 'true',
    FOUNDRY_DISABLE_NIGHTLY_WARNING: 'true',
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [tool, ...args] = process.argv.slice(2);
  const child = spawn(binary(tool), args, { stdio: 'inherit', env: hermetic() });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}
