import { request } from 'node:http';
import { failure } from '@bowline/core/domain/result';
import { WAD } from '@bowline/core/domain/units';
import { fairProposal } from '@bowline/core/test/verdict/proposals';
import { checkCount } from '@bowline/core/texts/checks';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { McpServer } from '@modelcontextprotocol/server';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import express from 'express';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { z } from 'zod';
import { createMcpPayments } from '../../src/api/mcp/payment.ts';
import { createMcpRouter, type McpParts } from '../../src/api/mcp.ts';
import { sentences } from '../../src/ask/reply/sentences.ts';
import { createTicketSigner } from '../../src/process/ticket-signer.ts';
import { callTool } from '../../src/tools/call.ts';
import { tools } from '../../src/tools/index.ts';
import { readPriced } from '../../src/tools/priced.ts';
import type { Tool, ToolContext } from '../../src/tools/tool.ts';
import { openShop, payload } from '../selling/payments/shop.ts';
import { OWNER, unavailable, world } from '../tools/world.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

async function start(context: ToolContext = world, parts: Partial<McpParts> = {}) {
  const call = callTool(tools, context, vi.fn());
  const log = keepLog();
  const router = createMcpRouter({
    tools,
    call,
    version: '0.1.0',
    log,
    evidence: async () => undefined,
    symbols: ['BTCB', 'USDT'],
    ...parts,
  });
  const url = `${await serve(express().use('/mcp', router))}/mcp`;
  return { url, call, log };
}

/** Without this, the client also speaks the 2025 revisions. */
const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;

async function modern(url: string) {
  const client = new ModernClient({ name: 'modern', version: '1' }, { versionNegotiation });
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
      annotations: { readOnlyHint: true },
    });
  }
  expect(one.find(({ name }) => name === 'check_asset')?.inputSchema).toMatchObject({
    properties: { asset: { type: 'string' }, side: { enum: ['buy', 'sell'] } },
    required: ['asset'],
  });
});

