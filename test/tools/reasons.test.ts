import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const source = 'docs/reasons.md';
const made = [
  'packages/core/domain/reasons.ts',
  'contracts/libraries/Reasons.sol',
  'web/app/words/numbered-reasons.ts',
];
const table = readFileSync(source, 'utf8');
const last = '| 12 | exchange_spread_wide |';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reasons-'));
  for (const path of ['tools/reasons.mjs', source, ...made]) cpSync(path, join(folder, path));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the tool on a table, in a folder of its own. */
function run(text: string, ...args: string[]) {
  writeFileSync(join(folder, source), text);
  const { status, stderr } = spawnSync('node', [join(folder, 'tools/reasons.mjs'), ...args], { encoding: 'utf8' });
  return { status, stderr };
}

const after = (row: string) => table.replace(last, `${row}\n${last}`);
const instead = (row: string) => table.replace(last, row);

test('--check accepts what is committed', () => {
  expect(table).toContain(last);
  expect(run(table, '--check')).toEqual({ status: 0, stderr: '' });
});

test('a new reason is an error until every table has it', () => {
  const rows = [...table.matchAll(/^\| \d+ \|.*$/gm)];
  const [end = ''] = rows.at(-1) ?? [];
  const text = table.replace(end, `${end}\n| ${rows.length + 1} | something_new |`);
  expect(run(text, '--check').status).toBe(1);
  expect(run(text).status).toBe(0);
  expect(run(text, '--check')).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(join(folder, 'contracts/libraries/Reasons.sol'), 'utf8')).toContain(
    `SOMETHING_NEW = ${rows.length + 1};`,
  );
});

test.each([
  ['is not lower_snake', instead('| 12 | exchange-spread-wide |')],
  ['is not lower_snake', instead('| 12 | Exchange_spread_wide |')],
  ['is not lower_snake', instead('|12| exchange spread wide |')],
  ['has number 13 where 12 is due', instead('| 13 | exchange_spread_wide |')],
  ['has number 12 where 13 is due', after('| 12 | something_new |')],
  ['a reason twice', table.replace(last, '| 12 | peg_missing |')],
  ['has no reason', '# Reasons\n'],
])('%s', (why, text) => {
  const { status, stderr } = run(text, '--check');
  expect(stderr).toContain(why);
  expect(status).toBe(1);
});
