import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';

// A benchmark that nobody runs breaks unseen: its model answers what the product asked last month.

it('hands over every rescue of a crash that its model makes', { timeout: 60_000 }, async () => {
  const crowd = new URL('../../lab/bench/crowd.ts', import.meta.url).pathname;
  const args = [crowd, '--guards', '400', '--crash', '40'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([0, expect.stringMatching(/^40 loans of one crash/m)]);
});
