import type { Asset } from '@bowline/core/domain/assets';
import type { Json } from '@bowline/core/domain/payment';
import { type Result, success } from '@bowline/core/domain/result';
import { sendProblem } from '@bowline/http/problem';
import type { Limit } from '@bowline/http/rate-limit';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import type { DeskQuote, DeskRequest } from '../../selling/jobs/desk-quote.ts';
import { callOf, type Question } from '../../selling/payments/question.ts';
import type { CallTool } from '../../tools/call.ts';
import type { Checked } from '../../tools/check-asset.ts';
import { readTrade } from '../../tools/priced.ts';
import { readInput } from '../../tools/read-input.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import type { HttpPayments } from './payment.ts';
import { sendFailure } from './send-failure.ts';

const MAX_BODY_BYTES = 16 * 1024;

export interface ApiParts {
  readonly call: CallTool;
  readonly assets: readonly Asset[];
  /** Absent if there is no quote desk. */
  readonly deskQuote?: DeskQuote;
  /** Rate limit per path, in requests a minute. */
  readonly limit: (name: string) => RequestHandler;
  /** Absent: answers are free. */
  readonly payment?: PricedCalls;
}

interface PricedCalls {
  readonly payments: HttpPayments;
  /** Counts paid answers. */
  readonly limit: Limit;
  /** Reads a priced tool's input, equal for equal questions. */
  readonly read: (tool: string, input: unknown) => Result<string>;
}

/** The tools over plain HTTP, for the page: same answers as over MCP and A2A. */
export function createApi({ call, assets, deskQuote, limit, payment }: ApiParts): Router {
  const router = Router();
  const json = express.json({ limit: MAX_BODY_BYTES });

  /** The answer to a priced question: paid, or for the page; undefined if an error response was sent. */
  async function bought(
    { path }: Endpoint,
    request: Request,
    response: Response,
    given: Json,
    question: () => Result<Question>,
    free: () => Promise<Result<Json>>,
  ): Promise<Result<Json> | undefined> {
    if (payment === undefined || payment.payments.isPage(request)) return free();
    const asked = question();
    if (payment.payments.isPaying(request)) {
      return asked.ok ? payment.payments.pay(request, response, path, payment.limit, asked.value) : asked;
    }
    // Nobody signs a payment for an invalid question. An empty request asks for the terms, as x402 indexes do.
    const isBare = Object.keys(given).length === 0;
    return asked.ok || isBare ? void (await payment.payments.ask(response, path)) : asked;
  }

  const ofTool = (tool: string, input: Json) => (): Result<Question> => {
    const read = payment?.read(tool, input) ?? success('');
    return read.ok ? success(callOf(tool, input, read.value)) : read;
  };

  router.get(endpoints.verdict.path, limit('verdict'), async (request, response) => {
    const { query } = request;
    const free = () => call('check_asset', query);
    const result = await bought(endpoints.verdict, request, response, query, ofTool('check_asset', query), free);
    if (result === undefined) return;
    if (!result.ok) return sendFailure(response, result);
    const { verdict, reason, findings, ticket, evidence } = result.value as unknown as Checked;
    const others = JSON.stringify({ verdict, reason, findings, ticket });
    // The evidence is JSON already.
    response.type('json').send(`${others.slice(0, -1)},"evidence":${evidence}}`);
  });

  router.get(endpoints.outlook.path, limit('outlook'), async ({ params }, response) => {
    answer(response, endpoints.outlook, await call('plan_outlook', { plan: params.id }));
  });

  router.post(endpoints.swapDraft.path, limit('swap-draft'), json, async (request, response) => {
    const body = request.body ?? {};
    const free = () => call('draft_swap', body);
    const result = await bought(endpoints.swapDraft, request, response, body, ofTool('draft_swap', body), free);
    if (result !== undefined) answer(response, endpoints.swapDraft, result as AnswerOf<typeof endpoints.swapDraft>);
  });

  router.post(endpoints.deskQuote.path, limit('desk-quote'), json, async (request, response) => {
    if (deskQuote === undefined) {
      return sendProblem(response, 'not_found', 'This chain has no quote desk: it has a real market.');
    }
    const body = request.body ?? {};
    const read = () => readDeskOrder(body, assets);
    const free = async () => {
      const order = read();
      return order.ok ? deskQuote(order.value) : order;
    };
    const asked = () => {
      const order = read();
      return order.ok ? success(callOf(DESK_QUOTE, body, order.value)) : order;
    };
    const result = await bought(endpoints.deskQuote, request, response, body, asked, free);
    if (result !== undefined) answer(response, endpoints.deskQuote, result as AnswerOf<typeof endpoints.deskQuote>);
  });
  return router;
}

type AnswerOf<To extends Endpoint> = Result<z.input<To['answer']>>;

/** Name of the desk quote in payments, like a tool's name. */
export const DESK_QUOTE = 'desk_quote';

/** Reads an order of the desk, as the page and payers send it. Refuses what no market can answer. */
export function readDeskOrder(body: unknown, assets: readonly Asset[]): Result<DeskRequest> {
  const schema = endpoints.deskQuote.body;
  const given = readInput(schema, body);
  if (!given.ok) return given;
  const { side: _, ...order } = given.value;
  return readTrade(order, assets, { usdWad: 0n });
}

function answer<To extends Endpoint>(response: Response, _to: To, result: AnswerOf<To>): void {
  if (result.ok) response.json(result.value);
  else sendFailure(response, result);
}
