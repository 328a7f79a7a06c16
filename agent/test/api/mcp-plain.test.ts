import { failure } from '@bowline/core/domain/result';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, type McpServerOptions } from '@modelcontextprotocol/server';
import express from 'express';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type ChargeCall, createServeCall } from '../../src/api/mcp/call.ts';
import { createEndpoint } from '../../src/api/mcp/endpoint.ts';
import { listedOf } from '../../src/api/mcp/listed.ts';
import { callTool } from '../../src/tools/call.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { world } from '../tools/world.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

// Plain calls, which a server that stays connected serves, beside the SDK's own way of serving each request by a server of its own.

const text = z.object({ text: z.string() });
const toolNamed = (name: string, run: Tool['run']): Tool => ({
  name,
  title: name,
  description: 'A tool of this test.',
  effect: 'read',
  input: text,
  output: text,
  run,
});

/** Echoes when its text is let go, and remembers who was cancelled. */
function createGate() {
  const waiting = new Map<string, () => void>();
  const cancelled: string[] = [];
  const tool = toolNamed('wait', async (input, _context, { signal }) => {
    const { text: word } = input as z.output<typeof text>;
    signal?.addEventListener('abort', () => cancelled.push(word));
    await new Promise<void>((resolve) => waiting.set(word, resolve));
    return { text: word };
  });
  return { tool, waiting, cancelled };
}

const charge: ChargeCall = async (call, free, show) => {
  if (call.tool !== 'sold') return free();
  if (call.idempotencyKey !== undefined) return show(failure('invalid_input', `key ${call.idempotencyKey}`));
  if (call.meta['x402/payment'] === undefined) {
    return { content: [{ type: 'text', text: 'pay' }], structuredContent: { due: 1 }, isError: true };
  }
  return { ...(await free()), _meta: { 'x402/payment-response': { paid: true } } };
};

async function start(waits: Tool = createGate().tool) {
  const echo: Tool['run'] = async (input, _context, { progress }) => {
    progress?.(1, 2, 'echoing');
    return input as z.output<typeof text>;
  };
  const tools = [
    toolNamed('echo', echo),
    toolNamed('sold', echo),
    toolNamed('fail', async () => {
      throw new Error('never shown');
    }),
    waits,
  ];
  const serveCall = createServeCall(tools, callTool(tools, world, vi.fn()), charge);
  const listed = tools.map(listedOf);
  const make = (options?: McpServerOptions) => {
    const server = new McpServer({ name: 'test', version: '1' }, { ...options });
    for (const { name, ...shown } of listed) {
      server.registerTool(name, shown, (input, context) => serveCall(name, input, context));
    }
    return server;
  };
  const theirs = toNodeHandler(createMcpHandler(() => make()));
  const names = listed.map(({ name }) => name);
  const app = express();
  app.use('/ours', createEndpoint(make, names, keepLog()).serve);
  app.use('/slow', createEndpoint(make, [], keepLog()).serve);
  app.use('/theirs', express.json({ strict: false }), (request, response) => theirs(request, response, request.body));
  const url = await serve(app);
  // Servers are connected a moment after they are made.
  await new Promise((resolve) => setImmediate(resolve));
  return { url };
}

const both = 'application/json, text/event-stream';
const json = { 'content-type': 'application/json', accept: both };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};
const echoed = { name: 'echo', arguments: { text: 'x' } };

interface Sent {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

function modern(
  params: Record<string, unknown> = echoed,
  headers: Record<string, string> = {},
  rest: object = {},
): Sent {
  const named = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': String(params.name),
  };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: meta, ...params }, ...rest };
  return { body, headers: { ...json, ...named, ...headers } };
}

function legacy(params: unknown = echoed, headers: Record<string, string> = {}, rest: object = {}): Sent {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params, ...rest };
  return { body, headers: { ...json, 'mcp-protocol-version': '2025-11-25', ...headers } };
}

const ask = (url: string, { body, headers }: Sent, signal?: AbortSignal) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });

/** All but what says when, and in how many pieces. */
async function seen(response: Response) {
  const framing = ['date', 'content-length', 'transfer-encoding', 'keep-alive', 'x-powered-by'];
  const headers = [...response.headers].filter(([name]) => !framing.includes(name));
  return { status: response.status, headers, body: await response.text() };
}

