import { spawnSync } from 'node:child_process';
import solc from 'solc';
import { expect, test } from 'vitest';

function tool(args: string[], input = '') {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['lab/tools/solc.mjs', ...args], {
    input,
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

test('the tool answers as the compiler does', () => {
  const content = 'pragma solidity ^0.8.30; contract One { function f() external { g(); } }';
  const input = JSON.stringify({ language: 'Solidity', sources: { 'One.sol': { content } } });
  const { stdout, status } = tool(['--standard-json'], input);
  expect(stdout).toBe(solc.compile(input));
  expect(stdout).toContain('Undeclared identifier');
  expect(status).toBe(0);
  expect(tool(['--version']).stdout).toBe(
    `solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`,
  );
});

test('another request is refused by name', () => {
  expect(tool(['--bin', 'One.sol'])).toEqual({
    stdout: '',
    stderr: 'lab/tools/solc.mjs supports only --version and --standard-json, not: --bin One.sol\n',
    status: 1,
  });
});
