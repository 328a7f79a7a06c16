import { alwaysWith, browserHeadersOf, forPages, onlyHosts } from '@bowline/http/browsers';
import { sendProblem } from '@bowline/http/problem';
import express, { type Express } from 'express';
import type { z } from 'zod';
import { endpoints } from './endpoints.ts';

/**
 * Answers while the agent starts: the process is alive but not ready.
 * @param publicUrl of this service, without a trailing slash; absent: the types of problems name no host.
 */
export function createStarting(version: string, allowedHosts: readonly string[], publicUrl = ''): Express {
  const app = express();
  app.disable('x-powered-by');
  app.locals.publicUrl = publicUrl;
  app.use(alwaysWith(browserHeadersOf(publicUrl)), onlyHosts(allowedHosts), forPages());
  app.get(endpoints.ping.path, (_request, response) => {
    response.json({ status: 'HEALTHY' } satisfies z.input<typeof endpoints.ping.answer>);
  });
  app.get(endpoints.ready.path, (_request, response) => {
    const notReady = { status: 'NOT_READY', version, dependencies: {} } satisfies z.input<
      typeof endpoints.ready.answer
    >;
    response.set('Cache-Control', 'no-store').status(503).json(notReady);
  });
  app.use((_request, response) => {
    response.set('Retry-After', '1');
    sendProblem(response, 'starting', 'The agent is starting. Retry in a second.');
  });
  return app;
}
