import { type Answer, answerJson } from '@bowline/core/domain/answer';
import type { Log } from '@bowline/core/domain/log';
import type { Json } from '@bowline/core/domain/payment';
import { internalFailure, type Result } from '@bowline/core/domain/result';
import { alwaysWith, browserHeadersOf, forPages, onlyHosts } from '@bowline/http/browsers';
import { sendProblem, sendUnreadable } from '@bowline/http/problem';
import { admits, type Limiter } from '@bowline/http/rate-limit';
import compression, { type CompressionFilter } from 'compression';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { z } from 'zod';
import type { Turn } from '../ask/by-model.ts';
import type { Contexts } from '../ask/contexts.ts';
import { inWords } from '../selling/payments/question.ts';
import { MAX_PROMPT_CHARS } from '../tools/schemas.ts';
import { endpoints, isOpen, methodsIn, type PriceShown } from './http/endpoints.ts';
import type { Limits } from './http/limits.ts';
import type { HttpPayments } from './http/payment.ts';
import { sendFailure } from './http/send-failure.ts';

const MAX_BODY_BYTES = 64 * 1024;
const JSON_ONLY = 'Send application/json in UTF-8.';

export interface HttpParts {
  readonly answer: (prompt: string, previous?: readonly Turn[]) => Promise<Result<Answer>>;
  readonly limits: Limits;
  /** Absent: no follow-up questions. */
  readonly contexts?: Contexts;
  /** Absent: answers are free. */
  readonly payment?: PricedAnswers;
  /** Serves everything under /mcp. */
  readonly mcp: RequestHandler;
  /** The A2A agent card and JSON-RPC endpoint. */
  readonly a2a: { readonly card: RequestHandler; readonly rpc: RequestHandler };
  /** Serves deliverables; absent if nothing is sold. */
  readonly deliverables?: RequestHandler;
  /** Further routes: the tools over plain HTTP, and operations. */
  readonly routes?: readonly RequestHandler[];
  /** Public base URL of this service, without a trailing slash. Absent: the types of problems name no host. */
  readonly publicUrl?: string;
  /** Accepted host names of requests and of pages that call this service; `*` accepts all. */
  readonly allowedHosts: readonly string[];
  readonly log: Log;
}

type Asked = z.output<typeof endpoints.ask.body>;

interface PricedAnswers {
  /** Price of an answer for display. */
  readonly shown: PriceShown;
  readonly payments: HttpPayments;
  /** Whether a question costs nothing. */
  readonly isFree: (prompt: string) => boolean;
  /** Answers what costs nothing. */
  readonly answerFree: (prompt: string) => Promise<Result<Answer>>;
}

