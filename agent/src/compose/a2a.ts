import type { Log } from '@bowline/core/domain/log';
import type { Router } from 'express';
import { keptReceivers, openPushes, unwritable } from '../api/a2a/push.ts';
import { createCardSigner } from '../api/a2a/signature.ts';
import { type A2aParts, createA2a } from '../api/a2a.ts';
import { endpoints } from '../api/http/endpoints.ts';
import { createIdentity, type RegistrationParts } from '../api/http/registration.ts';
import type { Config } from '../config.ts';
import { isDeliverable, isWebhookUrl } from '../notify/addresses.ts';
import { createPost } from '../notify/post.ts';
import { createResolve } from '../notify/resolve.ts';
import { cardKeyOf } from '../process/card-key.ts';
import { openPrivateFiles } from '../process/private-files.ts';
import { readRegistration } from '../process/registration.ts';
import { cardSecret } from './keys.ts';
import type { Selling } from './seller.ts';
import { clock, timers } from './time.ts';

/** A2A with what buyers who wait for a job need, and a signed card. */
export async function openA2a(
  config: Config,
  parts: Omit<A2aParts, 'jobs' | 'sign' | 'seller' | 'startedAt'> & { readonly selling: Selling | undefined },
): Promise<ReturnType<typeof createA2a> & Pick<RegistrationParts, 'keys'>> {
  const { selling, ...rest } = parts;
  const { publicUrl, log } = rest;
  const secret = cardSecret(config);
  const pair = secret && cardKeyOf(secret);
  const a2a = createA2a({
    ...rest,
    startedAt: clock(),
    ...(selling && { seller: selling.seller, jobs: await jobsOf(config, selling, log) }),
    ...(pair && { sign: createCardSigner({ ...pair.key, d: pair.d }, `${publicUrl}${endpoints.jwks.path}`) }),
  });
  return { ...a2a, keys: pair ? [pair.key] : [] };
}

async function jobsOf({ chain, tasks }: Config, { progress, identity }: Selling, log: Log) {
  const isLocal = chain === 'local';
  const isAllowed = isDeliverable(isLocal);
  const post = createPost({ resolve: createResolve(), isAllowed });
  const remedy = 'Restore the file, or move it away.';
  const files = await openPrivateFiles(new URL('receivers/', tasks), keptReceivers, (file, error) =>
    log.error('push.unreadable', { file, error, remedy }),
  ).catch((error: unknown) => {
    log.error('push.off', { error, remedy: 'Correct the cause and restart. Jobs are delivered all the same.' });
    return unwritable;
  });
  const pushes = await openPushes({ files, seller: identity, progress, post, timers, nowMs: Date.now, log });
  return { progress, pushes, isPushUrl: (url: string) => isWebhookUrl(url, isLocal) };
}

/** The agent's documents of ERC-8004, with what `npx bowline register` has written. */
export const identityOf = (config: Config, parts: Omit<RegistrationParts, 'registered'>): Router =>
  createIdentity({ ...parts, registered: () => readRegistration(config.registration) });