test('both call them with the same answers as the tools give', async () => {
  const { url, call } = await start();
  // Clients validate results against the schemas that they have listed.
  const [one, other] = await Promise.all([modern(url), legacy(url)]);
  await Promise.all([one.listTools(), other.listTools()]);
  for (const [name, args] of calls) {
    const expected = await call(name, args);
    if (!expected.ok) throw new Error(`${name}: ${expected.message}`);
    for (const client of [one, other]) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false).toBe(false);
      const brief = tools.find((tool) => tool.name === name)?.brief;
      expect(result.structuredContent, name).toEqual(brief?.of(expected.value as never) ?? expected.value);
      const [content] = result.content as { type: string; text: string }[];
      expect(content?.text, name).toBe(sentences.get(name)?.(expected.value, { tool: name, input: args }));
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

test('the listed schemas are made once, however many ask', async () => {
  const made = vi.spyOn(McpServer.prototype, 'registerTool');
  onTestFinished(() => made.mockRestore());
  const { url } = await start();
  const [one, other] = await Promise.all([modern(url), legacy(url)]);
  const ask = async () => {
    for (const client of [one, other]) {
      await client.listTools();
      await client.callTool({ name: 'list_assets', arguments: {} });
    }
  };
  await ask();
  await ask();
  const schemas = made.mock.calls.filter(([name]) => name === 'list_assets').map(([, { inputSchema }]) => inputSchema);
  expect(schemas.length).toBeGreaterThan(1);
  expect(new Set(schemas).size).toBe(1);
});

test('what charges for a call sees its _meta, may answer for it, and adds to its result', async () => {
  const charge: McpParts['charge'] = async (call, free, show) => {
    if (call.tool === 'get_price') return show(failure('unknown_asset', `key ${call.idempotencyKey}`));
    const payment = call.meta['x402/payment'];
    if (payment === undefined)
      return { content: [{ type: 'text', text: 'pay' }], isError: true, structuredContent: { due: 1 } };
    return { ...(await free()), _meta: { 'x402/payment-response': payment } };
  };
  const { url } = await start(world, { charge });
  for (const client of [await modern(url), await legacy(url)]) {
    const unpaid = await client.callTool({ name: 'list_assets', arguments: {} });
    expect(unpaid).toMatchObject({ isError: true, structuredContent: { due: 1 } });
    const paid = await client.callTool({ name: 'list_assets', arguments: {}, _meta: { 'x402/payment': { by: 'me' } } });
    expect(paid).toMatchObject({ _meta: { 'x402/payment-response': { by: 'me' } } });
    expect(paid.structuredContent).toHaveProperty('assets');
    expect(JSON.stringify(await client.callTool({ name: 'get_price', arguments: {} }))).toContain('unknown_asset');
  }
});

test('whoever takes any form of an answer gets it, in both generations', async () => {
  const { url } = await start();
  const body = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
  const old = await post(url, body({}), { accept: '*/*', 'mcp-protocol-version': '2025-11-25' });
  expect([old.status, await old.text()]).toEqual([200, expect.stringContaining('check_asset')]);
  const headers = { accept: '*/*', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const now = await post(url, body({ _meta: modernMeta }), headers);
  expect([now.status, await now.text()]).toEqual([200, expect.stringContaining('check_asset')]);
  // fetch always sends an Accept header.
  const silent = await new Promise((resolve, reject) => {
    const named = { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' };
    request(url, { method: 'POST', headers: named }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(body({}));
  });
  expect(silent).toBe(200);
});

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const fieldsOf = (tool?: Tool) => (tool === undefined ? [] : Object.keys((outputOf(tool) as z.ZodObject).shape));
const outputOf = ({ brief, output }: Tool) => brief?.output ?? output;

test('a list of tools is 16 kB at most, a verdict 6 kB, and nothing is there twice', async () => {
  const account = privateKeyToAccount('0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba');
  const signed = {
    ...world,
    tickets: createTicketSigner(account, 31_337, '0x4444444444444444444444444444444444444444'),
  };
  const facts = async () => ({ ...fairProposal().chain, spotWad: 105_000n * WAD });
  for (const context of [signed, { ...signed, chain: { ...world.chain, facts } }]) {
    const { url } = await start(context);
    for (const client of [await modern(url), await legacy(url)]) {
      const listed = await client.listTools();
      expect(JSON.stringify(listed).length).toBeLessThan(16 * 1024);
      for (const { name, outputSchema } of listed.tools) {
        expect(JSON.stringify(outputSchema), name).toMatch(/"description":/);
        for (const field of fieldsOf(tools.find((tool) => tool.name === name))) {
          expect(JSON.stringify(outputSchema), name).toContain(`"${field}"`);
        }
      }
      const result = await client.callTool({ name: 'check_asset', arguments: { asset: 'BTCB' } });
      expect(JSON.stringify(result).length).toBeLessThan(6_000);
      const { ticket, passed, not_passed } = result.structuredContent as unknown as {
        ticket: { evidence_hash: string };
        passed: string[];
        not_passed: { check: string }[];
      };
      const uri = `bowline://evidence/${ticket.evidence_hash}`;
      expect(result.structuredContent).toMatchObject({ evidence_uri: uri });
      expect(result.content).toMatchObject([{ type: 'text' }, { type: 'resource_link', uri, name: 'evidence' }]);
      expect([...passed, ...not_passed]).toHaveLength(checkCount);
    }
  }
});

test('what a listed schema takes is what the tool takes', async () => {
  const { url } = await start();
  const { tools: listed } = await (await modern(url)).listTools();
  const ajv = new Ajv({ strict: false });
  for (const [name, args] of calls) {
    const result = await (await modern(url)).callTool({ name, arguments: args });
    const { inputSchema, outputSchema } = listed.find((each) => each.name === name) ?? {};
    expect(ajv.validate(inputSchema as object, asListed(inputSchema as never, args)), name).toBe(true);
    expect(ajv.validate(outputSchema as object, result.structuredContent), ajv.errorsText()).toBe(true);
  }
});

/** Converts numbers to text where the schema lists text; the tools take either. */
const asListed = ({ properties }: { properties: Record<string, Json> }, args: Json) =>
  Object.fromEntries(Object.entries(args).map(([k, v]) => [k, properties[k]?.type === 'string' ? String(v) : v]));

test('each listed input has one type, as some clients refuse others', async () => {
  const { url } = await start();
  const { tools: listed } = await (await modern(url)).listTools();
  for (const { name, inputSchema } of listed) {
    for (const [field, { type, anyOf }] of Object.entries((inputSchema.properties ?? {}) as Record<string, Json>)) {
      expect([type, anyOf], `${name}.${field}`).toEqual([
        expect.stringMatching(/^(string|integer|boolean)$/),
        undefined,
      ]);
    }
  }
});

type Json = Record<string, unknown>;

async function asking(url: string, content: Json, action: 'accept' | 'decline' = 'accept') {
  const client = new ModernClient(
    { name: 'asks', version: '1' },
    { versionNegotiation, capabilities: { elicitation: { form: {} } } },
  );
  const asked: Json[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params as Json);
    return action === 'accept' ? { action, content: content as never } : { action };
  });
  await client.connect(new ModernTransport(new URL(url)));
  onTestFinished(() => client.close());
  return { client, asked };
}

test('what a call lacks is asked of a client that can ask, once', async () => {
  const { url } = await start();
  const { client, asked } = await asking(url, { side: 'sell', amount_usd: '5', owner: OWNER, asset: 'USDT' });
  await client.callTool({ name: 'draft_swap', arguments: { asset: 'BTCB' } });
  expect(asked).toMatchObject([
    { requestedSchema: { properties: { side: { enum: ['buy', 'sell'] }, owner: { type: 'string' } } } },
  ]);
  // Extra answers, and answers that contradict the call, change nothing.
  const { client: sized, asked: size } = await asking(url, { amount_usd: '250', asset: 'USDT' });
  const quoted = await sized.callTool({ name: 'quote_swap', arguments: { asset: 'BTCB' } });
  expect(quoted).toMatchObject({ structuredContent: { asset: 'BTCB', side: 'buy' } });
  expect(size).toMatchObject([{ requestedSchema: { required: ['amount_usd'] } }]);
});

test('nothing is asked of others, of a call that is wrong as well, or twice', async () => {
  const { url } = await start();
  const wrong = { name: 'draft_swap', arguments: { asset: 'BTCB', side: 'give' } };
  const missing = { name: 'loan_health', arguments: {} };
  const { client, asked } = await asking(url, { borrower: 'nobody' });
  expect((await client.callTool(wrong)).isError).toBe(true);
  expect(asked).toEqual([]);
  expect(JSON.stringify(await client.callTool(missing))).toContain('invalid_address');
  const { client: declining } = await asking(url, {}, 'decline');
  expect(JSON.stringify(await declining.callTool(missing))).toContain('borrower is required');
  for (const other of [await modern(url), await legacy(url)]) {
    expect(JSON.stringify(await other.callTool(missing))).toContain('borrower is required');
  }
});

test('plans, runs, guards, assets and evidence are resources', async () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const { url, call } = await start(world, { evidence: async (asked) => (asked === hash ? '{"facts":1}' : undefined) });
  for (const client of [await modern(url), await legacy(url)]) {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['bowline://assets', 'bowline://plans']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'bowline://plans/{id}/runs',
      'bowline://plans/{id}',
      'bowline://guards/{id}',
      'bowline://evidence/{hash}',
    ]);
    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      const [first] = contents as { uri: string; mimeType: string; text: string }[];
      expect(first).toMatchObject({ uri, mimeType: 'application/json' });
      return JSON.parse(first?.text ?? '');
    };
    const answer = async (tool: string, input: object) => {
      const result = await call(tool, input);
      return result.ok ? result.value : undefined;
    };
    expect(await read('bowline://assets')).toEqual(await answer('list_assets', {}));
    expect(await read('bowline://plans')).toEqual(await answer('list_plans', {}));
    expect(await read('bowline://plans/1/runs')).toEqual(await answer('list_runs', { plan: 1 }));
    expect(await read('bowline://plans/1')).toEqual(await answer('plan_outlook', { plan: 1 }));
    expect(await read('bowline://guards/1')).toEqual(await answer('preview_rescue', { guard: 1 }));
    expect(await read(`bowline://evidence/${hash}`)).toEqual({ facts: 1 });
    for (const uri of [
      'bowline://plans/77',
      'bowline://plans/x',
      'bowline://evidence/0x12',
      'bowline://keys/1',
      'file:///etc',
    ]) {
      await expect(client.readResource({ uri }), uri).rejects.toMatchObject({ code: expect.any(Number) });
    }
  }
});