/** All public interfaces as one Express app. The caller listens. */
export function createApp(parts: HttpParts): Express {
  const { limits, mcp, a2a, deliverables, routes = [], publicUrl = '', allowedHosts, log } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.locals.publicUrl = publicUrl;
  app.use(
    alwaysWith(browserHeadersOf(publicUrl)),
    onlyHosts(allowedHosts, undefined, isOpen),
    forPages(isOpen),
    compression({ filter: isNoStream }),
    limits.noteCaller,
  );
  app.use(refuseOtherMethods);
  app.use('/mcp', limits.chattyDoor('mcp'), mcp);

  app.route(endpoints.ping.path).get((_request, response) => {
    response.json({ status: 'HEALTHY' });
  });

  app
    .route(endpoints.terms.path)
    .get((_request, response) => {
      response.json(termsOf(parts));
    })
    .post(...askOf(parts));

  app.use(endpoints.card.path, a2a.card);
  // The card's path before A2A 0.3.
  app.get('/.well-known/agent.json', (_request, response) => response.redirect(308, endpoints.card.path));
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

function termsOf({ limits, payment }: HttpParts): z.input<typeof endpoints.terms.answer> {
  const { requests, seconds } = limits.answers.others;
  return {
    price_usd: 0,
    ...payment?.shown,
    limit: { requests, seconds },
    max_prompt_chars: MAX_PROMPT_CHARS,
    max_body_bytes: MAX_BODY_BYTES,
    example: { prompt: 'Is BTCB fairly priced right now?' },
  };
}

// Not strict: 5 is valid JSON but not a valid prompt.
const json = express.json({ limit: MAX_BODY_BYTES, strict: false });

/** A question in plain English, paid or not. */
function askOf(parts: HttpParts): RequestHandler[] {
  const { limits, payment } = parts;
  const isUnpriced = ({ body }: Request): boolean => {
    const { success, data } = endpoints.ask.body.safeParse(body);
    return success && payment?.isFree(wholeOf(parts, data)) === true;
  };
  // Requests without payment learn how to pay first, whatever is wrong with them. All other errors are found before
  // a payment is taken.
  const priceFirst: RequestHandler = (request, response, next) => {
    if (payment === undefined || limits.isPage(request) || payment.payments.isPaying(request)) return next();
    json(request, response, () => (isUnpriced(request) ? next() : payment.payments.ask(response, endpoints.ask.path)));
  };
  const ask: RequestHandler = async (request, response) => {
    const answered = await answeredTo(parts, request, response);
    if (answered === undefined) return;
    if (!answered.ok) return sendFailure(response, answered);
    response.json(answerJson(answered.value as unknown as Answer));
  };
  return [limits.refusals, priceFirst, jsonOnly, json, promptOnly, ask];
}

/** The question with what its context adds. */
const wholeOf = ({ contexts }: HttpParts, { prompt, context_id }: Asked): string =>
  contexts?.whole(prompt, context_id) ?? prompt;

/** Undefined if the response has been sent: the request is over a limit, or its payment was refused. */
async function answeredTo(
  parts: HttpParts,
  request: Request,
  response: Response,
): Promise<Result<Json> | Result<Answer> | undefined> {
  const { answer, limits, contexts, payment } = parts;
  const { answers, isPage } = limits;
  const { context_id } = request.body;
  const prompt = wholeOf(parts, request.body);
  const inContext = async (): Promise<Result<Answer>> => {
    const answered = await answer(prompt, contexts?.turns(context_id));
    if (answered.ok) contexts?.answered(prompt, answered.value.text, context_id);
    return answered;
  };
  contexts?.note(prompt, context_id);
  /** Paid answers are counted by `pay` itself, once the payment is proved. A rejected request uses up nothing. */
  const counted = async <Answered>(limit: Limiter, work: () => Promise<Answered>) =>
    admits(limit, limit.take(), response) ? await work() : undefined;
  if (payment === undefined) return counted(isPage(request) ? answers.page : answers.others, inContext);
  if (isPage(request)) return counted(limits.pageUnpaid, inContext);
  if (payment.isFree(prompt)) return counted(limits.free, () => payment.answerFree(prompt));
  return payment.payments.pay(request, response, endpoints.ask.path, answers.others, inWords(prompt));
}

const methodsOf = methodsIn(endpoints);

/** A path that accepts the method responds itself, even if only with not found. */
const refuseOtherMethods: RequestHandler = (request, response, next) => {
  const methods = methodsOf(request.path);
  if (methods === undefined || methods.includes(request.method)) return next();
  const allowed = methods.join(', ');
  response.set('Allow', allowed);
  sendProblem(response, 'method_not_allowed', `Use ${allowed}.`);
};

/** Event streams stay uncompressed, so that each event arrives when it is written. */
const isNoStream: CompressionFilter = (request, response) =>
  !String(response.getHeader('content-type')).startsWith('text/event-stream') && compression.filter(request, response);

// An empty body is reported as a missing prompt, not as a wrong type.
const jsonOnly: RequestHandler = (request, response, next) => {
  if (request.is('application/json') !== false || request.get('content-length') === '0') return next();
  sendProblem(response, 'unsupported_media_type', JSON_ONLY);
};

const promptOnly: RequestHandler = (request, response, next) => {
  if (endpoints.ask.body.safeParse(request.body).success) return next();
  const detail = `Send {"prompt": "..."} with 1 to ${MAX_PROMPT_CHARS} characters of text, and, if any, a context_id of 16 to 128 letters and digits.`;
  sendProblem(response, 'invalid_prompt', detail);
};

function onError(log: Log): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (sendUnreadable(response, error)) return;
    log.error('http.internal', { path: request.path, error: String(error) });
    sendProblem(response, 'internal', internalFailure.message);
  };
}
