import { type Failure, type FailureCode, failure, type Result } from '@bowline/core/domain/result';
import { type ProblemCode, sendProblem } from '@bowline/http/problem';
import express, { type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { DeskQuote } from '../../seller/desk-quote.ts';
import { type CallTool, inputCode, inputError, wordsOf } from '../../tools/call.ts';
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

  router.get(endpoints.verdict.path, limit('verdict'), async ({ query }, response) => {
    const result = await call('check_asset', query);
    if (!result.ok) return answerFailure(response, result);
    const { verdict, reason, findings, ticket, evidence } = result.value;
    const value = { verdict, reason, findings, ticket, evidence: JSON.parse(evidence) };
    answer(response, endpoints.verdict, { ok: true, value });
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
