import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const runner = resolve('lab/tools/test.ts');
/** Each part and its command. */
const parts = {
  build: 'npm run build',
  prove: 'npm run lab -- prove',
  'test:contracts': 'npm run test:contracts -- --fuzz-runs 64',
  'test:invariants': 'npm run test:invariants',
  gas: 'npm run lab -- gas --gas-snapshot-check=true',
  'test:fork': 'npm run test:fork -- --no-match-test "Sandwich.*_(btc|eth)"',
  vitest: 'npx vitest run --tags-filter "not long"',
} as const;
type Part = keyof typeof parts;
const names = Object.keys(parts) as Part[];

let project: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'bowline-parts-')));
});
afterEach(() => rmSync(project, { recursive: true }));

function writeParts(given: Partial<Record<Part, string>>) {
  const bin = join(project, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const name of names) {
    const lines = given[name] ?? `echo ${name} one && sleep 0.2 && echo ${name} two`;
    writeFileSync(join(project, `${name}.sh`), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  }
  symlinkSync('../../vitest.sh', join(bin, 'vitest'));
  const own = names.filter((name) => parts[name].startsWith(`npm run ${name}`)).map((name) => [name, `sh ${name}.sh`]);
  const scripts = { ...Object.fromEntries(own), lab: "sh -c 'sh $0.sh'" };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts }));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs the parts in a project where each prints its name twice, except those that are given. */
function runParts(given: Partial<Record<Part, string>> = {}) {
  writeParts(given);
  const { status, stdout } = spawnSync(process.execPath, [runner], { cwd: project, encoding: 'utf8' });
  return { status, stdout, ran: names.filter((name) => stdout.includes(`${name} one`)) };
}

test('every part is run, and its output is not mixed with that of another', () => {
  const { status, stdout, ran } = runParts();
  expect(ran).toEqual(names);
  for (const name of names) expect(stdout).toContain(`\n$ ${parts[name]}\n${name} one\n${name} two\n\nok `);
  expect(status).toBe(0);
});

test('every `test:` script of package.json is run by `npm test` or by `npm run test:full`', () => {
  const { scripts } = manifest;
  const lines = [...Object.values(parts), scripts['test:full']].flatMap((line) => line.split(' && '));
  const isRun = (name: string) => lines.some((line) => `${line} `.startsWith(`npm run ${name} `));
  const named = Object.keys(scripts).filter((name) => name.startsWith('test:') && name !== 'test:full');
  expect(named.filter((name) => !isRun(name))).toEqual([]);
});

test.each(['prove', 'test:fork', 'vitest'] as const)(
  '%s failing is a failure, and the others are run all the same',
  (name) => {
    const { status, stdout, ran } = runParts({ [name]: `echo ${name} one && exit 3` });
    expect(ran).toEqual(names);
    expect(stdout).toMatch(/^FAILED +\d+ s {2}.+$/m);
    expect(stdout.split('\n')).toContainEqual(expect.stringMatching(`^FAILED.+ ${parts[name].slice(0, 20)}`));
    expect(stdout).toMatch(/^FAILED +\d+ s {2}npm test$/m);
    expect(status).toBe(1);
  },
);

test('only the proofs, which need no build, are run when the contracts do not compile', () => {
  const { status, ran } = runParts({ build: 'echo build one && exit 1' });
  expect(ran).toEqual(['build', 'prove']);
  expect(status).toBe(1);
});

test('a part that leaves a process behind ends all the same, and so does the process', async () => {
  const { status, stdout } = runParts({ prove: 'sleep 600 & echo $! > left && echo prove one' });
  expect(stdout).toMatch(/^ok +\d s {2}npm run lab -- prove$/m);
  expect(status).toBe(0);
  // A killed process can still be signalled until the system has collected its exit code.
  const left = Number(readFileSync(join(project, 'left'), 'utf8'));
  await expect.poll(() => isRunning(left)).toBe(false);
});

const endsAll = async (signal: 'SIGINT' | 'SIGTERM') => {
  const stubborn = `trap '' INT TERM; echo $$ > deaf; sleep 600; sleep 600`;
  writeParts({ vitest: stubborn, prove: 'echo $$ > hearing; exec sleep 600' });
  const child = spawn(process.execPath, [runner], { cwd: project, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const pids = () => ['deaf', 'hearing'].map((name) => Number(readFileSync(join(project, name), 'utf8')));
  await expect.poll(() => ['deaf', 'hearing'].every((name) => existsSync(join(project, name)))).toBe(true);
  child.kill(signal);
  expect(await ended).toEqual([signal === 'SIGINT' ? 130 : 143, null]);
  await expect.poll(() => pids().some(isRunning)).toBe(false);
};
test('SIGTERM ends every part, also one that does not listen', () => endsAll('SIGTERM'));
test('SIGINT ends every part, too', { tags: 'long' }, () => endsAll('SIGINT'));

test('arguments are refused: they would change nothing', () => {
  const { status, stderr } = spawnSync(process.execPath, [runner, 'web'], { cwd: project, encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('takes no arguments');
});
