/** @module-tag long */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { binary } from '../../lab/tools/foundry.mjs';

const wrapper = resolve('lab/tools/foundry.mjs');
const nobodyListens = 'http://127.0.0.1:1';

let project: string;
let home: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'foundry-project-')));
  home = mkdtempSync(join(tmpdir(), 'foundry-home-'));
  write('foundry.toml', '[profile.default]\nsrc = "src"\nauto_detect_remappings = false\n[fuzz]\nruns = 3\n');
});
afterEach(() => {
  rmSync(project, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

function write(file: string, text: string, folder = project) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function writeTest(condition: string) {
  write(
    'test/Throwaway.t.sol',
    `pragma solidity ^0.8.30;
contract Throwaway {
  function test_condition() public view { require(${condition}, "condition does not hold"); }
}`,
  );
}

/** Runs a command in the temporary project with exactly this environment, plus the PATH to Node. */
function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
const wrapped = (args: string[], env?: NodeJS.ProcessEnv) => run('node', [wrapper, ...args], env);

/** A person's own Foundry settings, each of which changes how forge behaves. */
const ownSettings = {
  ETH_RPC_URL: nobodyListens,
  FOUNDRY_ETH_RPC_URL: nobodyListens,
  FOUNDRY_PROFILE: 'deep',
  FOUNDRY_FUZZ_RUNS: '77777',
  FOUNDRY_EVM_VERSION: 'paris',
  FOUNDRY_OUT: 'elsewhere',
  DAPP_TEST_NUMBER: '5',
};
const ownToml = `[profile.default]\neth_rpc_url = "${nobodyListens}"\nvia_ir = true\n[profile.deep]\noptimizer = true\n`;

test('a failing Solidity test gives a failing exit code', () => {
  writeTest('block.chainid == 0');
  const failing = wrapped(['forge', 'test']);
  expect(failing.stdout).toContain('condition does not hold');
  expect(failing.status).toBe(1);

  writeTest('block.chainid == 31337');
  expect(wrapped(['forge', 'test']).status).toBe(0);
});

test('source that does not compile gives a failing exit code', () => {
  write('src/Broken.sol', 'contract Broken { function }');
  expect(wrapped(['forge', 'build']).status).toBe(1);
});

test.each([['lint'], ['geiger'], ['eip712', 'test/Throwaway.t.sol']])(
  'a test is still run after forge %s has seen it',
  (...command) => {
    write('test/Before.t.sol', 'pragma solidity ^0.8.30; contract Before { function test_nothing() public {} }');
    expect(wrapped(['forge', 'test']).status).toBe(0);
    writeTest('block.chainid == 0');
    wrapped(['forge', ...command]);
    expect(wrapped(['forge', 'test'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('condition does not hold'),
    });
  },
);

test('the settings and network of a user change nothing, and nothing is written to their home', () => {
  writeTest('block.chainid == 31337');
  write('.foundry/foundry.toml', ownToml, home);
  const alone = JSON.parse(wrapped(['forge', 'config', '--json']).stdout);
  const within = JSON.parse(wrapped(['forge', 'config', '--json'], ownSettings).stdout);
  expect(alone).toMatchObject({ eth_rpc_url: null, via_ir: false, fuzz: { runs: 3 } });
  expect(within).toEqual(alone);
  expect(wrapped(['forge', 'test'], ownSettings).status).toBe(0);
  expect(readdirSync(home, { recursive: true }).sort()).toEqual(['.foundry', '.foundry/foundry.toml']);

  // The same settings do affect an unwrapped forge: otherwise the assertions above would prove nothing.
  const bare = JSON.parse(run(binary('forge'), ['config', '--json'], ownSettings).stdout);
  expect(bare).toMatchObject({ eth_rpc_url: nobodyListens, fuzz: { runs: 77777 }, out: 'elsewhere' });
  expect(run(binary('forge'), ['config', '--json']).stdout).toContain('"via_ir": true');
});

test('settings before the tool are kept', () => {
  write('foundry.toml', '[profile.default.fuzz]\nruns = 3\n[profile.deep.fuzz]\nruns = 11\n');
  const runs = (...settings: string[]) =>
    JSON.parse(wrapped([...settings, 'forge', 'config', '--json'], ownSettings).stdout).fuzz.runs;
  expect(runs()).toBe(3);
  expect(runs('FOUNDRY_PROFILE=deep')).toBe(11);
  expect(runs('FOUNDRY_PROFILE=deep', 'FOUNDRY_FUZZ_RUNS=9')).toBe(9);
});

test("a user's own forge on this checkout is as they set it: foundry.toml names nothing hermetic", () => {
  const { stdout } = run(binary('forge'), ['config', '--json', '--root', resolve('.')]);
  expect(JSON.parse(stdout)).toMatchObject({ solc: '0.8.37', offline: false, no_storage_caching: false });
  expect(stdout).not.toContain('solc.mjs');
});

test('another tool than forge and anvil is refused', () => {
  expect(wrapped(['cast'])).toMatchObject({ status: 2, stdout: '' });
  expect(wrapped([]).status).toBe(2);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s to the wrapper ends anvil too', async (signal) => {
  // In its own process group, so that even an anvil that the wrapper left behind ends with the test.
  const child = spawn('node', [wrapper, 'anvil', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    const port = await listeningPort(child);
    expect(await accepts(port)).toBe(true);
    child.kill(signal);
    await once(child, 'exit');
    expect(await accepts(port)).toBe(false);
  } finally {
    endGroup(child);
  }
});

function endGroup({ pid }: ChildProcess) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty, as it should be.
  }
}

/** The port that anvil reports. */
async function listeningPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the child has no output to read');
  for await (const line of createInterface(child.stdout)) {
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error('anvil ended before it listened');
}

/** Whether this port of the loopback interface accepts connections. */
function accepts(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
    socket.once('connect', () => socket.destroy());
  });
}
