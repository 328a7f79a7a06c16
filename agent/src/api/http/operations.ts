import type { Readiness } from '@bowline/core/domain/readiness';
import { sendProblem } from '@bowline/http/problem';
import { type RequestHandler, Router } from 'express';
import type { z } from 'zod';
import { endpoints, LEFT_OUT_PAGE } from './endpoints.ts';

type Served = z.input<typeof endpoints.served.answer>;

export interface OperationsParts {
  readonly version: string;
  readonly readiness: () => Promise<Readiness>;
  /** What the agent leaves out; `items` is undefined until that is known. */
  readonly leftOut: {
    counts(): NonNullable<z.input<typeof endpoints.ready.answer>['not_served']>;
    items(): readonly Served['left_out'][number][] | undefined;
    readonly runsPlans: boolean;
  };
  readonly limit: RequestHandler;
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  /** Makes the API description, on demand. */
  readonly openApi: () => Readonly<Record<string, unknown>>;
}

/** Endpoints for operators: liveness, readiness, metrics and the API description. */
export function createOperations({ version, readiness, leftOut, limit, metrics, openApi }: OperationsParts): Router {
  const router = Router();
  let description: ReturnType<OperationsParts['openApi']> | undefined;
  router.get(endpoints.ready.path, async (_request, response) => {
    const { ready, dependencies } = await readiness();
    response.set('Cache-Control', 'no-store');
    const status = ready ? 'READY' : 'NOT_READY';
    response.status(ready ? 200 : 503).json({ status, version, not_served: leftOut.counts(), dependencies });
  });
  router.get(endpoints.served.path, limit, ({ query }, response) => {
    const { data } = endpoints.served.query.safeParse(query);
    if (data === undefined) return sendProblem(response, 'invalid_input', 'from: a whole number of up to nine digits.');
    const all = leftOut.items();
    if (all === undefined) return sendProblem(response, 'starting', 'The guards have not been read yet.');
    const from = Number(data.from ?? 0);
    const next = from + LEFT_OUT_PAGE;
    const page: Served = {
      total: all.length,
      left_out: all.slice(from, next),
      next: next < all.length ? next : null,
      runs_plans: leftOut.runsPlans,
    };
    response.set('Cache-Control', 'no-store').json(page);
  });
  router.get(endpoints.metrics.path, async (_request, response) => {
    const { type, text } = await metrics();
    response.set('Cache-Control', 'no-store').set('Content-Type', type).send(text);
  });
  router.get(endpoints.openApi.path, (_request, response) => {
    description ??= openApi();
    response.json(description);
  });
  return router;
}
