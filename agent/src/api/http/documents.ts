import type { Deliverable, DeliverableStore, Escrow } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import { sendProblem } from '@bowline/http/problem';
import { type RequestHandler, type Response, Router } from 'express';
import { endpoints } from './endpoints.ts';

// Documents served by their hash, as exactly the bytes that were hashed.

/** @param read evidence by its hash, or by the 19 bytes that a record has; undefined if there is none. */
export function createEvidence(read: (hash: string) => Promise<string | undefined>, limit: RequestHandler): Router {
  const router = Router();
  router.get(endpoints.evidence.path, limit, async ({ params }, response) => {
    const { data } = endpoints.evidence.params.safeParse(params);
    const text = data && (await read(data.hash));
    if (text === undefined) return sendProblem(response, 'not_found', 'No evidence has this hash.');
    forEver(response).type('application/json').send(text);
  });
  return router;
}

/** Serves deliverables by hash or job ID. */
export function createDeliverables(store: DeliverableStore, escrow: Pick<Escrow, 'job'>): Router {
  const router = Router();
  const show = (response: Response, deliverable: Deliverable | undefined) => {
    if (deliverable !== undefined) forEver(response).json(deliverable.manifest);
    else sendProblem(response, 'not_found', 'No deliverable has this hash or job ID.');
  };
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

/** Content addressed by its hash never changes. */
const forEver = (response: Response): Response => response.set('Cache-Control', 'public, max-age=31536000, immutable');
