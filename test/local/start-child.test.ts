import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { startChild } from '../../lab/world/start/child.ts';
import { answers } from './commands.ts';
import { freePort } from './free-port.ts';

const folder = mkdtempSync(join(tmpdir(), 'bowline-child-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const serve = `
  import { createServer } from 'node:http';
  const server = createServer((_, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1');`;

/** Runs a program with this source. */
async function start(source: string, onLine: (line: string) => void = () => {}, onComplaint = onLine) {
  const script = join(folder, 'child.mjs');
  writeFileSync(script, source);
  const port = await freePort();
  const ready = `http://127.0.0.1:${port}/`;
  const env = { ...process.env, PORT: String(port) };
  const plain = (line: string) => line;
  const plan = { name: 'child', command: [process.execPath, script], env, ready, onLine, onComplaint, plain } as const;
  return { ready, child: await startChild(plan) };
}

it('is ready when it answers, is heard, and is gone once it has been stopped', async () => {
  const lines: string[] = [];
  const { ready, child } = await start(
    `${serve} console.log('one'); console.log('two'); console.error('oh');`,
    (line) => lines.push(line),
  );
  expect(await answers(ready)).toBe(true);
  await child.stop();
  expect(await answers(ready)).toBe(false);
  expect(lines.toSorted()).toEqual(['oh', 'one', 'two']);
});

it('is ready when it answers, though each answer takes longer than a second', async () => {
  const { ready, child } = await start(`
    import { createServer } from 'node:http';
    createServer((_, response) => setTimeout(() => response.end('ok'), 1_500)).listen(Number(process.env.PORT), '127.0.0.1');`);
  expect(await answers(ready)).toBe(true);
  await child.stop();
});

it('is told of in its own words when it ends instead of becoming ready', async () => {
  const ends = start(`console.error('PORT must be a port'); process.exit(2);`);
  await expect(ends).rejects.toThrow('The child stopped unexpectedly (exit code 2).\n  PORT must be a port');
});

it('is told of when it ends later', async () => {
  const { ready, child } = await start(
    `${serve} server.once('request', () => setTimeout(() => process.exit(3), 100));`,
  );
  await fetch(ready).catch(() => {});
  expect(await child.ended).toBe('The child stopped unexpectedly (exit code 3).');
});

it('is ended though it will not end', async () => {
  const { ready, child } = await start(`${serve} process.on('SIGTERM', () => console.log('no'));`);
  await child.stop();
  expect(await answers(ready)).toBe(false);
});

it('says that a program is not there', async () => {
  const plan = {
    name: 'child',
    env: {},
    ready: 'http://127.0.0.1:9/',
    onLine: () => {},
    onComplaint: () => {},
    plain: String,
  };
  const starts = startChild({ ...plan, command: [join(folder, 'nothing')] });
  await expect(starts).rejects.toThrow('The child could not be started: spawn');
});

it('ends with this process', async () => {
  const { spawn } = await import('node:child_process');
  const port = await freePort();
  const ready = `http://127.0.0.1:${port}/`;
  writeFileSync(join(folder, 'grandchild.mjs'), serve);
  const parent = `
    import { startChild } from '${new URL('../../lab/world/start/child.ts', import.meta.url)}';
    const command = [process.execPath, '${join(folder, 'grandchild.mjs')}'];
    const env = { ...process.env, PORT: '${port}' };
    await startChild({ name: 'child', command, env, ready: '${ready}', onLine: () => {} });
    console.log('ready');`;
  const script = join(folder, 'parent.ts');
  writeFileSync(script, parent);
  const process_ = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(process_.stdout, 'data');
  expect(await answers(ready)).toBe(true);
  process_.kill('SIGKILL');
  await expect.poll(() => answers(ready), { timeout: 5_000 }).toBe(false);
});
