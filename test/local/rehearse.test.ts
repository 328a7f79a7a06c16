import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStage } from '../../script/rehearse/stage.ts';
import { steps } from '../../script/rehearse/steps.ts';
import { isSamePage, pageOf, type Told } from '../../script/rehearse/transcript.ts';

// DP-54, DP-55: what of the rehearsal needs no chain. `npm run test:rehearse` plays it.

const told: Told = {
  title: 'Fund the payers',
  why: 'They need it.',
  typed: [
    {
      command: 'npm run preflight -- --rpc http://127.0.0.1:4711',
      env: { KEY_FILE: '/tmp/one/keeper' },
      output: `ok 0x${'ab'.repeat(20)} holds 1.25 BNB`,
    },
  ],
  found: '3 payers hold 1 BNB each',
};
const names = [
  ['/tmp/one', '.'],
  ['http://127.0.0.1:4711', '$RPC_URL'],
] as const;

test('the page has what was typed, and nothing of this machine', () => {
  const page = pageOf([told], names);
  expect(page).toContain('$ KEY_FILE=./keeper \\\n  npm run preflight -- --rpc $RPC_URL\nok 0x… holds 1.25 BNB\n');
  expect(page).toContain('## 1. Fund the payers\n\nThey need it.\n');
  expect(page).toContain('**Checked:** 3 payers hold 1 BNB each.');
});

test('a page of another command, line or outcome is another page; one of other numbers is not', () => {
  const page = pageOf([told], names);
  const [typed] = told.typed;
  if (typed === undefined) throw new Error('nothing was typed');
  const other = (changes: Partial<typeof typed>) => pageOf([{ ...told, typed: [{ ...typed, ...changes }] }], names);
  expect(isSamePage(page, other({ output: `ok 0x${'cd'.repeat(20)} holds 17 BNB` }))).toBe(true);
  expect(isSamePage(page, other({ output: `MISSING 0x${'ab'.repeat(20)} holds 0 BNB` }))).toBe(false);
  expect(isSamePage(page, other({ command: 'npm run doctor' }))).toBe(false);
  expect(isSamePage(page, other({ env: {} }))).toBe(false);
  expect(isSamePage(page, pageOf([{ ...told, found: 'nobody holds anything' }], names))).toBe(false);
  expect(isSamePage(page, pageOf([], names))).toBe(false);
});

test('docs/rehearsal.md has every step, in order', () => {
  const headings = [...readFileSync('docs/rehearsal.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(steps.map(({ title }, at) => `${at + 1}. ${title}`));
});

test('a command that ends otherwise than it should ends the rehearsal, with what it has said', {
  tags: 'long',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-stage-'));
  const stage = openStage(folder, {});
  onTestFinished(() => {
    stage.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await expect(stage.npm('restore')).rejects.toThrow('ended with 1, not 0:\nName one file: npm run restore -- FILE');
  expect(stage.take()).toEqual([]);
});
