import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import pLimit from 'p-limit';

/** All addresses of a host name, IPv4 before IPv6. Rejects if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface ResolveOptions {
  /** Name servers as `address:port`, in place of the system's. */
  readonly servers?: readonly string[];
  /** For one name server. */
  readonly serverMs?: number;
  /** For all of one lookup. */
  readonly lookupMs?: number;
}

const LOOKUPS_AT_ONCE = 4;

/**
 * Resolves names chosen by strangers, a few at a time: a lookup whose name server never answers ends after four
 * seconds. Does not use `dns.lookup`: connections to nodes need its threads too, and the system sets its timeout.
 * Therefore /etc/hosts is not read, except that `localhost` is this machine.
 */
export function createResolve({ servers, serverMs = 2_000, lookupMs = 4_000 }: ResolveOptions = {}): Resolve {
  const looking = pLimit(LOOKUPS_AT_ONCE);

  async function lookUp(hostname: string): Promise<readonly string[]> {
    // One resolver per lookup: it can be cancelled alone, and it follows changes of the system's name servers.
    const resolver = new Resolver({ timeout: serverMs, tries: 1 });
    if (servers !== undefined) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), lookupMs);
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
      return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    } finally {
      clearTimeout(timer);
    }
  }

  return async (hostname) => (hostname === 'localhost' ? ['127.0.0.1', '::1'] : looking(() => lookUp(hostname)));
}

/** All addresses of a URL's host, which may be one itself; empty if there are none. */
export async function addressesOf({ hostname }: URL, resolve: Resolve): Promise<readonly string[]> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? await resolve(bare).catch(() => []) : [bare];
}