test('prompts ask what tools answer, and complete assets', async () => {
  const { url } = await start();
  for (const client of [await modern(url), await legacy(url)]) {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['fair_price', 'explain_plan', 'loan_safety']);
    const { messages } = await client.getPrompt({ name: 'fair_price', arguments: { asset: 'BTCB', side: 'sell' } });
    expect(JSON.stringify(messages)).toContain('Is BTCB fairly priced to sell for 1000 US dollars? Call check_asset');
    const ref = { type: 'ref/prompt' as const, name: 'fair_price' };
    const { completion } = await client.complete({ ref, argument: { name: 'asset', value: 'bt' } });
    expect(completion.values).toEqual(['BTCB']);
    await expect(client.getPrompt({ name: 'explain_plan', arguments: { plan: 'all' } })).rejects.toMatchObject({
      code: -32602,
    });
  }
});

test('a call tells how far it is, to who asked for it', async () => {
  const { url } = await start();
  const told: string[] = [];
  const one = await modern(url);
  await one.callTool(
    { name: 'check_asset', arguments: { asset: 'BTCB' } },
    { onprogress: ({ progress, total, message }) => void told.push(`${progress}/${total} ${message}`) },
  );
  const other = await legacy(url);
  await other.callTool({ name: 'check_asset', arguments: { asset: 'BTCB' } }, undefined, {
    onprogress: ({ progress, total, message }) => void told.push(`${progress}/${total} ${message}`),
  });
  expect(told).toEqual(Array(2).fill(['0/2 Reading prices and pools', '2/2 Judged']).flat());
});

