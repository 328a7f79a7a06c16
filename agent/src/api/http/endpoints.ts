import { evidenceDocument } from '@bowline/core/replay/evidence';
import { problemCodes } from '@bowline/http/problem';
import { z } from 'zod';
import { withholdings } from '../../seller/desk-quote.ts';
import { checkAsset, ticketOutput } from '../../tools/check-asset.ts';
import { draftSwap } from '../../tools/draft-swap.ts';
import { planOutlook } from '../../tools/plan-outlook.ts';
import { address, addressInput, assetInput, integer, sizeInputs, verdictOutput } from '../../tools/schemas.ts';

// What can be asked by plain HTTP: these schemas parse what comes in, type what goes out, and are what /openapi.json says.
// Tools parse their own.

export interface Endpoint {
  readonly method: 'get' | 'post';
  /** As Express reads it. */
  readonly path: string;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Of JSON. */
  readonly body?: z.ZodObject;
  readonly answer: z.ZodType;
  /** Those that come with that answer; 200 alone when absent. Any other comes with a problem. */
  readonly statuses?: readonly number[];
  /** Of the answer; JSON when absent. */
  readonly mediaType?: string;
}

export const MAX_PROMPT_CHARS = 4_000;

/** Counted as people and JSON Schema count: an emoji is two units of a JavaScript string. */
const prompt = z
  .string()
  .refine((text) => text.trim() !== '' && [...text].length <= MAX_PROMPT_CHARS)
  .meta({ maxLength: MAX_PROMPT_CHARS, pattern: '\\S' });

const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/);

/** ERC-8183's manifest: what was hashed. */
const deliverable = z.object({
  version: z.literal(1),
  job_id: z.int(),
  chain_id: z.int(),
  contracts: z.object({ commerce: address, router: address, policy: address }),
  response: z.object({ content: z.string(), content_type: z.literal('text/plain') }),
  metadata: z.object({
    kind: z.literal('verdict_report'),
    negotiation_hash: hash,
    verdict: z.looseObject({}).describe('The answer of check_asset, as it was when the job was done.'),
  }),
});

export const endpoints = {
  ping: {
    method: 'get',
    path: '/ping',
    summary: 'Whether the process is up',
    answer: z.object({ status: z.literal('HEALTHY') }),
  },
  ready: {
    method: 'get',
    path: '/ready',
    summary: 'Whether what the agent depends on is there',
    answer: z.object({
      status: z.enum(['READY', 'NOT_READY']),
      dependencies: z.record(
        z.string(),
        z.object({
          ok: z.boolean(),
          needed: z.boolean().describe('Without it nothing works; without another one something does.'),
          detail: z.string(),
        }),
      ),
    }),
    statuses: [200, 503],
  },
  metrics: {
    method: 'get',
    path: '/metrics',
    summary: 'Counters, as Prometheus reads them',
    answer: z.string(),
    mediaType: 'text/plain',
  },
  openApi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    answer: z.looseObject({ openapi: z.literal('3.1.0') }),
  },
  terms: {
    method: 'get',
    path: '/x402',
    summary: 'What an answer costs, and its limits',
    answer: z.object({
      price_usd: z.number().nonnegative(),
      payment: z
        .object({
          rail: z.enum(['x402', 'b402']),
          network: z.string(),
          asset: address,
          amount: integer,
          pay_to: address,
        })
        .optional()
        .describe('Absent where answers are free. The amount is in base units of the asset.'),
      limit: z.object({ requests: z.int(), seconds: z.int() }),
      max_prompt_chars: z.int(),
      max_body_bytes: z.int(),
      example: z.object({ prompt: z.string() }),
    }),
  },
  ask: {
    method: 'post',
    path: '/x402',
    summary: 'Answers a question in words; above a price of 0 it is paid for by x402 v2',
    body: z.object({ prompt }),
    answer: z.object({
      result: z.string(),
      tools: z.array(z.string()).describe('Names of the tools that were called, in order.'),
      tickets: z.array(ticketOutput),
      answered_by: z.enum(['model', 'embedded']),
    }),
  },
  verdict: {
    method: 'get',
    path: '/verdict',
    summary: checkAsset.description,
    query: checkAsset.input,
    answer: checkAsset.output
      .pick({ verdict: true, reason: true, findings: true, ticket: true })
      .extend({ evidence: evidenceDocument.describe('In canonical JSON its keccak256 is in the ticket.') }),
  },
  swapDraft: {
    method: 'post',
    path: '/swap-draft',
    summary: draftSwap.description,
    body: draftSwap.input,
    answer: draftSwap.output,
  },
  deskQuote: {
    method: 'post',
    path: '/desk-quote',
    summary: 'A quote of the desk to one buyer, signed; only on the local chain and the testnet',
    body: z.object({
      asset: assetInput,
      side: z.literal('buy').default('buy').describe('The desk sells, and does not buy.'),
      ...sizeInputs,
      owner: addressInput.describe('Who pays and receives.'),
      acknowledge_caution: z.boolean().default(false).describe('Whether the owner has read the warning of a CAUTION.'),
    }),
    answer: z.object({
      ...verdictOutput,
      quote: z
        .object({
          buyer: address,
          token_in: address,
          amount_in: integer,
          token_out: address,
          amount_out: integer,
          nonce: integer,
          expires_at: integer,
        })
        .nullable()
        .describe('Amounts in base units, times in unix seconds; null when withheld.'),
      signature: z.string().nullable().describe('Of the quote (EIP-712), by the maker of the desk.'),
      desk: address,
      withheld: z.enum(withholdings).nullable(),
    }),
  },
  outlook: {
    method: 'get',
    path: '/plans/:id/outlook',
    summary: planOutlook.description,
    params: z.object({ id: planOutlook.input.shape.plan }),
    answer: planOutlook.output,
  },
  deliverable: {
    method: 'get',
    path: '/deliverables/:hash',
    summary: 'What was delivered for a job, by its hash',
    params: z.object({ hash }),
    answer: deliverable,
  },
  jobResponse: {
    method: 'get',
    path: '/job/:id/response',
    summary: 'What was delivered for a job, by its number',
    params: z.object({ id: z.string().regex(/^\d{1,78}$/) }),
    answer: deliverable,
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

/** What an answer costs, as `GET /x402` shows it. */
export type PriceShown = Pick<z.input<typeof endpoints.terms.answer>, 'price_usd' | 'payment'>;

/** The body of every error (RFC 9457). */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(problemCodes),
  reason: z.string().optional().describe('The cause, where one code has several.'),
  detail: z.string(),
});
