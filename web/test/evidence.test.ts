import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { AgentRefusal } from '../server/agent.ts';
import { createWebApp, type WebApp } from '../server/app.ts';

// AU-4, WB-51: what the page's server returns to an audit.

const hash = `0x${'ab'.repeat(19)}`;

async function served(get: (path: string) => Promise<unknown>): Promise<string> {
  const app = createWebApp({
    ...{ agent: { get, post: get }, page: { rpcUrl: 'http://127.0.0.1:9' }, allowedHosts: ['127.0.0.1'] },
    ...{ files: '.', trustedProxies: 0, assets: [], nowMs: () => 0, report: () => {} },
  } as unknown as WebApp);
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('hands on a document by its hash, and asks the agent for nothing else', async () => {
  const asked: string[] = [];
  const url = await served(async (path) => {
    asked.push(path);
    return { rules: 3 };
  });
  expect(await (await fetch(`${url}/api/evidence/${hash}`)).json()).toEqual({ rules: 3 });
  for (const other of ['0xab', `${hash}00`, `${hash}%2f..%2fx402`, '..%2fmetrics', hash.toUpperCase()])
    expect((await fetch(`${url}/api/evidence/${other}`)).status).toBe(404);
  expect(asked).toEqual([`/evidence/${hash}`]);
});

it('says that there is none, and allows a worker of its own alone', async () => {
  const url = await served(async () => {
    throw new AgentRefusal('not_found', 'No evidence has this hash.');
  });
  const response = await fetch(`${url}/api/evidence/${hash}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'not_found' });
  expect(response.headers.get('content-security-policy')).toContain("; worker-src 'self'; ");
});

it('hands a question on with its context', async () => {
  const asked: unknown[] = [];
  const url = await served(async (...request: unknown[]) => {
    asked.push(request);
    return { result: 'Yes.', tools: [], answered_by: 'embedded' };
  });
  const body = JSON.stringify({ prompt: 'WBNB', context_id: 'a-context-of-mine' });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${url}/api/agent`, { method: 'POST', headers, body })).status).toBe(200);
  expect(asked).toEqual([['/x402', { prompt: 'WBNB', context_id: 'a-context-of-mine' }]]);
});
