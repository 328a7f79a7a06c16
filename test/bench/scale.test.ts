import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

// Each bench of docs/scale.md at a small size: it ends by itself, and rescues and reads what it makes. Its times are
// not judged here.

const bench = (name: string, ...options: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`lab/bench/${name}.ts`, ...options], {
    encoding: 'utf8',
    // Next to other tests it takes twice as long as alone.
    timeout: 400_000,
  });
  return { status, stdout, stderr };
};

test.each<[string, string[], RegExp[]]>([
  [
    'rescue',
    ['--rtt', '0,20', '--guards', '60', '--trials', '2', '--crash', '20', '--crowd', '30'],
    [
      /^60 loans and guards made/m,
      /\+0 ms a request/,
      /\+20 ms a request[\s\S]*30 in one block +first \d+, .* last \d+/,
    ],
  ],
])('npm run lab -- bench:%s ends and finds what it made', { tags: 'long', timeout: 420_000 }, (name, options, said) => {
  const { status, stdout, stderr } = bench(name, ...options);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  for (const each of said) expect(stdout).toMatch(each);
});