/** A server whose tools are paid for. */
async function startPaid(context: ToolContext = world) {
  const call = callTool(tools, context, vi.fn());
  const shop = await openShop({
    work: async (ask, asking) => ('tool' in ask ? call(ask.tool, ask.input, asking) : expect.fail()),
  });
  const { payments, limit } = shop;
  const read = (tool: string, input: unknown) => readPriced(tool, input, context.assets);
  const { url } = await start(context, { charge: createMcpPayments(payments, read, limit) });
  return { ...shop, url };
}

const paidCall = (nonce: string) => ({
  name: 'check_asset',
  arguments: { asset: 'BTCB' },
  _meta: { 'x402/payment': payload('1', nonce) },
});

test('PY-24: a paid call tells how far it is, and nothing of the answer before it is paid', async () => {
  const { url, rail } = await startPaid();
  const told: string[] = [];
  const settled: number[] = [];
  const settle = rail.settle.getMockImplementation();
  rail.settle.mockImplementation(async (...given) => {
    settled.push(told.length);
    return settle?.(...given) ?? expect.fail();
  });
  const onprogress = ({ progress, total, message }: Partial<Record<'progress' | 'total' | 'message', unknown>>) =>
    void told.push(`${progress}/${total} ${message}`);
  const one = await (await modern(url)).callTool(paidCall('1'), { onprogress });
  const other = await (await legacy(url)).callTool(paidCall('2'), undefined, { onprogress });
  for (const result of [one, other]) {
    expect(result.structuredContent).toMatchObject({ verdict: 'GO' });
    expect(result._meta?.['x402/payment-response']).toMatchObject({ success: true });
  }
  expect(told).toEqual(Array(2).fill(['0/2 Reading prices and pools', '2/2 Judged']).flat());
  expect(settled).toEqual([2, 4]);
});

