import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { complete, type Lock } from '../../lab/tools/complete-lock.ts';

const committed: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const missing = 'node_modules/@foundry-rs/anvil-darwin-arm64';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the tool on a lock file and returns the result. */
function run(lock: Lock, ...args: string[]) {
  const path = join(folder, 'package-lock.json');
  writeFileSync(path, JSON.stringify(lock));
  const { status, stderr } = spawnSync('node', ['lab/tools/complete-lock.ts', ...args, path], { encoding: 'utf8' });
  return { status, stderr, after: JSON.parse(readFileSync(path, 'utf8')) as Lock };
}

function without(key: string): Lock {
  const lock = structuredClone(committed);
  delete lock.packages[key];
  return lock;
}

test('--check accepts the committed lock', () => {
  expect(run(committed, '--check')).toMatchObject({ status: 0, stderr: '' });
});

test("--check refuses a lock that lacks another platform's package, and leaves it alone", () => {
  const lock = without(missing);
  expect(run(lock, '--check')).toEqual({
    status: 1,
    stderr: `package-lock.json lacks ${missing}: npm ci would refuse it\n`,
    after: lock,
  });
});

test('completing adds the package with its version and platform', () => {
  const { status, after } = run(without(missing));
  expect(status).toBe(0);
  expect(after.packages[missing]).toEqual({
    version: committed.packages['node_modules/@foundry-rs/anvil']?.version,
    cpu: ['arm64'],
    dev: true,
    optional: true,
    os: ['darwin'],
  });
});

test('the C library is part of a Linux platform', () => {
  const musl = 'node_modules/@biomejs/cli-linux-arm64-musl';
  expect(complete(without(musl)).packages[musl]).toMatchObject({ os: ['linux'], cpu: ['arm64'], libc: ['musl'] });
});

test('platforms are read from names as npm itself writes them', () => {
  // In the committed lock, every package with its own manifest states what its name must mean.
  const named = Object.entries(committed.packages).filter(
    ([key, { integrity, os }]) => integrity && os && /^node_modules\/@[^/]+\/[^/]+$/.test(key),
  );
  expect(named.length).toBeGreaterThan(20);
  for (const [key, { os, cpu }] of named) {
    expect({ key, ...complete(without(key)).packages[key] }).toMatchObject({ key, os, ...(cpu ? { cpu } : {}) });
  }
});

test('a second version goes below the package that asks for it', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0', optionalDependencies: { 'a-linux-x64': '1.0.0' } },
      'node_modules/a-linux-x64': { version: '2.0.0', optional: true },
    },
  };
  expect(complete(lock).packages['node_modules/a/node_modules/a-linux-x64']?.version).toBe('1.0.0');
});

test('a package that is found further up is not added again', () => {
  const lock: Lock = {
    packages: {
      'node_modules/a/node_modules/b': { version: '1.0.0', optionalDependencies: { c: '3.0.0' } },
      'node_modules/c': { version: '3.0.0', optional: true },
    },
  };
  expect(complete(lock)).toEqual(lock);
});

test('a missing package that is asked for by a range is an error', () => {
  const lock: Lock = { packages: { 'node_modules/a': { version: '1.0.0', optionalDependencies: { b: '^1.0.0' } } } };
  expect(() => complete(lock)).toThrow('node_modules/a requires b ^1.0.0: add that package to the lock by hand');
});

test("a registry of one's own does not stay in the lock", () => {
  const lock = structuredClone(committed);
  const entry = lock.packages['node_modules/viem'];
  if (!entry) throw new Error('the lock has no viem');
  entry.resolved = 'https://packages.example/viem/-/viem.tgz';
  expect(run(lock, '--check')).toMatchObject({
    status: 1,
    stderr: 'package-lock.json takes node_modules/viem from https://packages.example/viem/-/viem.tgz\n',
  });
  expect(run(lock).after.packages['node_modules/viem']).not.toHaveProperty('resolved');

  entry.resolved = 'https://registry.npmjs.org/viem/-/viem-2.57.1.tgz';
  expect(run(lock, '--check').status).toBe(0);
});