const plain: Readonly<Record<string, Sent>> = {
  good: modern(),
  'good, by name': modern(echoed, {}, { id: 'by name' }),
  'good, by an empty name': modern(echoed, {}, { id: '' }),
  'without arguments': modern({ name: 'echo' }),
  'wrong arguments': modern({ name: 'echo', arguments: { text: 5 } }),
  'arguments that are no object': modern({ name: 'echo', arguments: 'x' }),
  'arguments that are null': modern({ name: 'echo', arguments: null }),
  'a member of prototypes': modern({ name: 'echo', arguments: JSON.parse('{"text":"x","__proto__":{"a":1}}') }),
  'a tool that fails': modern({ name: 'fail', arguments: { text: 'x' } }),
  unpaid: modern({ name: 'sold', arguments: { text: 'x' } }),
  'unpaid, with a key': modern({ name: 'sold', arguments: { text: 'x' } }, { 'idempotency-key': 'k' }),
  'without the client’s name': modern({
    ...echoed,
    _meta: { ...meta, 'io.modelcontextprotocol/clientInfo': undefined },
  }),
  'any accept': modern(echoed, { accept: '*/*' }),
  'of 2025': legacy(),
  'of 2025, by name': legacy(echoed, {}, { id: 'by name' }),
  'of 2025, without a version': legacy(echoed, { 'mcp-protocol-version': '2025-03-26' }),
  'of 2025, wrong arguments': legacy({ name: 'echo', arguments: { text: 5 } }),
  'of 2025, arguments that are null': legacy({ name: 'echo', arguments: null }),
  'of 2025, unpaid': legacy({ name: 'sold', arguments: { text: 'x' } }),
  'of 2025, a tool that fails': legacy({ name: 'fail', arguments: { text: 'x' } }),
};

