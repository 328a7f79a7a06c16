import type { Desk } from '@bowline/core/domain/desk';
import { evidenceOf } from '@bowline/core/domain/evidence';
import type { Deliverable } from '@bowline/core/domain/jobs';
import { readinessOf } from '@bowline/core/domain/readiness';
import { WAD } from '@bowline/core/domain/units';
import { fairProposal } from '@bowline/core/test/verdict/proposals';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test, vi } from 'vitest';
import { createA2a } from '../../src/api/a2a.ts';
import { createApi } from '../../src/api/http/api.ts';
import { createDiscovery } from '../../src/api/http/discovery.ts';
import { createDeliverables, createEvidence } from '../../src/api/http/documents.ts';
import { openApiOf } from '../../src/api/http/openapi.ts';
import { createOperations } from '../../src/api/http/operations.ts';
import { createIdentity } from '../../src/api/http/registration.ts';
import { createWebhooks } from '../../src/api/http/webhooks.ts';
import { createApp } from '../../src/api/http.ts';
import { createMcpRouter } from '../../src/api/mcp.ts';
import { createAnswer } from '../../src/ask/answer.ts';
import { cardKeyOf } from '../../src/process/card-key.ts';
import { createTicketSigner } from '../../src/process/ticket-signer.ts';
import { deliverableOf } from '../../src/selling/jobs/deliver.ts';
import { createDeskQuote } from '../../src/selling/jobs/desk-quote.ts';
import { callTool } from '../../src/tools/call.ts';
import { judgeAsset } from '../../src/tools/check-asset.ts';
import { tools } from '../../src/tools/index.ts';
import type { ToolContext } from '../../src/tools/tool.ts';
import { address, job, offer, terms } from '../selling/jobs/jobs.ts';
import { OWNER, withoutQuote, world } from '../tools/world.ts';
import { deployment, serves } from './deployment.ts';
import { limitsOf } from './limits.ts';
import { keepLog } from './log.ts';
import { serve } from './serve.ts';

// What /openapi.json says is what the agent does.

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

/** Stands in for a verdict signer's key; publicly known. */
const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const signing: ToolContext = {
  ...world,
  tickets: createTicketSigner(privateKeyToAccount(key), 31_337, address('e')),
};

const { key: cardKey } = cardKeyOf(Buffer.from(key.slice(2), 'hex'));
const registered = async () => ({ agentId: '7', agentRegistry: `eip155:31337:${address('e')}` });

/** One more than a page of /served. */
const leftOut = Array.from({ length: 1_001 }, (_, at) => {
  return { kind: 'guard', id: String(at + 1), reason: 'not_served_trigger' } as const;
});

/** The whole app over a world of known numbers. A job has been delivered; `isDown` takes the chain away for /ready. */
async function start({ context = signing, isDown = false, hasDesk = true } = {}) {
  const call = callTool(tools, context, vi.fn());
  const log = keepLog();
  const kept: Deliverable[] = [];
  const store = {
    put: async (made: Deliverable) => void kept.push(made),
    byHash: async (hash: string) => kept.find((each) => each.hash === hash),
    byOffer: async () => [],
  };
  const interpret = () => ({ asset: 'BTCB' });
  const { contracts } = terms;
  const deps = { call, interpret, store, chainId: 31_337, contracts };
  const { hash } = await deliverableOf(7n, offer, deps);
  const escrow = {
    job: async (id: bigint) =>
      id === 7n ? { block: { number: 1n, timestamp: 1n }, job: { ...job, deliverable: hash } } : undefined,
  };
  const desk: Desk = {
    address: address('d'),
    inventory: async () => WAD,
    newNonce: () => 7n,
    sign: async () => '0xab',
  };
  const look = async () => {
    if (isDown) throw new Error('down');
    return 'block 1,000, 0 s old';
  };
  const limits = limitsOf();
  const evidence = judged();
  const evidenceHash = world.hash(evidence);
  const url = await serve(
    createApp({
      answer: createAnswer({ tools, call, assets: world.assets, timeoutMs: 5_000, log }),
      limits,
      mcp: createMcpRouter({ tools, call, version: '0.1.0', log }),
      a2a: createA2a({ tools, call, version: '0.1.0', publicUrl: 'http://agent', log }),
      deliverables: createDeliverables(store, escrow),
      routes: [
        createApi({
          call,
          assets: world.assets,
          limit: limits.door,
          ...(hasDesk && { deskQuote: createDeskQuote(desk, (question) => judgeAsset(question, context), vi.fn()) }),
        }),
        createIdentity({ publicUrl: 'http://agent', version: '0.1.0', isPaid: false, registered, keys: [cardKey] }),
        createEvidence(
          async (of) => (of === evidenceHash ? evidence : undefined),
          (_request, _response, next) => next(),
        ),
        createWebhooks(
          async ({ url: asked }) =>
            asked === 'https://refused.example/'
              ? { refused: 'address_not_public' }
              : { owner: OWNER, url: asked, secret: 'whsec_AA==', expiresAt: 1_900_000_000n },
          limits.webhooks,
        ),
        createOperations({
          version: '0.1.0',
          leftOut: {
            counts: () => ({ plan: {}, guard: { not_served_trigger: 1_001 } }),
            items: () => (isDown ? undefined : leftOut),
            runsPlans: true,
          },
          limit: limits.door('served'),
          readiness: () => readinessOf([{ name: 'chain', needed: true, look }]),
          metrics: async () => ({ type: 'text/plain; version=0.0.4; charset=utf-8', text: '# none\n' }),
          openApi: () => openApiOf('0.1.0', 'http://agent', true),
        }),
        createDiscovery({
          version: '0.1.0',
          publicUrl: 'http://agent',
          tools,
          hasDesk: true,
          deployment,
          serves: async () => serves,
        }),
      ],
      allowedHosts: ['127.0.0.1'],
      log,
    }),
  );
  return { url, hash, evidenceHash };
}

