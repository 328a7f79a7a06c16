import type { Readiness } from '@bowline/core/domain/readiness';
import { Router } from 'express';
import { endpoints } from './endpoints.ts';

export interface OperationsParts {
  readonly version: string;
  readonly readiness: () => Promise<Readiness>;
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly openApi: Readonly<Record<string, unknown>>;
}

/** Endpoints for operators: liveness, readiness, metrics and the API description. */
export function createOperations({ version, readiness, metrics, openApi }: OperationsParts): Router {
  const router = Router();
  router.get(endpoints.ready.path, async (_request, response) => {
    const { ready, dependencies } = await readiness();
    response.set('Cache-Control', 'no-store');
    response.status(ready ? 200 : 503).json({ status: ready ? 'READY' : 'NOT_READY', version, dependencies });
  });
  router.get(endpoints.metrics.path, async (_request, response) => {
    const { type, text } = await metrics();
    response.set('Cache-Control', 'no-store').set('Content-Type', type).send(text);
  });
  router.get(endpoints.openApi.path, (_request, response) => {
    response.json(openApi);
  });
  return router;
}
