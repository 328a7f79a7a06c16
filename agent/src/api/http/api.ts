import { type Failure, type FailureCode, failure, type Result } from '@bowline/core/domain/result';
import { type ProblemCode, sendProblem } from '@bowline/http/problem';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { DeskQuote } from '../../seller/desk-quote.ts';
import { type CallTool, inputCode, inputError, wordsOf } from '../../tools/call.ts';
import { addressInput, assetInput, sizeInputs } from '../../tools/schemas.ts';

const MAX_BODY_BYTES = 16 * 1024;

/** The desk sells, and does not buy. */
const deskRequest = z.object({
  asset: assetInput,
  side: z.literal('buy').default('buy'),
  ...sizeInputs,
  owner: addressInput.describe('Who pays and receives.'),
  acknowledge_caution: z.boolean().default(false),
});

export interface ApiParts {
  readonly call: CallTool;
  /** Absent where there is no desk. */
  readonly deskQuote?: DeskQuote;
  /** Each for one path: so many requests a minute. */
  readonly limit: (name: string) => RequestHandler;
}

/** The tools by plain HTTP, for the page: the same answers as by MCP and A2A. */
export function createApi({ call, deskQuote, limit }: ApiParts): Router {
  const router = Router();
  const json = express.json({ limit: MAX_BODY_BYTES });

  router.get('/verdict', limit('verdict'), async ({ query }, response) => {
    const result = await call('check_asset', query);
    if (!result.ok) return answerFailure(response, result);
    const { verdict, reason, findings, ticket, evidence } = result.value;
    response.json({ verdict, reason, findings, ticket, evidence: JSON.parse(evidence) });
  });

  router.get('/plans/:id/outlook', limit('outlook'), async ({ params }, response) => {
    answer(response, await call('plan_outlook', { plan: params.id }));
  });

  router.post('/swap-draft', limit('swap-draft'), json, async (request, response) => {
    answer(response, await call('draft_swap', bodyOf(request)));
  });

  router.post('/desk-quote', limit('desk-quote'), json, async (request, response) => {
    if (deskQuote === undefined) {
      return sendProblem(response, 'not_found', 'There is no desk on this chain: it has a market of its own.');
    }
    const { data, error } = deskRequest.safeParse(bodyOf(request), { error: wordsOf });
    if (error) return answerFailure(response, failure(inputCode(error), inputError(deskRequest, error)));
    const { side: _, ...question } = data;
    answer(response, await deskQuote(question));
  });
  return router;
}

const bodyOf = ({ body }: Request): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};

function answer(response: Response, result: Result<unknown>): void {
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
