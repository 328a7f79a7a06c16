import type { Answer } from '@bowline/core/domain/answer';
import type { Log } from '@bowline/core/domain/ports';
import type { Result } from '@bowline/core/domain/result';
import { onlyHosts } from '@bowline/http/allowed-hosts';
import { forBrowsers } from '@bowline/http/browsers';
import { isProblemCode, sendProblem } from '@bowline/http/problem';
import { admits } from '@bowline/http/rate-limit';
import compression, { type CompressionFilter } from 'compression';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import type { z } from 'zod';
import type { Paywall } from '../payments/paywall.ts';
import { endpoints, MAX_PROMPT_CHARS, methodsIn, type PriceShown } from './http/endpoints.ts';
import type { Limits } from './http/limits.ts';

const MAX_BODY_BYTES = 64 * 1024;
const JSON_ONLY = 'Send application/json in UTF-8.';

export interface HttpParts {
  readonly answer: (prompt: string) => Promise<Result<Answer>>;
  readonly limits: Limits;
  /** Price of an answer for display, and the paywall that charges it. Absent: answers are free. */
  readonly payment?: { readonly shown: PriceShown; readonly paywall: Paywall<Answer> };
  /** Serves everything under /mcp. */
  readonly mcp: RequestHandler;
  /** The A2A agent card and JSON-RPC endpoint. */
  readonly a2a: { readonly card: RequestHandler; readonly rpc: RequestHandler };
  /** Serves deliverables; absent if nothing is sold. */
  readonly deliverables?: RequestHandler;
  /** Further routes: the tools over plain HTTP, and operations. */
  readonly routes?: readonly RequestHandler[];
  /** Whether the public address is https. */
  readonly isHttps?: boolean;
  /** Accepted host names of requests and of pages that call this service; `*` accepts all. */
  readonly allowedHosts: readonly string[];
  readonly log: Log;
}

/** All public interfaces as one Express app. The caller listens. */
export function createApp({
  answer,
  limits,
  payment,
  mcp,
  a2a,
  deliverables,
  routes = [],
  isHttps = false,
  allowedHosts,
  log,
}: HttpParts): Express {
  const { answers, isPage } = limits;
  // The paywall counts answers itself, after it has verified their payment.
  const counted: RequestHandler = (request, response, next) => {
    const limit = isPage(request) ? answers.page : answers.others;
    if (payment !== undefined || admits(limit, limit.take(), response)) next();
  };
  const app = express();
  app.disable('x-powered-by');
  app.use(onlyHosts(allowedHosts), forBrowsers(isHttps), compression({ filter: isNoStream }));
  app.use(refuseOtherMethods);

  app.route(endpoints.ping.path).get((_request, response) => {
    response.json({ status: 'HEALTHY' });
  });

  app
    .route(endpoints.terms.path)
    .get((_request, response) => {
      const terms: z.input<typeof endpoints.terms.answer> = {
        price_usd: 0,
        ...payment?.shown,
        limit: { requests: answers.others.requests, seconds: answers.others.seconds },
        max_prompt_chars: MAX_PROMPT_CHARS,
        max_body_bytes: MAX_BODY_BYTES,
        example: { prompt: 'Is BTCB fairly priced right now?' },
      };
      response.json(terms);
    })
    .post(
      limits.refusals,
      // Requests without payment learn how to pay first, whatever else is wrong. All other errors are found before a
      // payment is taken.
      async (request, response, next) => {
        if (payment === undefined || signedPayment(request) !== undefined) return next();
        await payment.paywall.ask(response);
      },
      jsonOnly,
      // Not strict: 5 is valid JSON but not a valid prompt.
      express.json({ limit: MAX_BODY_BYTES, strict: false }),
      promptOnly,
      // Last, so that a rejected request does not use up the caller's limit.
      counted,
      async (request, response) => {
        const { prompt } = request.body;
        const signed = signedPayment(request);
        const answered =
          payment === undefined || signed === undefined
            ? await answer(prompt)
            : await payment.paywall.serve(signed, prompt, () => answer(prompt), response);
        if (answered === undefined) return;
        if (!answered.ok) {
          return sendProblem(response, isProblemCode(answered.code) ? answered.code : 'internal', answered.message);
        }
        const { text, tools, tickets, choices, answeredBy } = answered.value;
        response.json({ result: text, tools, tickets, choices, answered_by: answeredBy });
      },
    );

  app.use('/mcp', limits.chattyDoor('mcp'), mcp);
  app.use('/.well-known/agent-card.json', a2a.card);
  if (deliverables) app.use(['/deliverables', '/job'], limits.door('deliverables'));
  if (deliverables) app.use(deliverables);
  for (const routed of routes) app.use(routed);
  // Some buyers post to the root of the card's address.
  const a2aLimited = [limits.door('a2a'), a2a.rpc];
  app.post('/', ...a2aLimited);
  app.use('/a2a', ...a2aLimited);
  app.use((_request, response) => sendProblem(response, 'not_found', 'No endpoint has this path.'));
  app.use(onError(log));
  return app;
}

/** Payment header of x402 v2, or its older name. */
const signedPayment = (request: Request): string | undefined =>
  request.get('payment-signature') ?? request.get('x-payment');

const methodsOf = methodsIn(endpoints);

/** A path that takes the method answers for itself, if only that nothing is there. */
const refuseOtherMethods: RequestHandler = (request, response, next) => {
  const methods = methodsOf(request.path);
  if (methods === undefined || methods.includes(request.method)) return next();
  const allowed = methods.join(', ');
  response.set('Allow', allowed);
  sendProblem(response, 'method_not_allowed', `Use ${allowed}.`);
};

/** What is written piece by piece must arrive so. */
const isNoStream: CompressionFilter = (request, response) =>
  !String(response.getHeader('content-type')).startsWith('text/event-stream') && compression.filter(request, response);

// An empty body is reported as a missing prompt, not as a wrong type.
const jsonOnly: RequestHandler = (request, response, next) => {
  if (request.is('application/json') !== false || request.get('content-length') === '0') return next();
  sendProblem(response, 'unsupported_media_type', JSON_ONLY);
};

const promptOnly: RequestHandler = (request, response, next) => {
  if (endpoints.ask.body.safeParse(request.body).success) return next();
  const detail = `Send {"prompt": "..."} with 1 to ${MAX_PROMPT_CHARS} characters of text.`;
  sendProblem(response, 'invalid_prompt', detail);
};

function onError(log: Log): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    switch ((error as { status?: unknown }).status) {
      case 400:
        return sendProblem(response, 'invalid_json', 'The body is not valid JSON.');
      case 413:
        return sendProblem(response, 'body_too_large', `The body is over ${MAX_BODY_BYTES} bytes.`);
      case 415:
        return sendProblem(
          response,
          'unsupported_media_type',
          'Send application/json, uncompressed or gzip, in UTF-8.',
        );
      default:
        log.error('http.internal', { path: request.path, error: String(error) });
        return sendProblem(response, 'internal', 'Internal error. It has been logged.');
    }
  };
}
