import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../lab/tools/settings.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  mkdirSync(join(folder, 'docs/reference'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stderr };
}

test('npm run lab -- settings writes its pages, and --check passes then', () => {
  expect(run()).toEqual({ status: 0, stderr: '' });
  const committed = fileURLToPath(new URL('../../.env.example', import.meta.url));
  expect(readFileSync(join(folder, '.env.example'), 'utf8')).toBe(readFileSync(committed, 'utf8'));
  expect(run('--check')).toEqual({ status: 0, stderr: '' });
});

test('--check names a page that differs, or is missing, and what to run', () => {
  const line = (path: string) => `${path} differs from what is declared: npm run lab -- settings\n`;
  const all = ['.env.example', 'docs/reference/settings.md', 'docs/problems.md'];
  expect(run('--check')).toEqual({ status: 1, stderr: all.map(line).join('') });
  run();
  appendFileSync(join(folder, 'docs/reference/settings.md'), 'By hand.\n');
  expect(run('--check')).toEqual({ status: 1, stderr: line('docs/reference/settings.md') });
});