function judged(): string {
  const proposal = fairProposal();
  const { verdict, findings } = judgeProposal(proposal);
  return evidenceOf(rulesVersion, proposal, verdict, findings);
}

const document = openApiOf('0.1.0', 'http://agent', true);
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
const ajv = new Ajv2020({ validateFormats: false, allErrors: true, allowUnionTypes: true });
ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'security', 'paths', 'components']);
ajv.addSchema(document, 'agent');

/** Validates an answer of this status and media type; undefined where the document has no schema. */
function promised(id: string, status: number, mediaType: string): ValidateFunction | undefined {
  const operation = operations.find(({ operationId }) => operationId === id);
  const { schema } =
    operation?.responses[status]?.content[mediaType] ?? operation?.responses.default?.content[mediaType] ?? {};
  // References point into the document.
  return schema && ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"agent#/')));
}

test('the document is OpenAPI 3.1, and every schema in it is JSON Schema', async () => {
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  for (const { operationId, responses } of operations) {
    for (const status of Object.keys(responses)) {
      for (const mediaType of Object.keys(responses[status]?.content ?? {})) {
        expect(promised(operationId, Number(status), mediaType), operationId).toBeDefined();
      }
    }
  }
});

test.each([
  ['free', undefined],
  ['priced', { price_usd: 0.01 }],
])('the document of a %s agent is clean under the recommended rules of Redocly', async (_, price) => {
  const source = JSON.stringify(openApiOf('0.1.0', 'https://agent.example.org', true, price));
  const rules = {
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
  } as const;
  const problems = await lintFromString({ source, config: await createConfig({ extends: ['recommended'], rules }) });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  // AG-146
  const { paths } = openApiOf('0.1.0', 'https://agent.example.org', true, price) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const having = (name: string) =>
    operations
      .filter(({ parameters = [] }) => parameters.some((each) => each.in === 'header' && each.name === name))
      .map(({ operationId }) => operationId);
  expect(having('Idempotency-Key')).toEqual(having('PAYMENT-SIGNATURE'));
  expect(having('Idempotency-Key').length).toBeGreaterThan(3);
  // The linter does catch a fault.
  const wrong = await lintFromString({
    source: source.replace('"security":[],', ''),
    config: await createConfig({ extends: ['recommended'] }),
  });
  expect(new Set(wrong.map(({ ruleId }) => ruleId))).toEqual(new Set(['security-defined']));
});

test('no answer is promised to be just any object, and every path parameter is described', () => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const { operationId, parameters = [], responses } of Object.values(methods)) {
      const named = parameters.filter((each) => each.in === 'path').map(({ name }) => `{${name}}`);
      expect(named, operationId).toEqual(path.match(/\{\w+\}/g) ?? []);
      for (const { schema } of Object.values(responses[200]?.content ?? {})) {
        if ('type' in schema && schema.type === 'string') continue;
        const { oneOf = [schema] } = schema as { readonly oneOf?: readonly object[] };
        expect(oneOf).not.toEqual([]);
        for (const each of oneOf) expect(each, operationId).toHaveProperty('properties');
      }
    }
  }
});

interface Asked {
  readonly id: string;
  readonly status: number;
  readonly path: string;
  readonly body?: unknown;
}

