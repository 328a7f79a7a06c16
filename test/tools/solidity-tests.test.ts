/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The Solidity test files in which an npm script runs at least one test. */
function filesRunBy(script: string, words = '--list --json'): string[] {
  const { stdout } = spawnSync(`npm run --silent ${script} -- ${words}`, { shell: true, encoding: 'utf8' });
  const tests: Record<string, Record<string, string[]>> = JSON.parse(stdout);
  return Object.keys(tests).filter((file) => Object.values(tests[file] ?? {}).flat().length > 0);
}

// forge exits 0 if its filter matches no test, and leaves out tests that an unwrapped `forge lint` compiled (delete
// out/ and cache/ to fix that). A test that never runs would look like one that passes.
test('every Solidity test file is run by npm test, by one of its commands', () => {
  const written = globSync('test/**/*.t.sol');
  const ofFork = written.filter((file) => file.startsWith('test/fork/'));
  const ofGas = written.filter((file) => file.startsWith('test/gas/'));
  const ofInvariants = written.filter((file) => file.startsWith('test/invariant/'));
  const ofContracts = written.filter((file) => ![...ofFork, ...ofGas, ...ofInvariants].includes(file));
  expect(ofFork).not.toEqual([]);
  expect(ofContracts).not.toEqual([]);
  expect(ofInvariants).not.toEqual([]);
  expect(filesRunBy('test:contracts').sort()).toEqual(ofContracts.sort());
  expect(filesRunBy('test:invariants').sort()).toEqual(ofInvariants.sort());
  expect(filesRunBy('lab', 'gas --list --json').sort()).toEqual(ofGas.sort());
  expect(filesRunBy('test:fork').sort()).toEqual(ofFork.sort());
}, 300_000); // Listing compiles every changed file, which may be all.
