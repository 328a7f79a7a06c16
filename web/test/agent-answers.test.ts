import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { connectAgent } from '../server/agent.ts';
import { pageFiles } from '../server/files.ts';
import { createQuotes } from '../server/quote.ts';

// The page's server with a compromised agent, with a clock that was set back, and with a folder of any name.

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('an answer of the agent that does not end is left, and counts as none', async () => {
  let sent = 0;
  const url = await serve((_request, response) => {
    const part = ' '.repeat(100_000);
    const more = (): void => {
      if (sent >= 40_000_000) return void response.end('{}');
      sent += part.length;
      if (response.write(part)) setImmediate(more);
      else response.once('drain', more);
    };
    response.setHeader('content-type', 'application/json');
    more();
  });
  await expect(connectAgent(url).get('/verdict', {})).rejects.toMatchObject({ code: 'agent_unavailable' });
  await expect(connectAgent(url).ready()).rejects.toMatchObject({ code: 'agent_unavailable' });
  expect(sent).toBeLessThan(20_000_000);
});

it('an answer of a usual size is read, in any script', async () => {
  const answer = { text: '裁定'.repeat(100_000) };
  const url = await serve((_request, response) => void response.end(JSON.stringify(answer)));
  expect(await connectAgent(url).get('/verdict', {})).toEqual(answer);
});

it('a clock of the server that was set back keeps no old prices', async () => {
  let asked = 0;
  let now = 10_000_000;
  const agent = {
    ...{ get: async () => ({}), post: async () => ({}), statement: async () => ({}) },
    ready: async () => {
      asked += 1;
    },
  };
  const quotes = createQuotes(agent, [], undefined, () => now);
  await quotes();
  await quotes();
  expect(asked).toBe(1);
  now -= 3_600_000;
  const { time, sent_at } = await quotes();
  expect(asked).toBe(2);
  expect(Date.parse(time)).toBe(now);
  expect(Date.parse(sent_at)).toBe(now);
});

it('the page itself is asked for each time, wherever the checkout lies', async () => {
  const root = mkdtempSync(join(tmpdir(), 'web-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'assets', 'dist');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'index-abc.js'), '');
  const url = await serve(express().use(...pageFiles(`${folder}/`)));
  const kept = async (path: string) =>
    (await fetch(url + path, { headers: { accept: 'text/html' } })).headers.get('cache-control');
  expect(await kept('/')).toBe('no-cache');
  expect(await kept('/plans/3')).toBe('no-cache');
  expect(await kept('/assets/index-abc.js')).toContain('immutable');
});
