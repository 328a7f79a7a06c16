import type { Router } from 'express';
import { createCardSigner } from '../api/a2a/signature.ts';
import { type A2aParts, createA2a } from '../api/a2a.ts';
import { endpoints } from '../api/http/endpoints.ts';
import { createIdentity, type RegistrationParts } from '../api/http/registration.ts';
import type { Config } from '../config.ts';
import { cardKeyOf } from '../process/card-key.ts';
import { readRegistration } from '../process/registration.ts';
import { cardSecret } from './keys.ts';
import type { Selling } from './seller.ts';

/** A2A with a signed card. */
export function openA2a(
  config: Config,
  parts: Omit<A2aParts, 'jobs' | 'sign' | 'seller'> & { readonly selling: Selling | undefined },
): ReturnType<typeof createA2a> & Pick<RegistrationParts, 'keys'> {
  const { selling, ...rest } = parts;
  const { publicUrl } = rest;
  const secret = cardSecret(config);
  const pair = secret && cardKeyOf(secret);
  const a2a = createA2a({
    ...rest,
    ...(selling && { seller: selling.seller, jobs: selling.jobs }),
    ...(pair && { sign: createCardSigner({ ...pair.key, d: pair.d }, `${publicUrl}${endpoints.jwks.path}`) }),
  });
  return { ...a2a, keys: pair ? [pair.key] : [] };
}

/** The agent's documents of ERC-8004, with what `npx bowline register` has written. */
export const identityOf = (config: Config, parts: Omit<RegistrationParts, 'registered'>): Router =>
  createIdentity({ ...parts, registered: () => readRegistration(config.registration) });
