import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Call, Sender } from '@bowline/core/domain/sending';
import { afterAll, expect, test } from 'vitest';
import { createStopFile, unlessStopped } from '../../src/process/stop-file.ts';
import { heldBy } from '../../src/sending/signing-policy.ts';
import { keepLog } from '../loops/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'bowline-stop-'));
afterAll(() => rmSync(folder, { recursive: true }));

// AG-71
test('the file is looked up at each call, and each change is logged once', () => {
  const log = keepLog();
  const path = join(folder, 'stop');
  const isStopped = createStopFile(pathToFileURL(path), log);
  expect([isStopped(), isStopped()]).toEqual([false, false]);
  writeFileSync(path, '');
  expect([isStopped(), isStopped()]).toEqual([true, true]);
  rmSync(path);
  expect([isStopped(), isStopped()]).toEqual([false, false]);
  expect(log.lines).toEqual([
    { event: 'stop_file.found', path, remedy: 'Remove it to resume.' },
    { event: 'stop_file.gone', path },
  ]);
});

test('a path that cannot be looked up counts as a stop file; a folder that is missing does not', () => {
  const at = (name: string) => createStopFile(pathToFileURL(join(folder, name)), keepLog());
  expect(at('x'.repeat(300))()).toBe(true);
  expect(at('no/such/folder')()).toBe(false);
});

test('a held sender refuses by the stop file and hands nothing on; then it sends again', async () => {
  const sent: string[] = [];
  const sender: Sender = {
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    send: async ({ label }) => {
      sent.push(label);
      return { outcome: 'not_sent' };
    },
  };
  let isStopped = true;
  const held = heldBy(sender, () => isStopped);
  const call = (label: string): Call => ({ to: sender.address, data: '0x', value: 0n, gas: 1n, label });
  expect(await held.send(call('first'))).toEqual({ outcome: 'not_allowed', rule: 'stop_file' });
  isStopped = false;
  expect(await held.send(call('second'))).toEqual({ outcome: 'not_sent' });
  expect(sent).toEqual(['second']);
  expect(held.address).toBe(sender.address);
});

// AG-71
test('a stop holds the rounds of executor and jobs, and the loan guard goes on reading', async () => {
  let isThere = true;
  const isStopped = () => isThere;
  const round = (loop: string) =>
    unlessStopped(isStopped, loop, async (cause: string) => ({ counts: { [cause]: 1 } }))('timer');
  const held = { counts: { stopped: 1 }, nextInSeconds: 15 };
  expect(await Promise.all(['executor', 'jobs', 'loan-guard'].map(round))).toEqual([
    held,
    held,
    { counts: { timer: 1 } },
  ]);
  isThere = false;
  expect(await round('executor')).toEqual({ counts: { timer: 1 } });
});