const others: Readonly<Record<string, Sent>> = {
  'capabilities that are none': modern({
    ...echoed,
    _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': 5 },
  }),
  'no capabilities': modern({ ...echoed, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
  'a client without a version': modern({
    ...echoed,
    _meta: { ...meta, 'io.modelcontextprotocol/clientInfo': { name: 'x' } },
  }),
  'an unknown tool': modern({ name: 'steal', arguments: {} }),
  'a tool of every object': modern({ name: 'toString', arguments: {} }),
  'an unknown method': modern(echoed, { 'mcp-method': 'tools/steal' }, { method: 'tools/steal' }),
  'another version in the header': modern(echoed, { 'mcp-protocol-version': '2025-11-25' }),
  'an unknown version': modern(echoed, { 'mcp-protocol-version': '2027-01-01' }),
  'another method in the header': modern(echoed, { 'mcp-method': 'tools/list' }),
  'another name in the header': modern(echoed, { 'mcp-name': 'sold' }),
  'a name in base64': modern(echoed, { 'mcp-name': '=?base64?ZWNobw==?=' }),
  'a progress token': modern({ ...echoed, _meta: { ...meta, progressToken: 1 } }),
  paid: modern({ name: 'sold', arguments: { text: 'x' }, _meta: { ...meta, 'x402/payment': { by: 'me' } } }),
  'a level of logs': modern({ ...echoed, _meta: { ...meta, 'io.modelcontextprotocol/logLevel': 'debug' } }),
  'an answer to a question': modern({ ...echoed, inputResponses: {} }),
  'no ID': modern(echoed, {}, { id: undefined }),
  'null for an ID': modern(echoed, {}, { id: null }),
  'a fraction for an ID': modern(echoed, {}, { id: 1.5 }),
  'an object for an ID': modern(echoed, {}, { id: {} }),
  'no name': modern({ name: undefined }, { 'mcp-name': 'echo' }),
  'another JSON-RPC': modern(echoed, {}, { jsonrpc: '1.0' }),
  'a result beside the request': modern(echoed, {}, { result: {} }),
  'another media type': modern(echoed, { 'content-type': 'text/plain' }),
  'of 2025, a progress token': legacy({ ...echoed, _meta: { progressToken: 'p' } }),
  'of 2025, paid': legacy({ name: 'sold', arguments: { text: 'x' }, _meta: { 'x402/payment': { by: 'me' } } }),
  'of 2025, an unknown tool': legacy({ name: 'steal', arguments: {} }),
  'of 2025, an unknown method': legacy({}, {}, { method: 'tools/steal' }),
  'of 2025, an unknown version': legacy(echoed, { 'mcp-protocol-version': '2020-01-01' }),
  'of 2025, a version of 2026': legacy(echoed, { 'mcp-protocol-version': '2026-07-28' }),
  'of 2025, JSON alone': legacy(echoed, { accept: 'application/json' }),
  'of 2025, no ID': legacy(echoed, {}, { id: undefined }),
  'of 2025, null for parameters': legacy(null),
  'of 2025, a notification': legacy({ requestId: 1 }, {}, { method: 'notifications/cancelled', id: undefined }),
  'of 2025, a response': { body: { jsonrpc: '2.0', id: 1, result: {} }, headers: json },
};

test('AG-222: a plain call is answered to the byte as by the SDK’s own way, and connects no server', async () => {
  const { url } = await start();
  for (const [what, sent] of Object.entries(plain)) {
    const expected = await seen(await ask(`${url}/theirs`, sent));
    const connected = vi.spyOn(McpServer.prototype, 'connect');
    expect(await seen(await ask(`${url}/ours`, sent)), what).toEqual(expected);
    expect(connected, what).not.toHaveBeenCalled();
    connected.mockRestore();
  }
});

test('AG-222: so is every other request, by the SDK’s own way', async () => {
  const { url } = await start();
  for (const [what, sent] of Object.entries(others)) {
    const expected = await seen(await ask(`${url}/theirs`, sent));
    expect(await seen(await ask(`${url}/ours`, sent)), what).toEqual(expected);
  }
  // The SDK takes batches of 2025; here they are refused either way.
  const batch = { ...legacy(), body: [legacy().body] };
  expect(await seen(await ask(`${url}/ours`, batch))).toEqual(await seen(await ask(`${url}/slow`, batch)));
});

test('AG-223: whoever calls with the ID of another gets the own answer, in whatever order they end', async () => {
  const gate = createGate();
  const { url } = await start(gate.tool);
  const words = Array.from({ length: 40 }, (_, index) => `word ${index}`);
  const asked = words.map(async (word, index) => {
    const params = { name: 'wait', arguments: { text: word } };
    const rest = { id: index % 4 < 2 ? 1 : '1' };
    const response = await ask(`${url}/ours`, (index % 2 ? modern : legacy)(params, {}, rest));
    const body = await response.text();
    return JSON.parse(index % 2 ? body : body.replace(/^event: message\ndata: /, ''));
  });
  await expect.poll(() => gate.waiting.size).toBe(words.length);
  for (const word of words.toReversed()) gate.waiting.get(word)?.();
  for (const [index, answer] of (await Promise.all(asked)).entries()) {
    expect(answer).toMatchObject({
      id: index % 4 < 2 ? 1 : '1',
      result: { structuredContent: { text: words[index] } },
    });
  }
});

test('AG-223: who hangs up cancels the own call alone, and nobody can cancel or answer that of another', async () => {
  const gate = createGate();
  const { url } = await start(gate.tool);
  const stay = (word: string, sent = modern, signal?: AbortSignal) =>
    ask(`${url}/ours`, sent({ name: 'wait', arguments: { text: word } }), signal);
  const gone = new AbortController();
  const one = stay('one');
  await expect.poll(() => gate.waiting.size).toBe(1);
  const left = [modern, legacy].map((sent) => stay(sent.name, sent, gone.signal).catch(() => 'left'));
  await expect.poll(() => gate.waiting.size).toBe(3);
  const other = stay('other');
  await expect.poll(() => gate.waiting.size).toBe(4);
  // IDs of the server's own requests are small integers.
  for (let id = 0; id < 10; id++) {
    const cancels = (rest: object) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'mine now', ...rest },
    });
    const named = { ...modern().headers, 'mcp-method': 'notifications/cancelled' };
    for (const sent of [
      { body: cancels({ _meta: meta }), headers: named },
      { body: cancels({}), headers: json },
    ]) {
      expect((await ask(`${url}/ours`, sent)).status).toBe(202);
    }
    const answered = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'stolen' }] } };
    await ask(`${url}/ours`, { body: answered, headers: json });
  }
  expect(gate.cancelled).toEqual([]);
  gone.abort();
  await expect.poll(() => gate.cancelled.toSorted()).toEqual(['legacy', 'modern']);
  expect(await Promise.all(left)).toEqual(['left', 'left']);
  for (const word of ['modern', 'legacy', 'other', 'one']) gate.waiting.get(word)?.();
  for (const [word, asked] of Object.entries({ one, other })) {
    expect(await (await asked).json()).toMatchObject({ id: 1, result: { structuredContent: { text: word } } });
  }
});
