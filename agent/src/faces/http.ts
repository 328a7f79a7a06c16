import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Answer } from '../domain/answer.ts';
import type { Log } from '../domain/ports.ts';
import type { Result } from '../domain/result.ts';
import { onlyHosts } from './http/allowed-hosts.ts';
import { isProblemCode, sendProblem } from './http/problem.ts';
import { rateLimit } from './http/rate-limit.ts';

const MOST_BODY_BYTES = 64 * 1024;
const MOST_PROMPT_CHARS = 4_000;
const JSON_ONLY = 'Send application/json in UTF-8.';
const promptLimit = { name: 'x402', requests: 20, seconds: 60 };
const mcpLimit = { name: 'mcp', requests: 120, seconds: 60 };

export interface HttpFace {
  readonly answer: (prompt: string) => Promise<Result<Answer>>;
  /** Serves everything under /mcp. */
  readonly mcp: RequestHandler;
  /** Host names that the service may be called by, and that pages which call it may stand at; `*` is all. */
  readonly allowedHosts: readonly string[];
  readonly log: Log;
  /** Wall time in milliseconds. */
  readonly nowMs: () => number;
}

/** Everything the outside speaks with, as one Express app. Whoever calls this listens. */
export function createApp({ answer, mcp, allowedHosts, log, nowMs }: HttpFace): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(onlyHosts(allowedHosts));

  app
    .route('/ping')
    .get((_request, response) => {
      response.json({ status: 'HEALTHY' });
    })
    .all(allowOnly('GET, HEAD'));

  app
    .route('/x402')
    .get((_request, response) => {
      response.json({
        price_usd: 0,
        limit: { requests: promptLimit.requests, seconds: promptLimit.seconds },
        max_prompt_chars: MOST_PROMPT_CHARS,
        max_body_bytes: MOST_BODY_BYTES,
        example: { prompt: 'Is BTCB fairly priced right now?' },
      });
    })
    .post(
      jsonOnly,
      // Not strict: 5 is JSON, and no prompt.
      express.json({ limit: MOST_BODY_BYTES, strict: false }),
      promptOnly,
      // Last, so that what is refused for what it says costs nobody a question.
      rateLimit(promptLimit, nowMs),
      async (request, response) => {
        const answered = await answer(request.body.prompt);
        if (!answered.ok) {
          return sendProblem(response, isProblemCode(answered.code) ? answered.code : 'internal', answered.message);
        }
        const { text, tools, answeredBy } = answered.value;
        response.json({ result: text, tools, tickets: [], answered_by: answeredBy });
      },
    )
    .all(allowOnly('GET, HEAD, POST'));

  app.use('/mcp', rateLimit(mcpLimit, nowMs), mcp);

  app.use((_request, response) => sendProblem(response, 'not_found', 'There is nothing here.'));
  app.use(onError(log));
  return app;
}

const allowOnly =
  (methods: string): RequestHandler =>
  (_request, response) => {
    response.set('Allow', methods);
    sendProblem(response, 'method_not_allowed', `Only ${methods} here.`);
  };

// Without a body it is the prompt that is missing, not its type that is wrong.
const jsonOnly: RequestHandler = (request, response, next) => {
  if (request.is('application/json') !== false || request.get('content-length') === '0') return next();
  sendProblem(response, 'unsupported_media_type', JSON_ONLY);
};

const promptOnly: RequestHandler = (request, response, next) => {
  if (hasPrompt(request.body)) return next();
  const detail = `Send {"prompt": "..."} with 1 to ${MOST_PROMPT_CHARS} characters of text.`;
  sendProblem(response, 'invalid_prompt', detail);
};

function hasPrompt(body: unknown): body is { readonly prompt: string } {
  if (typeof body !== 'object' || body === null || !('prompt' in body)) return false;
  const { prompt } = body;
  // Counted as people count: an emoji is two units of a JavaScript string.
  return typeof prompt === 'string' && prompt.trim() !== '' && [...prompt].length <= MOST_PROMPT_CHARS;
}

function onError(log: Log): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    switch ((error as { status?: unknown }).status) {
      case 400:
        return sendProblem(response, 'invalid_json', 'The body is not valid JSON.');
      case 413:
        return sendProblem(response, 'body_too_large', `The body is over ${MOST_BODY_BYTES} bytes.`);
      case 415:
        return sendProblem(
          response,
          'unsupported_media_type',
          'Send application/json, uncompressed or gzip, in UTF-8.',
        );
      default:
        log.error('http.internal', { path: request.path, error: String(error) });
        return sendProblem(response, 'internal', 'Something went wrong here. The error has been logged.');
    }
  };
}
