import type { Asset } from '@bowline/core/domain/assets';
import { BowlineError } from '@bowline/core/domain/result';
import { isOfAddress } from '@bowline/core/schemas';
import { onlyHosts } from '@bowline/http/browsers';
import { callerBehind, pageRecogniser } from '@bowline/http/caller';
import { createFairLimit } from '@bowline/http/fair-limit';
import { sendProblem, sendUnreadable } from '@bowline/http/problem';
import { limited } from '@bowline/http/rate-limit';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { PublicClient } from 'viem';
import type { z } from 'zod';
import { agentAnswer, type PageConfig, type QuoteAnswer, type YearAnswer } from '../wire.ts';
import { type Agent, AgentRefusal } from './agent.ts';
import { buyRequest, createBuy, UnsoundDraft } from './buy.ts';
import { pageFiles } from './files.ts';
import { browserHeaders, forSafeApps } from './headers.ts';

export interface WebApp {
  readonly agent: Agent;
  readonly quotes: () => Promise<QuoteAnswer>;
  /** Undefined for an asset that is not listed. */
  readonly yearOf: (symbol: string) => Promise<YearAnswer | undefined>;
  readonly page: PageConfig;
  /** Used to check the agent's drafts. */
  readonly chain: PublicClient;
  /** Assets with the names that people use for them. */
  readonly assets: readonly Asset[];
  /** Folder of the built page. */
  readonly files: string;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: number;
  /** Monotonic time in milliseconds. */
  readonly nowMs: () => number;
  /** Called with unexpected errors and with refused drafts. */
  readonly report: (error: unknown) => void;
}

const maxBody = '64kb';

/** A few routes, the built page at each of its paths, and its settings. Signs nothing and sends nothing on chain. */
export function createWebApp(parts: WebApp): Express {
  const { agent, quotes, yearOf, page, chain, assets, files, allowedHosts, trustedProxies, nowMs, report } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.use(browserHeaders(page, trustedProxies), onlyHosts(allowedHosts, 'ALLOWED_HOSTS'));
  if (page.safeApps) app.use(forSafeApps);
  // For API answers; the build has already compressed its own files.
  app.use(compression());
  const callers = { callerOf: callerBehind(trustedProxies), isPage: pageRecogniser(undefined) };
  // A single caller may use half of an endpoint's total limit.
  const limit = (name: string, requests: number) =>
    limited(createFairLimit({ name, requests, total: 2 * requests, seconds: 60 }, nowMs), callers);
  const json = [jsonOnly, express.json({ limit: maxBody, strict: true })];
  const buy = createBuy(agent, page, assets, chain);

  app.get('/api/quote', limit('quote', 600), async (_request, response) => void response.json(await quotes()));

  app.get('/api/quote/:symbol', limit('year', 60), async ({ params }, response) => {
    const year = await yearOf(String(params.symbol));
    if (year === undefined) return sendProblem(response, 'unknown_asset', 'No listed asset has this symbol.');
    response.json(year);
  });

  app.post('/api/buy', limit('buy', 60), ...json, async ({ body }, response) => {
    const parsed = buyRequest.safeParse(body);
    if (!parsed.success) {
      const code = isOfAddress(parsed.error) ? 'invalid_address' : 'invalid_input';
      return sendProblem(response, code, complaint(parsed.error));
    }
    response.json(await buy(parsed.data));
  });

  app.post('/api/agent', limit('agent', 20), ...json, async ({ body }, response) => {
    // The agent validates the prompt itself. The page needs only this part of the answer.
    const { prompt, context_id } = (body ?? {}) as { prompt?: unknown; context_id?: unknown };
    const answered = await agent.post('/x402', { prompt, context_id });
    const { data } = agentAnswer.safeParse(answered);
    if (data === undefined) throw new AgentRefusal('agent_unavailable', 'The agent sent an unreadable answer.');
    response.json(data);
  });

  app.get('/api/evidence/:hash', limit('evidence', 240), async ({ params }, response) => {
    const hash = String(params.hash);
    if (!/^0x(?:[0-9a-f]{64}|[0-9a-f]{38})$/.test(hash))
      return sendProblem(response, 'not_found', 'No evidence has this hash.');
    // The page canonicalizes the evidence and compares its hash, so nobody trusts what is served here.
    response.json(await agent.get(`/evidence/${hash}`, {}));
  });

  app.get('/config.json', (_request, response) => void response.set('Cache-Control', 'no-cache').json(page));
  app.use(...pageFiles(files));
  const routes: Record<string, string> = { '/api/quote': 'GET', '/api/buy': 'POST', '/api/agent': 'POST' };
  app.use((request, response) => {
    const method = routes[request.path];
    if (method === undefined) return sendProblem(response, 'not_found', 'There is nothing at this path.');
    response.set('Allow', method);
    sendProblem(response, 'method_not_allowed', `This path accepts only ${method}.`);
  });
  app.use(onError(report));
  return app;
}

const jsonOnly: RequestHandler = (request, response, next) => {
  if (request.is('application/json') !== false) return next();
  sendProblem(response, 'unsupported_media_type', 'Send JSON, with content-type application/json.');
};

function complaint({ issues }: z.ZodError): string {
  const [first] = issues;
  if (first === undefined) return 'The request body is not valid.';
  const path = first.path.join('.');
  return path === '' ? first.message : `${path}: ${first.message}`;
}

function onError(report: WebApp['report']): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof UnsoundDraft) report(error);
    if (error instanceof AgentRefusal) {
      if (error.retryAfter !== undefined) response.set('Retry-After', error.retryAfter);
      return sendProblem(response, error.code, error.message);
    }
    if (error instanceof BowlineError && error.code === 'market_unavailable') {
      return sendProblem(response, error.code, error.message);
    }
    if (sendUnreadable(response, error)) return;
    report(error);
    sendProblem(response, 'internal', 'The page server failed to handle this request.');
  };
}
