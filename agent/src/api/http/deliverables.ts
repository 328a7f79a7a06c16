import type { Deliverable, DeliverableStore, Escrow } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import { sendProblem } from '@bowline/http/problem';
import { type Response, Router } from 'express';
import { endpoints } from './endpoints.ts';

/** Serves deliverables by hash or job ID as JSON: exactly the bytes that were hashed. */
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
    sendProblem(response, 'not_found', 'No deliverable has this hash or job ID.');
    return;
  }
  // Content addressed by its hash never changes.
  response.set('Cache-Control', 'public, max-age=31536000, immutable');
  response.json(deliverable.manifest);
}
