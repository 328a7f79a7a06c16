import { spawnSync } from 'node:child_process';
import solc from 'solc';
import { expect, test } from 'vitest';
import { shares, together } from '../../tools/solc.mjs';

const wanted = ['abi', 'evm.bytecode.object', 'metadata'];

/** A separate file for each contract, and one that all of them import; `broken` adds one that does not compile. */
function request(files: number, broken = false): string {
  const head = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.30;\n';
  const sources = Object.fromEntries([
    [
      'Base.sol',
      {
        content: `${head}contract Base { function base(uint256 a) external pure returns (uint256) { return a / 3; } }`,
      },
    ],
    ...Array.from({ length: files }, (_, at) => [
      `File${at}.sol`,
      {
        content: `${head}import "./Base.sol"; contract File${at} { function f() external returns (uint256) { uint256 unused; return new Base().base(${at}); } }`,
      },
    ]),
    ...(broken ? [['Broken.sol', { content: `${head}contract Broken { function f() external { g(); } }` }]] : []),
  ]);
  const outputSelection = Object.fromEntries(Object.keys(sources).map((file) => [file, { '*': wanted, '': ['ast'] }]));
  // Not optimized, which takes most of the time and is done file by file.
  const settings = { optimizer: { enabled: false }, evmVersion: 'cancun', outputSelection };
  return JSON.stringify({ language: 'Solidity', sources, settings });
}

function byTool(input: string) {
  const { stdout, status } = spawnSync(process.execPath, ['tools/solc.mjs', '--standard-json'], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

const messages = ({ errors = [] }: { errors?: { formattedMessage: string }[] }) =>
  new Set(errors.map(({ formattedMessage }) => formattedMessage));

test('compilers that share the files give together what one gives alone', () => {
  const input = request(69);
  const alone = JSON.parse(solc.compile(input));
  expect(Object.keys(alone.contracts)).toHaveLength(70);
  const requests = shares(input, 2);
  expect(requests).toHaveLength(2);
  const output = together(requests.map((share) => JSON.parse(solc.compile(share))));
  expect(output.contracts).toEqual(alone.contracts);
  expect(output.sources).toEqual(alone.sources);
  expect(messages(output)).toEqual(messages(alone));
});

test('the tool answers as one compiler does', () => {
  const input = request(69);
  expect(byTool(input).contracts).toEqual(JSON.parse(solc.compile(input)).contracts);
});

test('an error in one file is told once, whoever compiles that file', () => {
  const { errors } = byTool(request(69, true));
  expect(errors.filter(({ severity }: { severity: string }) => severity === 'error')).toHaveLength(1);
});

test('every file is in one share, and a few files are not shared out', () => {
  const files = (share: string) => Object.keys(JSON.parse(share).settings.outputSelection);
  const two = shares(request(69), 2);
  expect(two.map((share) => files(share).length)).toEqual([35, 35]);
  expect(new Set(two.flatMap(files)).size).toBe(70);
  expect(shares(request(40), 4)).toHaveLength(1);
  const input = JSON.parse(request(69));
  for (const file of Object.keys(input.settings.outputSelection).slice(20)) {
    input.settings.outputSelection[file] = { '*': [] };
  }
  expect(shares(JSON.stringify(input), 4)).toHaveLength(1);
});
