import { commentLeftOut } from '@bowline/core/domain/answer';
import { unreadyReasons } from '@bowline/core/domain/readiness';
import { leftOutPage } from '@bowline/core/left-out-page';
import { ownContractsBy } from '@bowline/core/registry/address-book';
import { evidenceDocument } from '@bowline/core/replay/evidence';
import { serving } from '@bowline/core/serving';
import { problemsPath } from '@bowline/http/problem';
import { problemCodes } from '@bowline/http/problems';
import type { Request } from 'express';
import { z } from 'zod';
import { contextIds } from '../../ask/contexts.ts';
import { deskAnswer } from '../../selling/jobs/desk-quote.ts';
import { checkAsset, ticketOutput } from '../../tools/check-asset.ts';
import { draftSwap } from '../../tools/draft-swap.ts';
import { planOutlook } from '../../tools/plan-outlook.ts';
import { address, addressInput, assetInput, promptInput, sizeInputs } from '../../tools/schemas.ts';
import { priceOutput } from '../../tools/self.ts';

// Plain HTTP endpoints: these schemas parse requests, type responses and generate /openapi.json. Tools parse their own
// input.

export interface Endpoint {
  readonly method: 'get' | 'post';
  /** Express route path. */
  readonly path: string;
  readonly tag: Tag;
  /** A few words; `description` says the rest. */
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** JSON body. */
  readonly body?: z.ZodObject;
  readonly answer: z.ZodType;
  /** Statuses that return this answer; only 200 if absent. Every other status returns a problem. */
  readonly statuses?: readonly number[];
  /** Media type of the answer; JSON if absent. */
  readonly mediaType?: string;
  /** Whether the answer may also come as events. */
  readonly mayStream?: boolean;
  /** Whether a caller may be refused with 429. */
  readonly isLimited?: boolean;
  /** Whether it may have to be paid for (402). */
  readonly isPriced?: boolean;
  /** Whether pages of any origin may read it. */
  readonly isOpen?: boolean;
  /** Error statuses whose body is a JSON-RPC message, like the answer, instead of a problem. */
  readonly rpcErrors?: readonly number[];
}

/** Groups of endpoints, with what they are for. */
export const tags = {
  questions: 'Prices, verdicts and drafts, free or paid for with x402',
  plans: 'Plans on chain',
  jobs: 'Reports of ERC-8183 jobs',
  notices: 'Webhooks of owners',
  protocols: 'MCP and A2A',
  discovery: 'What this service is, for programs, registries and models',
  operations: 'For operators',
} as const;

type Tag = keyof typeof tags;

type Table = Readonly<Record<string, Endpoint>>;

/** Entries of a page of /served. */
export const LEFT_OUT_PAGE = 1_000;

/** The last second that a date can hold. */
const MAX_TIME = 8_640_000_000_000;

const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/);

/** ERC-8183 manifest: the hashed document. */
const deliverable = z.object({
  version: z.literal(1),
  job_id: z.int(),
  chain_id: z.int(),
  contracts: z.object({ commerce: address, router: address, policy: address }),
  response: z.object({ content: z.string(), content_type: z.literal('text/plain') }),
  metadata: z.object({
    kind: z.literal('verdict_report'),
    negotiation_hash: hash,
    verdict: z.looseObject({}).describe('The check_asset answer at the time of delivery.'),
  }),
});

/** A JSON-RPC 2.0 message of a protocol with schemas of its own. */
const rpcRequest = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
});
const rpcAnswer = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});

const get = (path: string, tag: Tag, summary: string, description: string) =>
  ({ method: 'get', path, tag, summary, description }) as const;
const post = (path: string, tag: Tag, summary: string, description: string) =>
  ({ method: 'post', path, tag, summary, description }) as const;
const rpc = (path: string, summary: string, description: string) =>
  ({ ...post(path, 'protocols', summary, description), body: rpcRequest, answer: rpcAnswer, isLimited: true }) as const;
/** A document that names nothing secret. */
const document = (path: string, summary: string, description: string) =>
  ({ ...get(path, 'discovery', summary, description), isOpen: true }) as const;

const text = (mediaType: string) => ({ answer: z.string(), mediaType }) as const;
const priced = { isPriced: true, isLimited: true } as const;

