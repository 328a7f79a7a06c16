import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { addressesOf, type Resolve } from './resolve.ts';

/** `status`: the receiver's. Otherwise why there is none. */
export type Posted =
  | { readonly status: number }
  | { readonly failed: 'host_unknown' | 'address_not_public' | 'unreachable' | 'timeout' };

export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Posted>;

export interface PostOptions {
  /** Limits its own time. */
  readonly resolve: Resolve;
  /** Whether a connection to this IP address may be opened. */
  readonly isAllowed?: (address: string) => boolean;
  /** For connection and answer. */
  readonly timeoutMs?: number;
  /** Certificates to trust in place of the system's, as PEM. */
  readonly ca?: string;
}

const MAX_HEADER_BYTES = 8_192;
const MAX_BODY_BYTES = 4_096;

/**
 * Posts to URLs that strangers have named. The host is resolved once; each of its addresses must be allowed, and the
 * connection goes to the first of either family, so that a name cannot resolve to something else in between. Follows no
 * redirect, keeps no connection, and reads no more of the answer than its status. Never rejects.
 */
export function createPost({ resolve, isAllowed = isPublicAddress, timeoutMs = 5_000, ca }: PostOptions): Post {
  async function post(
    target: URL,
    known: readonly LookupAddress[],
    { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
    signal: AbortSignal,
  ): Promise<Posted> {
    const send = target.protocol === 'http:' ? requestHttp : requestHttps;
    const { promise, resolve: settle } = Promise.withResolvers<Posted>();
    const [first] = known;
    const request = send(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A keep-alive connection may lead to an address of an earlier request.
        agent: false,
        signal,
        maxHeaderSize: MAX_HEADER_BYTES,
        // No second lookup. The host name stays the URL's, and so does the name that the certificate must match.
        lookup: (_hostname, options, answer) => {
          if (options.all) answer(null, [...known]);
          else answer(null, first?.address ?? '', first?.family);
        },
        ...(ca !== undefined && { ca }),
      },
      (response) => {
        drain(response);
        settle({ status: response.statusCode ?? 0 });
      },
    );
    const fail = () => settle({ failed: signal.aborted ? 'timeout' : 'unreachable' });
    request.on('error', fail);
    // The only event of a connection that the receiver upgrades.
    request.on('close', fail);
    request.end(body);
    return promise;
  }

  return async (url, headers, body) => {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const target = new URL(url);
      const addresses = await addressesOf(target, resolve);
      if (addresses.length === 0) return { failed: 'host_unknown' };
      const areAllowed = addresses.every((address) => isIP(address) !== 0 && isAllowed(address));
      if (!areAllowed) return { failed: 'address_not_public' };
      // Starts only now: the lookup may have waited for other names to be resolved.
      timer = setTimeout(() => abort.abort(), timeoutMs);
      return await post(target, firstOfEach(addresses), { headers, body }, abort.signal);
    } catch {
      return { failed: 'unreachable' };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The first address of either family: not every machine can reach both. */
function firstOfEach(addresses: readonly string[]): readonly LookupAddress[] {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  return [4, 6].flatMap((family) => known.find((each) => each.family === family) ?? []);
}

/** Lets a short answer end as usual and cuts off a long or slow one. */
function drain(response: IncomingMessage): void {
  let length = 0;
  const cut = setTimeout(() => response.destroy(), 1_000);
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) response.destroy();
  });
  response.on('error', () => {});
  response.on('close', () => clearTimeout(cut));
}
