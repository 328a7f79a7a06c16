import { type RequestHandler, Router } from 'express';
import type { z } from 'zod';
import { description } from './discovery.ts';
import { endpoints } from './endpoints.ts';

/** An entry in a registry of ERC-8004, as `npx bowline register` writes it. */
interface Registration {
  readonly agentId: string;
  readonly agentRegistry: string;
}

export interface RegistrationParts {
  /** Public base URL of this service, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
  readonly isPaid: boolean;
  /** Undefined if the agent is not registered. Read at each request. */
  readonly registered: () => Promise<Registration | undefined>;
  /** Public keys that sign the agent's card. */
  readonly keys: z.input<typeof endpoints.jwks.answer>['keys'];
}

/** The agent's picture in registries: a loop that holds. */
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#0b2239"/>' +
  '<path d="M32 58V34a14 14 0 1 1 10-4c-5 5-22 2-22-8" fill="none" stroke="#f0b90b" stroke-width="6" stroke-linecap="round"/></svg>';

/** The agent's ERC-8004 registration and picture, and the keys that verify its card. */
export function createIdentity(parts: RegistrationParts): Router {
  const { publicUrl, version, isPaid, registered, keys } = parts;
  const cached: RequestHandler = (_request, response, next) => {
    response.set('Cache-Control', 'public, max-age=300');
    next();
  };
  const router = Router();
  router.get(endpoints.jwks.path, cached, (_request, response) => {
    response.json({ keys } satisfies z.input<typeof endpoints.jwks.answer>);
  });
  router.get(endpoints.picture.path, cached, (_request, response) => {
    // Registries show it on their own pages.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin').type('image/svg+xml').send(picture);
  });
  router.get(endpoints.registration.path, cached, async (_request, response) => {
    const entry = await registered();
    const file: z.input<typeof endpoints.registration.answer> = {
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: 'Bowline',
      description,
      image: `${publicUrl}${endpoints.picture.path}`,
      services: [
        { name: 'A2A', endpoint: `${publicUrl}${endpoints.card.path}`, version: '1.0' },
        { name: 'MCP', endpoint: `${publicUrl}${endpoints.mcp.path}`, version: '2026-07-28' },
        { name: 'web', endpoint: `${publicUrl}${endpoints.openApi.path}`, version },
        // Where the agent is, and its contracts, for findAgent of packages/sdk.
        { name: 'bowline', endpoint: `${publicUrl}${endpoints.deployment.path}`, version },
      ],
      x402Support: isPaid,
      active: true,
      registrations: entry ? [{ agentId: Number(entry.agentId), agentRegistry: entry.agentRegistry }] : [],
      supportedTrust: ['reputation'],
    };
    response.json(file);
  });
  return router;
}
