import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import express from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMcpRouter } from '../../src/api/mcp.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { OWNER, unavailable, world } from '../tools/world.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

async function start(context: ToolContext = world) {
  const call = callTool(tools, context, vi.fn());
  const log = keepLog();
  const router = createMcpRouter({ tools, call, version: '0.1.0', log });
  const url = `${await serve(express().use('/mcp', router))}/mcp`;
  return { url, call, log };
}

async function modern(url: string) {
  const client = new ModernClient({ name: 'modern', version: '1' });
  await client.connect(new ModernTransport(new URL(url)));
  onTestFinished(() => client.close());
  return client;
}

async function legacy(url: string) {
  const client = new LegacyClient({ name: 'legacy', version: '1' });
  // The 1.x package is not written for exact optional properties.
  await client.connect(new LegacyTransport(new URL(url)) as Transport);
  onTestFinished(() => client.close());
  return client;
}

const calls: readonly [string, Record<string, unknown>][] = [
  ['list_assets', {}],
  ['get_price', { asset: 'btc' }],
  ['get_history', { asset: 'BTCB', interval: '1h', count: 2 }],
  ['check_asset', { asset: 'bitcoin', side: 'sell', amount_usd: '250.50' }],
  ['check_asset', { asset: 'bitcoin', amount_usd: 500 }],
  ['quote_swap', { asset: 'BTCB', amount_usd: '1000' }],
  ['list_plans', {}],
  ['list_runs', { plan: '1' }],
  ['loan_health', { borrower: OWNER }],
  ['preview_rescue', { guard: 1 }],
];

test('both generations of clients list the same tools, with everything that they are made of', async () => {
  const { url } = await start();
  const [{ tools: one }, { tools: other }] = await Promise.all([
    modern(url).then((client) => client.listTools()),
    legacy(url).then((client) => client.listTools()),
  ]);
  expect(one.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(JSON.parse(JSON.stringify(other))).toEqual(JSON.parse(JSON.stringify(one)));
  for (const tool of one) {
    const { title, description } = tools.find(({ name }) => name === tool.name) ?? {};
    expect(tool).toMatchObject({
      title,
      description,
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
  }
  expect(one.find(({ name }) => name === 'check_asset')?.inputSchema).toMatchObject({
    properties: { asset: { type: 'string' }, side: { enum: ['buy', 'sell'] } },
    required: ['asset'],
  });
});

test('both call them with the same answers as the tools give', async () => {
  const { url, call } = await start();
  // Clients check what they get against the schemas that they have listed.
  const [one, other] = await Promise.all([modern(url), legacy(url)]);
  await Promise.all([one.listTools(), other.listTools()]);
  for (const [name, args] of calls) {
    const expected = await call(name, args);
    if (!expected.ok) throw new Error(`${name}: ${expected.message}`);
    for (const client of [one, other]) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false).toBe(false);
      expect(result.structuredContent, name).toEqual(expected.value);
      const [content] = result.content as { type: string; text: string }[];
      expect(JSON.parse(content?.text ?? '')).toEqual(expected.value);
    }
  }
});

test('a tool that fails says so in our words', async () => {
  const { url } = await start({ ...world, chain: { ...world.chain, facts: unavailable } });
  const failures: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['check_asset', { asset: 'BTCB' }, { code: 'chain_unavailable', retryable: true }],
    ['check_asset', { asset: 'DOGE' }, { code: 'unknown_asset', retryable: false }],
    ['check_asset', {}, { code: 'invalid_input', retryable: false }],
    ['quote_swap', { asset: 'BTCB', amount_usd: '-1' }, { code: 'invalid_amount', retryable: false }],
    ['list_runs', { plan: '77' }, { code: 'unknown_plan', message: 'There is no plan 77.' }],
  ];
  for (const client of [await modern(url), await legacy(url)]) {
    for (const [name, args, expected] of failures) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError, name).toBe(true);
      const [content] = result.content as { type: string; text: string }[];
      expect(JSON.parse(content?.text ?? '')).toMatchObject(expected);
    }
  }
});

test('a tool that is not there', async () => {
  const { url } = await start();
  await expect((await modern(url)).callTool({ name: 'send_money', arguments: {} })).rejects.toMatchObject({
    code: -32602,
  });
});

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });

test('what cannot be read is answered in JSON, without a trace', async () => {
  const { url } = await start();
  const bodies: [string, number, Record<string, string>][] = [
    ['{', 400, {}],
    ['x'.repeat(70_000), 413, {}],
    ['{}', 415, { 'content-type': 'text/plain' }],
    ['{}', 415, { 'content-type': 'application/json; charset=latin1' }],
    ['5', 400, {}],
    ['{}', 400, {}],
  ];
  for (const [body, status, headers] of bodies) {
    const response = await post(url, body, headers);
    const text = await response.text();
    expect(response.status, text).toBe(status);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } });
    expect(text).not.toMatch(/node_modules|\.[mc]?[jt]s\b|Unexpected token/);
  }
});

test('there are no sessions to get or to end', async () => {
  const { url } = await start();
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(url, { method, headers: { accept: 'text/event-stream' } });
    expect(response.status, method).toBe(405);
  }
});

test('a batch, which would be many calls counted as one, is refused', async () => {
  const { url } = await start();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: -32600 } });
});

test('many at once, each with its own answer', async () => {
  const { url } = await start();
  const client = await modern(url);
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      client.callTool({
        name: 'quote_swap',
        arguments: { asset: 'BTCB', amount_usd: '1', side: index % 2 ? 'buy' : 'sell' },
      }),
    ),
  );
  expect(results.map(({ structuredContent }) => (structuredContent as { side: string }).side)).toEqual(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? 'buy' : 'sell')),
  );
});
