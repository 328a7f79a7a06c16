import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Secret } from './secret.ts';

// How the agent knows the server of its own page: both have PAGE_SECRET, and the page's server sends it with each
// request. An address proves nothing: behind a proxy everybody comes from the same one.

const header = 'x-bowline-page';

/** The header that the page's server sends to the agent; none without a secret. */
export const pageHeaders = (secret: Secret | undefined): Readonly<Record<string, string>> =>
  secret === undefined ? {} : { [header]: secret.reveal() };

export type IsPage = (request: Pick<IncomingMessage, 'headers'>) => boolean;

/** Recognises requests of the page's server; without a secret, none. Takes the same time whatever was sent. */
export function pageRecogniser(secret: Secret | undefined): IsPage {
  if (secret === undefined) return () => false;
  // Digests have one length, and timingSafeEqual compares nothing else.
  const known = digest(secret.reveal());
  return ({ headers }) => {
    const sent = headers[header];
    return typeof sent === 'string' && timingSafeEqual(digest(sent), known);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
