import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

/** The test files that a command would run, and how many tests are in them. */
function listed(command: string) {
  const { stdout } = spawnSync(`${command} --list --json`, { shell: true, encoding: 'utf8' });
  const tests: Record<string, Record<string, string[]>> = JSON.parse(stdout);
  return { files: Object.keys(tests).sort(), count: Object.values(tests).flatMap(Object.values).flat().length };
}

// forge exits 0 when its filter matches no test at all, so a test that nobody runs would look like one that passes.
test('npm run test:contracts runs every Solidity test but the fork tests', () => {
  const written = globSync('test/**/*.t.sol').filter((file) => !file.startsWith('test/fork/'));
  const { files, count } = listed(manifest.scripts['test:contracts']);
  expect(count).toBeGreaterThan(0);
  expect(files).toEqual(written.sort());
});
