import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';

/** All addresses of a host name. Rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** `status`: the receiver's. Otherwise why there is none. */
export type Posted =
  | { readonly status: number }
  | { readonly failed: 'host_unknown' | 'address_not_public' | 'unreachable' | 'timeout' };

export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Posted>;

export interface PostOptions {
  readonly resolve: Resolve;
  /** Whether a connection to this IP address may be opened. */
  readonly isAllowed?: (address: string) => boolean;
  /** For all of one request: names, connection, answer. */
  readonly timeoutMs?: number;
  /** Certificates to trust in place of the system's, as PEM. */
  readonly ca?: string;
}

const MAX_HEADER_BYTES = 8_192;
const MAX_BODY_BYTES = 4_096;

/**
 * Posts to URLs that strangers have named. The host is resolved once; each of its addresses must be allowed, and the
 * connection goes to the first of them, so that a name cannot resolve to something else in between. Follows no
 * redirect, keeps no connection, and reads no more of the answer than its status. Never rejects.
 */
export function createPost({ resolve, isAllowed = isPublicAddress, timeoutMs = 5_000, ca }: PostOptions): Post {
  async function addressOf(hostname: string): Promise<string | 'host_unknown' | 'address_not_public'> {
    const bare = hostname.replace(/^\[(.*)\]$/, '$1');
    const addresses = isIP(bare) === 0 ? await resolve(bare).catch(() => []) : [bare];
    const [first] = addresses;
    if (first === undefined) return 'host_unknown';
    return addresses.every((address) => isIP(address) !== 0 && isAllowed(address)) ? first : 'address_not_public';
  }

  async function post(
    target: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<Posted> {
    const address = await addressOf(target.hostname);
    if (address === 'host_unknown' || address === 'address_not_public') return { failed: address };
    if (signal.aborted) return { failed: 'timeout' };
    const send = target.protocol === 'http:' ? requestHttp : requestHttps;
    const { promise, resolve: settle } = Promise.withResolvers<Posted>();
    const family = isIP(address);
    const request = send(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // A kept connection may lead to an address of an earlier request.
        agent: false,
        signal,
        maxHeaderSize: MAX_HEADER_BYTES,
        // Not asked again: the name, and with it the certificate's, stays the URL's.
        lookup: (_hostname, options, answer) => {
          if (options.all) answer(null, [{ address, family }]);
          else answer(null, address, family);
        },
        ...(ca !== undefined && { ca }),
      },
      (response) => {
        drain(response);
        settle({ status: response.statusCode ?? 0 });
      },
    );
    request.on('error', () => settle({ failed: signal.aborted ? 'timeout' : 'unreachable' }));
    request.end(body);
    return promise;
  }

  return async (url, headers, body) => {
    const abort = new AbortController();
    const { promise: late, resolve: isLate } = Promise.withResolvers<Posted>();
    const timer = setTimeout(() => {
      abort.abort();
      isLate({ failed: 'timeout' });
    }, timeoutMs);
    try {
      return await Promise.race([post(new URL(url), headers, body, abort.signal), late]);
    } catch {
      return { failed: 'unreachable' };
    } finally {
      clearTimeout(timer);
    }
  };
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
