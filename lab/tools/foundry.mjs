#!/usr/bin/env node
// Runs the Foundry binary installed by npm: `node lab/tools/foundry.mjs forge test`. Settings for Foundry come before the
// tool, as with env(1): `node lab/tools/foundry.mjs FOUNDRY_PROFILE=deep forge test`.
// The wrappers in node_modules/.bin always exit 0 and outlive their parent; this one passes on the exit code and
// signals.
// The hermetic settings are here, in the child's environment, and not in foundry.toml: a person who runs their own
// forge on this checkout keeps their own compiler, network and caches, and those change nothing here.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutProxy } from './loopback.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Absolute path of the platform's binary. Throws a sentence if npm installed none for this platform.
 * @param {'forge' | 'anvil'} tool
 */
export function binary(tool) {
  const name = `@foundry-rs/${tool}-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? `${tool}.exe` : tool);
  } catch {
    throw new Error(`${name} is not installed: run "npm ci" on a platform that Foundry publishes binaries for`);
  }
}

/**
 * The environment in which a Foundry tool uses only this project's npm packages and settings.
 * @param {NodeJS.ProcessEnv} [env] the caller's environment; its own settings for Foundry are left out
 * @param {NodeJS.ProcessEnv} [settings] settings for Foundry that the caller chooses
 * @returns {NodeJS.ProcessEnv}
 */
export function hermetic(env = process.env, settings = {}) {
  const foreign = /^(FOUNDRY|DAPP|ETH|ETHERSCAN|ANVIL)_/;
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name))),
    // A fork asks a node on this machine.
    ...withoutProxy(env),
    // Foundry merges ~/.foundry/foundry.toml into every project and caches reads of forked chains in ~/.foundry. (It
    // also reads a .env in the checkout: those settings are meant for this project.)
    HOME: join(root, '.cache', 'home'),
    // lab/tools/solc.mjs starts through its #! line: this makes it use this Node instead of an older one that comes first
    // in PATH.
    PATH: [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter),
    FOUNDRY_SOLC: join(root, 'lab', 'tools', 'solc.mjs'),
    FOUNDRY_OFFLINE: 'true',
    FOUNDRY_NO_STORAGE_CACHING: 'true',
    FOUNDRY_DISABLE_NIGHTLY_WARNING: 'true',
    ...settings,
  };
}

// These commands compile changed files without bytecode and mark them as compiled. `forge test` would then skip the
// tests in them and exit 0. They get a separate cache.
const WITHOUT_BYTECODE = new Set(['lint', 'geiger', 'eip712']);

/** @param {string[]} words `[NAME=value …] forge|anvil [arguments …]` */
function run(words) {
  const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const tool = words[at];
  if (tool !== 'forge' && tool !== 'anvil') {
    process.stderr.write('usage: node lab/tools/foundry.mjs [NAME=value …] forge|anvil [arguments …]\n');
    process.exit(2);
  }
  const args = words.slice(at + 1);
  const settings = {
    ...(WITHOUT_BYTECODE.has(args[0] ?? '')
      ? { FOUNDRY_OUT: '.cache/lint/out', FOUNDRY_CACHE_PATH: '.cache/lint' }
      : {}),
    ...Object.fromEntries(words.slice(0, at).map((word) => word.split(/=(.*)/s, 2))),
  };
  const child = spawn(binary(tool), args, { stdio: 'inherit', env: hermetic(process.env, settings) });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run(process.argv.slice(2));
