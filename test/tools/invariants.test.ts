import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([[['--sequences']], [['--sequences', '0']], [['--match-contract', 'Plans', '--sequences', 'many']]])(
  '%j is refused before anything runs',
  (args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['lab/tools/invariants.mjs', ...args], {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: '--sequences needs a number above 0\n',
    });
  },
);