const order = { asset: 'BTCB', side: 'buy', amount_usd: '1000', owner: OWNER };

const webhook = {
  action: 'register',
  owner: OWNER,
  url: 'https://hook.example/',
  updated_at: 1_800_000_000,
  expires_at: 1_900_000_000,
  signature: '0x12',
};

const asked: readonly Asked[] = [
  { id: 'ping', status: 200, path: '/ping' },
  { id: 'ready', status: 200, path: '/ready' },
  { id: 'served', status: 200, path: '/served' },
  { id: 'served', status: 200, path: '/served?from=1000' },
  { id: 'served', status: 400, path: '/served?from=-1' },
  { id: 'metrics', status: 200, path: '/metrics' },
  { id: 'openApi', status: 200, path: '/openapi.json' },
  { id: 'terms', status: 200, path: '/x402' },
  { id: 'ask', status: 200, path: '/x402', body: { prompt: 'Is BTCB fairly priced?' } },
  { id: 'ask', status: 400, path: '/x402', body: { prompt: ' ' } },
  { id: 'verdict', status: 200, path: '/verdict?asset=BTCB&amount_usd=1000' },
  { id: 'verdict', status: 404, path: '/verdict?asset=DOGE' },
  { id: 'verdict', status: 400, path: '/verdict?asset=BTCB&side=hold' },
  { id: 'evidence', status: 200, path: '/evidence/DOCUMENT' },
  { id: 'evidence', status: 404, path: '/evidence/0x12' },
  // Invalid percent-encoding: nothing has that name.
  { id: 'evidence', status: 404, path: '/evidence/%ZZ' },
  { id: 'outlook', status: 404, path: '/plans/%ZZ/outlook' },
  { id: 'deliverable', status: 404, path: '/deliverables/%ZZ' },
  { id: 'jobResponse', status: 404, path: '/job/%ZZ/response' },
  { id: 'swapDraft', status: 200, path: '/swap-draft', body: order },
  { id: 'swapDraft', status: 400, path: '/swap-draft', body: [] },
  { id: 'swapDraft', status: 400, path: '/swap-draft', body: { ...order, amount_usd: '-1' } },
  { id: 'deskQuote', status: 200, path: '/desk-quote', body: order },
  { id: 'deskQuote', status: 400, path: '/desk-quote', body: { ...order, owner: 'me' } },
  { id: 'deskQuote', status: 400, path: '/desk-quote', body: { ...order, side: 'sell' } },
  { id: 'deskQuote', status: 400, path: '/desk-quote', body: { ...order, acknowledge_caution: 'yes' } },
  { id: 'deskQuote', status: 400, path: '/desk-quote', body: [] },
  { id: 'webhooks', status: 200, path: '/webhooks', body: webhook },
  { id: 'webhooks', status: 422, path: '/webhooks', body: { ...webhook, url: 'https://refused.example/' } },
  { id: 'webhooks', status: 400, path: '/webhooks', body: { ...webhook, signature: 'mine' } },
  { id: 'outlook', status: 200, path: '/plans/1/outlook' },
  { id: 'outlook', status: 404, path: '/plans/99/outlook' },
  { id: 'outlook', status: 400, path: '/plans/x/outlook' },
  { id: 'deliverable', status: 200, path: '/deliverables/HASH' },
  { id: 'deliverable', status: 404, path: '/deliverables/0x12' },
  { id: 'jobResponse', status: 200, path: '/job/7/response' },
  { id: 'jobResponse', status: 404, path: '/job/8/response' },
  { id: 'jobResponse', status: 404, path: '/job/x/response' },
  { id: 'mcp', status: 200, path: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  { id: 'a2a', status: 200, path: '/a2a', body: { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: {} } },
  { id: 'a2aAtRoot', status: 200, path: '/', body: { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: {} } },
  { id: 'card', status: 200, path: '/.well-known/agent-card.json' },
  { id: 'jwks', status: 200, path: '/.well-known/jwks.json' },
  { id: 'registration', status: 200, path: '/.well-known/agent-registration.json' },
  { id: 'picture', status: 200, path: '/.well-known/agent.svg' },
  { id: 'deployment', status: 200, path: '/.well-known/bowline.json' },
  { id: 'problems', status: 200, path: '/docs/problems.html' },
  { id: 'llms', status: 200, path: '/llms.txt' },
  { id: 'serverJson', status: 200, path: '/server.json' },
  { id: 'mcpCard', status: 200, path: '/.well-known/mcp.json' },
  { id: 'x402Resources', status: 200, path: '/.well-known/x402' },
];

test('live answers are what the document says, and each operation gives its answer', async () => {
  const { url, hash, evidenceHash } = await start();
  for (const { id, status, path, body } of asked) {
    await expectPromised(url + path.replace('HASH', hash).replace('DOCUMENT', evidenceHash), id, status, body);
  }
  const answered = new Set(asked.filter(({ status }) => status === 200).map(({ id }) => id));
  expect(operations.map(({ operationId }) => operationId).filter((id) => !answered.has(id))).toEqual([]);
});

test('AG-371: /served has a thousand of what is left out on a page, and /ready their number by reason', async () => {
  const { url } = await start();
  const read = async (path: string) => (await (await fetch(url + path)).json()) as { readonly next?: number };
  const first = await read('/served');
  expect(first).toMatchObject({ total: 1_001, next: 1_000, runs_plans: true, left_out: leftOut.slice(0, 1_000) });
  expect(await read(`/served?from=${first.next}`)).toMatchObject({ next: null, left_out: leftOut.slice(1_000) });
  expect(await read('/ready')).toMatchObject({ not_served: { plan: {}, guard: { not_served_trigger: 1_001 } } });
  const { url: starting } = await start({ isDown: true });
  const unknown = await fetch(`${starting}/served`);
  expect([unknown.status, await unknown.json()]).toMatchObject([503, { code: 'starting' }]);
});

test('pages of others may show the picture, and nothing else of the agent', async () => {
  const { url } = await start();
  const policyOf = async (path: string) => (await fetch(url + path)).headers.get('cross-origin-resource-policy');
  expect(await policyOf('/.well-known/agent.svg')).toBe('cross-origin');
  for (const path of ['/.well-known/agent-registration.json', '/.well-known/jwks.json', '/llms.txt']) {
    expect(await policyOf(path), path).toBe('same-origin');
  }
});

test('what cannot be read of a request is named: its path, or the limit of its body', async () => {
  const { url } = await start();
  const path = await fetch(`${url}/evidence/%ZZ`);
  expect([path.status, await path.json()]).toMatchObject([404, { code: 'not_found' }]);
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ asset: 'x'.repeat(17_000) });
  const large = await fetch(`${url}/swap-draft`, { method: 'POST', headers, body });
  expect([large.status, await large.json()]).toMatchObject([413, { detail: 'The body is over 16384 bytes.' }]);
});

