import type { Deliverable, DeliverableStore, Escrow } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import { sendProblem } from '@bowline/http/problem';
import { type Response, Router } from 'express';
import { endpoints } from './endpoints.ts';

/** What was delivered, for whoever holds its hash or its job's number: the same bytes that were hashed, as JSON. */
export function createDeliverables(store: DeliverableStore, escrow: Pick<Escrow, 'job'>): Router {
  const router = Router();

  router.get(endpoints.deliverable.path, async ({ params }, response) => {
    const { data } = endpoints.deliverable.params.safeParse(params);
    show(response, data && (await store.byHash(data.hash)));
  });

  router.get(endpoints.jobResponse.path, async ({ params }, response) => {
    const { data } = endpoints.jobResponse.params.safeParse(params);
    try {
      const found = data && (await escrow.job(BigInt(data.id)));
      show(response, found && (await store.byHash(found.job.deliverable)));
    } catch (error) {
      if (!(error instanceof BowlineError) || error.code !== 'chain_unavailable') throw error;
      sendProblem(response, error.code, error.message);
    }
  });

  return router;
}

function show(response: Response, deliverable: Deliverable | undefined): void {
  if (deliverable === undefined) {
    sendProblem(response, 'not_found', 'Nothing was delivered under this name.');
    return;
  }
  // What has this hash never changes.
  response.set('Cache-Control', 'public, max-age=31536000, immutable');
  response.json(deliverable.manifest);
}
