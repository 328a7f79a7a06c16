import { type Failure, type FailureCode, failure, type Result } from '@bowline/core/domain/result';
import { type ProblemCode, sendProblem } from '@bowline/http/problem';
import express, { type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { DeskQuote } from '../../seller/desk-quote.ts';
import { type CallTool, inputCode, inputError, wordsOf } from '../../tools/call.ts';
import type { Checked } from '../../tools/check-asset.ts';
import { type Endpoint, endpoints } from './endpoints.ts';

const MAX_BODY_BYTES = 16 * 1024;

export interface ApiParts {
  readonly call: CallTool;
  /** Absent if there is no quote desk. */
  readonly deskQuote?: DeskQuote;
  /** Rate limit per path, in requests a minute. */
  readonly limit: (name: string) => RequestHandler;
}

/** The tools over plain HTTP, for the page: same answers as over MCP and A2A. */
export function createApi({ call, deskQuote, limit }: ApiParts): Router {
  const router = Router();
  const json = express.json({ limit: MAX_BODY_BYTES });

  const bodyOf = createBodies();
  router.get(endpoints.verdict.path, limit('verdict'), async ({ query }, response) => {
    const result = await call('check_asset', query);
    if (!result.ok) return answerFailure(response, result);
    const body = bodyOf(result.value);
    if (body.etag !== undefined) response.set('ETag', body.etag);
    response.type('json').send(body.bytes);
    // Express makes it from the bytes the first time.
    body.etag ??= response.get('ETag');
  });

  router.get(endpoints.outlook.path, limit('outlook'), async ({ params }, response) => {
    answer(response, endpoints.outlook, await call('plan_outlook', { plan: params.id }));
  });

  router.post(endpoints.swapDraft.path, limit('swap-draft'), json, async ({ body }, response) => {
    answer(response, endpoints.swapDraft, await call('draft_swap', body));
  });

  router.post(endpoints.deskQuote.path, limit('desk-quote'), json, async ({ body }, response) => {
    if (deskQuote === undefined) {
      return sendProblem(response, 'not_found', 'This chain has no quote desk: it has a real market.');
    }
    const schema = endpoints.deskQuote.body;
    const { data, error } = schema.safeParse(body ?? {}, { error: wordsOf });
    if (error) return answerFailure(response, failure(inputCode(error), inputError(schema, error)));
    const { side: _, ...request } = data;
    answer(response, endpoints.deskQuote, await deskQuote(request));
  });
  return router;
}

interface Body {
  readonly bytes: Buffer;
  etag?: string | undefined;
}

/** The bodies of verdicts: an answer that many get (AG-131) is written once. */
function createBodies(): (answer: Checked) => Body {
  const bodies = new WeakMap<Checked, Body>();
  return (answer) => {
    const before = bodies.get(answer);
    if (before !== undefined) return before;
    const { verdict, reason, findings, ticket, evidence } = answer;
    const others = JSON.stringify({ verdict, reason, findings, ticket });
    // The evidence is JSON already.
    const body: Body = { bytes: Buffer.from(`${others.slice(0, -1)},"evidence":${evidence}}`) };
    bodies.set(answer, body);
    return body;
  };
}

function answer<To extends Endpoint>(response: Response, _to: To, result: Result<z.input<To['answer']>>): void {
  if (result.ok) response.json(result.value);
  else answerFailure(response, result);
}

const problems: Readonly<Partial<Record<FailureCode, ProblemCode>>> = {
  invalid_input: 'invalid_input',
  invalid_side: 'invalid_side',
  invalid_amount: 'invalid_amount',
  unknown_asset: 'unknown_asset',
  no_pool: 'no_pool',
  unknown_plan: 'unknown_plan',
  chain_unavailable: 'chain_unavailable',
  market_unavailable: 'market_unavailable',
  timeout: 'timeout',
};

function answerFailure(response: Response, { code, message }: Failure): void {
  sendProblem(response, problems[code] ?? 'internal', message);
}
