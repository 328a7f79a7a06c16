import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Operator } from '../../lab/day/operator.ts';
import { openStage } from '../../lab/day/stage.ts';
import { steps } from '../../lab/day/steps.ts';
import { isSamePage, pageOf, type Told } from '../../lab/day/transcript.ts';

// The parts of the operator's day that need no chain. `npm run lab -- day` plays the day.

const told: Told = {
  title: 'Fund the payers',
  why: 'They need it.',
  typed: [
    {
      command: 'npx bowline check --rpc http://127.0.0.1:4711',
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
  expect(page).toContain('$ KEY_FILE=./keeper \\\n  npx bowline check --rpc $RPC_URL\nok 0x… holds 1.25 BNB\n');
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
  expect(isSamePage(page, other({ command: 'npx bowline check' }))).toBe(false);
  expect(isSamePage(page, other({ env: {} }))).toBe(false);
  expect(isSamePage(page, pageOf([{ ...told, found: 'nobody holds anything' }], names))).toBe(false);
  expect(isSamePage(page, pageOf([], names))).toBe(false);
});

test('every key that is made is in the command of the page, and its password in another folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-keys-'));
  const stage = openStage(folder, {});
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const keys: Operator['keys'] = new Map();
  const found = await steps[0]?.play({ stage, keys } as unknown as Operator);
  expect(found).toBe(`${keys.size} keystores, each opens with its own password`);
  const [typed] = stage.take();
  const [, listed = ''] = /for key in (.*); do/.exec(typed?.command ?? '') ?? [];
  expect(listed.split(' ').toSorted()).toEqual([...keys.keys()].toSorted());
  for (const { keystore, password } of keys.values()) {
    expect(dirname(password)).not.toBe(dirname(keystore));
    expect(statSync(dirname(password)).mode & 0o077).toBe(0);
    expect(typed?.command).toContain(`> ${dirname(password)}/$key`);
    expect(typed?.command).toContain(`cast wallet new ${dirname(keystore)} $key`);
  }
});

test('a command that ends otherwise than it should ends the day, with what it has said', {
  tags: 'long',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-stage-'));
  const stage = openStage(folder, {});
  onTestFinished(() => {
    stage.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await expect(stage.run('npx bowline restore')).rejects.toThrow(
    "ended with 2, not 0:\nerror: missing required argument 'file'",
  );
  expect(stage.take()).toEqual([]);
});