test('without a desk its quotes are in no document', () => {
  const described = (hasDesk: boolean) => Object.keys(openApiOf('0.1.0', 'http://agent', hasDesk).paths as object);
  expect(described(true)).toContain('/desk-quote');
  expect(described(false)).toEqual(described(true).filter((path) => path !== '/desk-quote'));
});

test('without a chain, a swap or a desk, the answers are what the document says, too', async () => {
  const { url } = await start({ context: withoutQuote, isDown: true, hasDesk: false });
  await expectPromised(`${url}/ready`, 'ready', 503);
  await expectPromised(`${url}/verdict?asset=BTCB`, 'verdict', 200);
  await expectPromised(`${url}/swap-draft`, 'swapDraft', 200, order);
  await expectPromised(`${url}/desk-quote`, 'deskQuote', 404, order);
  const { url: withDesk } = await start({ context: withoutQuote });
  await expectPromised(`${withDesk}/desk-quote`, 'deskQuote', 200, order);
});

test('what is wrong with a request to /mcp is told as the document says', async () => {
  const { url } = await start();
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/steal' };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const unknown = { jsonrpc: '2.0', id: 1, method: 'tools/steal', params: { _meta } };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const [status, body, headers] of [
    [400, '{', {}],
    [404, unknown, modern],
    [406, list, { accept: 'text/html' }],
    [413, 'x'.repeat(70_000), {}],
    [415, list, { 'content-type': 'application/json; charset=latin1' }],
  ] as const) {
    await expectPromised(`${url}/mcp`, 'mcp', status, body, headers);
  }
});

async function expectPromised(
  url: string,
  id: string,
  status: number,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const posted = body === undefined ? {} : { method: 'POST', headers, body: sent };
  const response = await fetch(url, posted);
  const text = await response.text();
  expect(response.status, `${id}: ${text}`).toBe(status);
  const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
  const validate = promised(id, status, mediaType);
  expect(validate, `${status} ${mediaType} of ${id}`).toBeDefined();
  const value: unknown = /json$/.test(mediaType) ? JSON.parse(text) : text;
  expect(validate?.(value), `${id}: ${JSON.stringify(validate?.errors)}`).toBe(true);
}
