import { onlyHosts } from '@bowline/http/allowed-hosts';
import { sendProblem } from '@bowline/http/problem';
import express, { type Express } from 'express';

/** Answers while the agent starts: the process is alive but not ready. */
export function createStarting(allowedHosts: readonly string[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(onlyHosts(allowedHosts));
  app.get('/ping', (_request, response) => {
    response.json({ status: 'HEALTHY' });
  });
  app.get('/ready', (_request, response) => {
    response.set('Cache-Control', 'no-store').status(503).json({ status: 'NOT_READY', dependencies: {} });
  });
  app.use((_request, response) => {
    response.set('Retry-After', '1');
    sendProblem(response, 'starting', 'The agent is starting. Retry in a second.');
  });
  return app;
}