test('PY-24: a paid call of a client that hangs up is not charged; the same payment with another input is a conflict', async () => {
  const reading = Promise.withResolvers<void>();
  const facts = async () => {
    await reading.promise;
    return fairProposal().chain;
  };
  const { url, rail, work } = await startPaid({ ...world, chain: { ...world.chain, facts } });
  const client = await modern(url);
  const leaving = new AbortController();
  const left = client.callTool(paidCall('1'), { signal: leaving.signal }).catch(() => 'left');
  await vi.waitFor(() => expect(work).toHaveBeenCalled());
  leaving.abort();
  expect(await left).toBe('left');
  reading.resolve();
  const changed = { ...paidCall('1'), arguments: { asset: 'BTCB', side: 'sell' } };
  await vi.waitFor(async () => {
    const { content } = await client.callTool(changed);
    expect(content).toMatchObject([{ text: expect.stringContaining('payment_used_for_another_prompt') }]);
  });
  expect(rail.settle).not.toHaveBeenCalled();
  expect((await client.callTool(paidCall('1'))).structuredContent).toMatchObject({ verdict: 'GO' });
  expect([work.mock.calls.length, rail.settle.mock.calls.length]).toEqual([1, 1]);
});

test('what is missing is asked before the payment, which is for the whole input', async () => {
  const { url, rail } = await startPaid();
  const { client, asked } = await asking(url, { asset: 'BTCB' });
  const call = (payment: string, input: Json) => ({ ...paidCall(payment), arguments: input });
  const first = await client.callTool(call('1', {}));
  expect([asked.length, rail.settle.mock.calls.length]).toEqual([1, 1]);
  expect(first).toMatchObject({ structuredContent: { asset: 'BTCB', verdict: 'GO' } });
  // Reuses the payment with a different answer to the question that was asked back.
  const { client: other } = await asking(url, { asset: 'USDT' });
  const again = JSON.stringify(await other.callTool(call('1', {})));
  expect(again).toContain('payment_used_for_another_prompt');
  expect(rail.settle).toHaveBeenCalledTimes(1);
});

test('a cancelled call ends before its next step, and tells the next client nothing', async () => {
  const reading = Promise.withResolvers<void>();
  const [begun, drafted] = [Promise.withResolvers<void>(), vi.fn()];
  const facts = async () => {
    begun.resolve();
    await reading.promise;
    return fairProposal().chain;
  };
  const context = { ...world, chain: { ...world.chain, facts }, drafter: { draft: drafted } };
  const { url } = await start(context);
  const leaving = new AbortController();
  const body = (id: number, name: string, args: object) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          progressToken: 'mine',
        },
      },
    });
  const headers = (name: string) => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
  });
  const draft = { asset: 'BTCB', side: 'buy', amount_usd: '5', owner: OWNER };
  const left = fetch(url, {
    method: 'POST',
    headers: headers('draft_swap'),
    body: body(1, 'draft_swap', draft),
    signal: leaving.signal,
  }).then((response) => response.text());
  await begun.promise;
  leaving.abort();
  await expect(left).rejects.toThrow();
  // The next client's request has the same id and token, and may get the same server.
  const next = fetch(url, {
    method: 'POST',
    headers: headers('check_asset'),
    body: body(1, 'check_asset', { asset: 'BTCB' }),
  });
  // Gives the server time to notice that the first client is gone.
  await new Promise((resolve) => setTimeout(resolve, 300));
  reading.resolve();
  const said = await (await next).text();
  expect(said).toContain('Judged');
  expect(said).not.toContain('Simulating');
  expect(drafted).not.toHaveBeenCalled();
});
