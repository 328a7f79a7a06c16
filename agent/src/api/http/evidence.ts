import { sendProblem } from '@bowline/http/problem';
import { type RequestHandler, Router } from 'express';
import { endpoints } from './endpoints.ts';

/**
 * Serves evidence documents: exactly the bytes that were hashed.
 * @param read a document by its hash, or by the 19 bytes that a record has; undefined if there is none.
 */
export function createEvidence(read: (hash: string) => Promise<string | undefined>, limit: RequestHandler): Router {
  const router = Router();
  router.get(endpoints.evidence.path, limit, async ({ params }, response) => {
    const { data } = endpoints.evidence.params.safeParse(params);
    const text = data && (await read(data.hash));
    if (text === undefined) return sendProblem(response, 'not_found', 'No evidence has this hash.');
    // Content addressed by its hash never changes.
    response.set('Cache-Control', 'public, max-age=31536000, immutable');
    response.type('application/json').send(text);
  });
  return router;
}
