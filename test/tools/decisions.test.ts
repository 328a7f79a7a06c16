import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

function project(decisions: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'bowline-decisions-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'docs/decisions'), { recursive: true });
  mkdirSync(join(root, 'tools'));
  cpSync('tools/decisions.mjs', join(root, 'tools/decisions.mjs'));
  const write = (name: string, text: string) => writeFileSync(join(root, 'docs/decisions', name), text);
  for (const [name, text] of Object.entries(decisions)) write(name, text);
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'tools/decisions.mjs'), ...args]);
    return { status, said: `${stderr}` };
  };
  return { run, write, list: () => readFileSync(join(root, 'docs/decisions/README.md'), 'utf8') };
}

const decision = (number: string, title: string) => `# ${number} · ${title}\n\n2026-11-24\n\nBecause.\n`;

// DP-71
test('decisions are listed in their order, and a list that lacks one is refused', () => {
  const { run, write, list } = project({
    '0002-b.md': decision('0002', 'Bound'),
    '0001-a.md': decision('0001', 'Anchor'),
  });
  expect(run('--check')).toEqual({ status: 1, said: expect.stringContaining('npm run decisions') });
  expect(run()).toEqual({ status: 0, said: '' });
  expect(list()).toMatch(/\| 0001 \| \[Anchor\]\(0001-a\.md\) \| 2026-11-24 \|\n\| 0002 \| \[Bound\]\(0002-b\.md\)/);
  expect(run('--check')).toEqual({ status: 0, said: '' });
  write('0003-c.md', decision('0003', 'Cleat'));
  expect(run('--check').status).toBe(1);
});

// DP-71
test.each([
  ['a number that two have', '0001-b.md', decision('0001', 'Other'), /0001-b\.md has the number of .*0001-a\.md/],
  ['another number than its file', '0002-b.md', decision('0003', 'Other'), /0002-b\.md is headed 0003/],
  ['no date', '0002-b.md', '# 0002 · Other\n\nBecause.\n', /0002-b\.md does not begin with/],
])('%s is refused, and nothing is written', (_, name, text, problem) => {
  const { run, list } = project({ '0001-a.md': decision('0001', 'Anchor'), [name]: text });
  expect(run()).toEqual({ status: 1, said: expect.stringMatching(problem) });
  expect(list).toThrow('ENOENT');
});
