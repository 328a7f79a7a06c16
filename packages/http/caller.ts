import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { Secret } from './secret.ts';

// Who a request comes from, as far as is known: the address that connected to us, or to the outermost trusted proxy.

/** A group of addresses that one party can hold. The narrowest comes first; `weight` is how many callers it may be. */
export interface Prefix {
  readonly key: string;
  readonly weight: number;
}

export type CallerOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => readonly Prefix[];

/** The caller of the current request, for code far below the endpoints that shares something among callers. */
const current = new AsyncLocalStorage<readonly Prefix[]>();

/** The caller of the current request; empty outside a request. */
export const callerNow = (): readonly Prefix[] => current.getStore() ?? [];

/** Runs `serve` as part of a request by this caller. */
export const servingCaller = (caller: readonly Prefix[], serve: () => void): void => current.run(caller, serve);

const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * The caller of a request.
 * @param trustedProxies how many proxies in front of this server each append to `X-Forwarded-For` the address that spoke
 * to them. Anything that a caller writes there itself is to the left of those and is not read.
 */
export function callerBehind(trustedProxies: number): CallerOf {
  return ({ headers, socket }) => prefixesOf(forwarded(headers, trustedProxies) ?? socket.remoteAddress ?? '');
}

function forwarded(headers: IncomingMessage['headers'], trustedProxies: number): string | undefined {
  if (trustedProxies === 0) return undefined;
  // Node joins several headers of this name with commas.
  const hop =
    String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-trustedProxies)
      ?.trim() ?? '';
  // Some proxies add the port.
  const address = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * An IPv4 address is one caller. An IPv6 caller is a /64, which even the smallest customers get whole. A /48 is 65,536
 * of them; the largest customers get one for free, and it counts as four callers together.
 */
function prefixesOf(address: string): readonly Prefix[] {
  const [plain = ''] = address.split('%');
  // Node tests for IPv6 with a long pattern: for an address without a colon, that took a fiftieth of serving a call.
  if (!plain.includes(':') || !isIPv6(plain)) return [{ key: plain, weight: 1 }];
  const groups = groupsOf(plain);
  // IPv4 as a dual-stack socket shows it.
  if (mapped.check(plain, 'ipv6')) return [{ key: groups.slice(6).flatMap(bytesOf).join('.'), weight: 1 }];
  const start = (count: number) =>
    groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(':');
  return [
    { key: `${start(4)}::/64`, weight: 1 },
    { key: `${start(3)}::/48`, weight: 4 },
  ];
}

const bytesOf = (group: number): number[] => [group >> 8, group & 255];

/** The eight groups of a valid IPv6 address. URL also converts a trailing IPv4 part to groups. */
function groupsOf(address: string): number[] {
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parsed = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [head, tail] = [parsed(left), parsed(right ?? '')];
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

// How the agent recognises its own page's server: both have PAGE_SECRET, and the page's server sends it with each
// request. An address proves nothing: behind a proxy all requests come from the same one.

const header = 'x-bowline-page';

/** The header that the page's server sends to the agent; none without a secret. */
export const pageHeaders = (secret: Secret | undefined): Readonly<Record<string, string>> =>
  secret === undefined ? {} : { [header]: secret.reveal() };

export type IsPage = (request: Pick<IncomingMessage, 'headers'>) => boolean;

/** Recognises requests of the page's server; without a secret, none. Compares in constant time. */
export function pageRecogniser(secret: Secret | undefined): IsPage {
  if (secret === undefined) return () => false;
  // Digests have equal lengths, which timingSafeEqual requires.
  const known = digest(secret.reveal());
  return ({ headers }) => {
    const sent = headers[header];
    return typeof sent === 'string' && timingSafeEqual(digest(sent), known);
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
