import type { RequestHandler } from 'express';

/**
 * Names the protocol's version in the header, by which alone the SDK chooses between its two sides. Clients leave the header
 * out, or write a patch version into it: their method then tells, since 1.0 writes SendMessage and 0.3 message/send. Needs
 * a parsed body.
 */
export const normaliseVersion: RequestHandler = (request, response, next) => {
  const { method, id } = (request.body ?? {}) as { method?: unknown; id?: unknown };
  const stated = (request.get('a2a-version') ?? '').trim();
  const ofMethod = typeof method === 'string' && /^[A-Z]/.test(method) ? '1.0' : '0.3';
  if (stated === '' || /^1\.0(\.\d+)?$/.test(stated)) request.headers['a2a-version'] = ofMethod;
  else if (/^0\.3(\.\d+)?$/.test(stated)) request.headers['a2a-version'] = '0.3';
  else {
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    const error = { code: -32009, message: 'Only versions 1.0 and 0.3 of A2A are spoken here.' };
    response.json({ jsonrpc: '2.0', id: known, error });
    return;
  }
  next();
};
