/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const tool = resolve('lab/census/contracts.mjs');

let project: string;
let scratch: string;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'mutants-project-')));
  scratch = mkdtempSync(join(tmpdir(), 'mutants-scratch-'));
  write(
    'foundry.toml',
    `[profile.default]
src = "contracts"
auto_detect_remappings = false
evm_version = "cancun"
fs_permissions = [{ access = "read", path = "out" }]
`,
  );
  write(
    'contracts/Gate.sol',
    `pragma solidity ^0.8.30;
import {Limit} from "./Limit.sol";
contract Gate {
  function admits(uint256 age) external pure returns (bool) { return Limit.isOver(age) && age < 100; }
}`,
  );
  write(
    'contracts/Limit.sol',
    `pragma solidity ^0.8.30;
library Limit {
  function isOver(uint256 age) internal pure returns (bool) { return age >= 18; }
}`,
  );
  write(
    'test/Gate.t.sol',
    `pragma solidity ^0.8.30;
interface Vm { function getCode(string memory path) external view returns (bytes memory); }
interface Gate { function admits(uint256 age) external pure returns (bool); }
contract GateTest {
  function test_Admits() public {
    bytes memory code = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).getCode("out/Gate.sol/Gate.json");
    Gate gate;
    assembly { gate := create(0, add(code, 32), mload(code)) }
    require(gate.admits(18) && !gate.admits(17), "18");
  }
}`,
  );
});
afterEach(() => {
  rmSync(project, { recursive: true, force: true });
  rmSync(scratch, { recursive: true, force: true });
});

function write(file: string, text: string) {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

function list(name: string, file: string, mutants: object[]) {
  const text = JSON.stringify({ file, rebuild: ['contracts/Gate.sol'], tests: 'test/Gate.t.sol', mutants });
  write(`test/mutants/${name}.json`, text);
}

function mutants(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [tool, ...args], {
    cwd: project,
    env: { PATH: process.env.PATH, TMPDIR: scratch },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const killed = { id: 'A1', wrong: 'eighteen is too young', find: 'age >= 18', replace: 'age > 18' };
const survivor = { id: 'B1', wrong: 'a hundred is young', find: 'age < 100', replace: 'age <= 100' };

test('a mutant that no test finds is a survivor and exits 1, and nothing is left of it', () => {
  list('Limit', 'contracts/Limit.sol', [killed]);
  list('Gate', 'contracts/Gate.sol', [survivor, { ...survivor, id: 'B2', wrong: 'the same', equivalent: 'because' }]);
  const { status, stdout } = mutants();
  expect(stdout).toContain('killed      A1  eighteen is too young: test/Gate.t.sol test_Admits');
  expect(stdout).toContain('SURVIVED    B1  a hundred is young: contracts/Gate.sol');
  expect(stdout).toContain('equivalent  B2  the same: because');
  expect(stdout).toContain('1 killed, 1 survived, 1 equivalent, 0 failed, of 3 mutants');
  expect(status).toBe(1);
  expect(readdirSync(scratch)).toEqual([]);
}, 60_000);

test('a mutant whose text does not occur exactly once exits 1', () => {
  list('Limit', 'contracts/Limit.sol', [killed, { ...killed, id: 'A2', find: 'age >= 21' }]);
  list('Gate', 'contracts/Gate.sol', [{ ...survivor, find: 'age' }]);
  const { status, stdout } = mutants();
  expect(stdout).toContain('FAILED      A2: "age >= 21" occurs 0 times in contracts/Limit.sol, not once');
  expect(stdout).toContain('FAILED      B1: "age" occurs 3 times in contracts/Gate.sol, not once');
  expect(status).toBe(1);
});

test.each([
  [['--sample', '0'], '--sample needs a number above 0'],
  [['--sample', 'many'], '--sample needs a number above 0'],
  [['--only', 'A1,Z9'], 'no mutant is called Z9'],
])('%j chooses nothing, says so and exits 1', (args, sentence) => {
  list('Limit', 'contracts/Limit.sol', [killed]);
  list('Gate', 'contracts/Gate.sol', [survivor]);
  expect(mutants(...args)).toMatchObject({ status: 1, stderr: `${sentence}\n` });
});