/** An entry of the MCP registry. */
const serverEntry = z.object({
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  remotes: z.array(z.object({ type: z.literal('streamable-http'), url: z.url() })),
});

export const endpoints = {
  ping: {
    ...get('/ping', 'operations', 'Liveness', 'Whether the process is up.'),
    answer: z.object({ status: z.literal('HEALTHY') }),
  },
  ready: {
    ...get('/ready', 'operations', 'Readiness', 'Whether the agent and what it depends on are ready, and its version.'),
    answer: z.object({
      status: z.enum(['READY', 'NOT_READY']),
      version: z.string(),
      not_served: z
        .object({ plan: z.record(z.string(), z.int()), guard: z.record(z.string(), z.int()) })
        .optional()
        .describe(
          'How many plans and guards the agent leaves out, by reason: /served lists them. Absent during startup.',
        ),
      dependencies: z.record(
        z.string(),
        z.object({
          ok: z.boolean(),
          needed: z.boolean().describe('True if the agent cannot work without this dependency.'),
          reason: z.enum(unreadyReasons).optional().describe('Why it is not ok; absent if it is.'),
          detail: z.string(),
        }),
      ),
    }),
    statuses: [200, 503],
  },
  served: {
    ...get(
      '/served',
      'plans',
      'What is left out',
      'Every plan and guard of this deployment that may still act and that this agent leaves out, with the reason, as of the last minute.',
    ),
    isLimited: true,
    query: z.object({
      from: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional()
        .describe(`Where in the list to begin: the next of the page before. A page has up to ${LEFT_OUT_PAGE}.`),
    }),
    answer: leftOutPage,
  },
  metrics: {
    ...get('/metrics', 'operations', 'Metrics', 'State of the agent in Prometheus text format.'),
    ...text('text/plain'),
  },
  openApi: {
    ...document('/openapi.json', 'OpenAPI', 'This document.'),
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
  terms: {
    ...get('/x402', 'questions', 'Terms', 'Price and limits of an answer.'),
    isOpen: true,
    answer: priceOutput.extend({
      limit: z.object({ requests: z.int(), seconds: z.int() }),
      max_prompt_chars: z.int(),
      max_body_bytes: z.int(),
      example: z.object({ prompt: z.string() }),
    }),
  },
  ask: {
    ...post(
      '/x402',
      'questions',
      'Ask in words',
      'Answers a question in natural language; payment by x402 v2 if the price is above 0.',
    ),
    ...priced,
    body: z.object({
      prompt: promptInput,
      context_id: z
        .string()
        .regex(contextIds)
        .optional()
        .describe(
          'Random ID of a conversation: for ten minutes, its next question may refer to the last, as in "and for 5,000?".',
        ),
    }),
    answer: z.object({
      result: z
        .string()
        .describe('The facts, then a model’s comment with each line marked, or a note that it was left out.'),
      facts: z.string().describe('What the service itself states, from the tools’ outputs.'),
      comment: z.string().nullable().describe('What a model adds in its own words; all its figures come from tools.'),
      comment_left_out: z
        .enum(commentLeftOut)
        .nullable()
        .describe('What the model’s words contained that no tool gave.'),
      tools: z.array(z.string()).describe('Names of the tools that were called, in order.'),
      tickets: z.array(ticketOutput),
      choices: z
        .array(z.object({ label: z.string(), prompt: z.string() }))
        .describe(
          'Questions to send instead, if the rules ask back: each of these prompts gets an answer. Empty after an answer.',
        ),
      answered_by: z.enum(['model', 'embedded']),
    }),
  },
  verdict: {
    ...get('/verdict', 'questions', checkAsset.title, checkAsset.description),
    ...priced,
    isOpen: true,
    query: checkAsset.input,
    answer: checkAsset.output
      .pick({ verdict: true, reason: true, findings: true, ticket: true })
      .extend({ evidence: evidenceDocument.describe('The ticket carries the keccak256 of its canonical JSON.') }),
  },
  evidence: {
    ...get(
      '/evidence/:hash',
      'questions',
      'Evidence',
      'Evidence of a recorded or recently issued verdict, by its hash: exactly the bytes that were hashed.',
    ),
    isLimited: true,
    params: z.object({
      hash: z
        .string()
        .regex(/^0x(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{38})$/)
        .describe('All 32 bytes, or the 19 that a record on chain has.'),
    }),
    answer: evidenceDocument,
  },
  swapDraft: {
    ...post('/swap-draft', 'questions', draftSwap.title, draftSwap.description),
    ...priced,
    body: draftSwap.input,
    answer: draftSwap.output,
  },
  deskQuote: {
    ...post(
      '/desk-quote',
      'questions',
      'Quote of the desk',
      'Signed quote of the desk for one buyer, where there is a desk: on the test network.',
    ),
    ...priced,
    body: z.object({
      asset: assetInput,
      side: z.literal('buy').default('buy').describe('The desk only sells.'),
      ...sizeInputs,
      owner: addressInput.describe('Address that pays and receives.'),
      acknowledge_caution: z.boolean().default(false).describe('Whether the owner has read the warning of a CAUTION.'),
    }),
    answer: deskAnswer,
  },
  outlook: {
    ...get('/plans/:id/outlook', 'plans', planOutlook.title, planOutlook.description),
    isLimited: true,
    params: z.object({ id: planOutlook.input.shape.plan }),
    answer: planOutlook.output,
  },
  webhooks: {
    ...post(
      '/webhooks',
      'notices',
      'Register a webhook',
      "Registers or removes a webhook for an account's notices, by a message that the account signed.",
    ),
    isLimited: true,
    body: z.object({
      action: z.enum(['register', 'remove']),
      owner: addressInput.describe('The account whose plans and guards the notices are about.'),
      url: z
        .string()
        .max(500)
        .describe('Where the notices go: an https URL on a public host, or the chat address that the bot gave.'),
      updated_at: z.int().min(0).max(MAX_TIME).describe('When the message was signed, unix seconds.'),
      expires_at: z.int().min(0).max(MAX_TIME).describe('When the registration ends, unix seconds.'),
      signature: z
        .string()
        .regex(/^0x([0-9a-fA-F]{2}){1,4096}$/)
        .describe(
          'Over the message of docs/owners.md: a personal signature (EIP-191), or a contract wallet’s (ERC-1271).',
        ),
    }),
    answer: z.object({
      status: z.enum(['registered', 'removed']),
      owner: address,
      url: z.string(),
      expires_at: z.int().nullable(),
      secret: z.string().nullable().describe('Verifies the signatures of deliveries. Shown only once.'),
    }),
  },
  deliverable: {
    ...get('/deliverables/:hash', 'jobs', 'Report by its hash', 'Deliverable of a job, by its hash.'),
    isLimited: true,
    params: z.object({ hash }),
    answer: deliverable,
  },
  jobResponse: {
    ...get('/job/:id/response', 'jobs', 'Report of a job', 'Deliverable of a job, by the job’s ID.'),
    isLimited: true,
    params: z.object({ id: z.string().regex(/^\d{1,78}$/) }),
    answer: deliverable,
  },
  mcp: {
    ...rpc(
      '/mcp',
      'MCP',
      'Model Context Protocol: streamable HTTP, revisions 2026-07-28 and before, without sessions.',
    ),
    mayStream: true,
    rpcErrors: [400, 404, 406, 413, 415],
  },
  a2a: rpc(
    '/a2a',
    'A2A',
    'Agent2Agent: JSON-RPC of versions 1.0 and 0.3, whose errors have the status 200. Also at /.',
  ),
  a2aAtRoot: rpc('/', 'A2A at the root', 'Agent2Agent, as at /a2a.'),
  card: {
    ...document('/.well-known/agent-card.json', 'Agent card', 'Agent card of A2A.'),
    answer: z.looseObject({
      name: z.string(),
      url: z.string().optional(),
      skills: z.array(z.looseObject({ id: z.string() })),
    }),
  },
  jwks: {
    ...document(
      '/.well-known/jwks.json',
      'Keys',
      'Public keys that sign the agent card (RFC 7517): none where it is not signed.',
    ),
    answer: z.object({
      keys: z.array(
        z.object({
          ...{ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() },
          ...{ kid: z.string(), alg: z.literal('ES256'), use: z.literal('sig') },
        }),
      ),
    }),
  },
  registration: {
    ...document('/.well-known/agent-registration.json', 'Registration', 'Registration file of ERC-8004.'),
    answer: z.object({
      type: z.string(),
      name: z.string(),
      description: z.string(),
      image: z.string(),
      services: z.array(z.object({ name: z.string(), endpoint: z.string(), version: z.string() })),
      x402Support: z.boolean(),
      active: z.boolean(),
      registrations: z.array(z.object({ agentId: z.int(), agentRegistry: z.string() })),
      supportedTrust: z.array(z.string()),
    }),
  },
  picture: {
    ...document('/.well-known/agent.svg', 'Picture', 'Picture of the agent, for registries.'),
    ...text('image/svg+xml'),
  },
  deployment: {
    ...document(
      '/.well-known/bowline.json',
      'Deployment',
      'The deployment that this agent serves: its contracts, the signers of its tickets and the escrow of its jobs; and which parts of it run now.',
    ),
    answer: z.object({
      chainId: z.int(),
      ...ownContractsBy(address, address.optional().describe('Absent where it is not deployed.')),
      verdictSigners: z.array(address),
      escrow: z
        .object({
          commerce: address,
          router: address,
          policy: address,
          token: z.object({ address, decimals: z.int(), name: z.string(), version: z.string() }),
        })
        .optional()
        .describe('Contracts of ERC-8183. Absent where nothing is sold.'),
      serves: serving,
    }),
  },
  problems: {
    ...get(
      problemsPath,
      'discovery',
      'Problems',
      'What each problem code means, and what to do: the `type` of every problem links there.',
    ),
    ...text('text/html'),
  },
  llms: {
    ...document('/llms.txt', 'llms.txt', 'This service in words, for models (llmstxt.org).'),
    ...text('text/plain'),
  },
  serverJson: {
    ...document('/server.json', 'MCP registry', 'Entry of this server in the MCP registry.'),
    answer: serverEntry.extend({ $schema: z.url() }),
  },
  mcpCard: {
    ...document('/.well-known/mcp.json', 'MCP card', 'Server card of MCP.'),
    answer: serverEntry.extend({
      serverInfo: z.object({ name: z.string(), title: z.string(), version: z.string() }),
      transport: z.object({ type: z.literal('streamable-http'), endpoint: z.string() }),
      capabilities: z.record(z.string(), z.looseObject({})),
    }),
  },
  x402Resources: {
    ...document('/.well-known/x402', 'Paid resources', 'Resources paid for with x402.'),
    answer: z.object({ version: z.literal(1), resources: z.array(z.string()), instructions: z.string() }),
  },
} as const satisfies Table;

const openMethods = methodsIn(
  Object.fromEntries(Object.entries<Endpoint>(endpoints).filter(([, { isOpen }]) => isOpen)),
);

/** Whether pages of any origin may send this request or its preflight. */
export function isOpen({ method, path, headers }: Pick<Request, 'method' | 'path' | 'headers'>): boolean {
  const meant = method === 'OPTIONS' ? headers['access-control-request-method'] : method;
  return meant !== undefined && openMethods(path)?.includes(meant) === true;
}

/** The endpoints that an agent offers; desk quotes only if there is a desk. */
export function offeredWith({ hasDesk }: { readonly hasDesk: boolean }): Table {
  const { deskQuote: _, ...others } = endpoints;
  return hasDesk ? endpoints : others;
}

/** The methods of a table's path, by the URL's path, as Express matches it; undefined if there is no such path. */
export function methodsIn(table: Table): (path: string) => readonly string[] | undefined {
  const known = new Map<string, { readonly pattern: RegExp; readonly methods: string[] }>();
  for (const { path, method } of Object.values(table)) {
    const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`, 'i');
    const entry = known.get(path) ?? { pattern, methods: [] };
    entry.methods.push(...(method === 'get' ? ['GET', 'HEAD'] : ['POST']));
    known.set(path, entry);
  }
  return (path) => known.get(path)?.methods ?? [...known.values()].find(({ pattern }) => pattern.test(path))?.methods;
}

/** Price of an answer as `GET /x402` returns it. */
export type PriceShown = z.input<typeof priceOutput>;

/** The body of every error (RFC 9457). */
export const problem = z.object({
  type: z.string().describe('Links to the explanation of the code.'),
  title: z.string(),
  status: z.int(),
  code: z.enum(problemCodes),
  reason: z.string().optional().describe('The cause, where one code has several.'),
  detail: z.string(),
});
