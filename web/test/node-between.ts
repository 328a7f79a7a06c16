import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toHex } from 'viem';

/**
 * How an uncompromised node fails. `stuck`: answers, but its newest block stays the same. `behind`: its newest block is
 * so many blocks older than the chain's. `shut`: refuses connections. `hanging`: accepts every request, answers none.
 */
type Manner =
  | { readonly kind: 'honest' | 'stuck' | 'shut' | 'hanging' }
  | { readonly kind: 'behind'; readonly blocks: bigint };

export interface NodeBetween {
  readonly url: string;
  behave(manner: Manner): Promise<void>;
  stop(): Promise<void>;
}

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Index of a method's block parameter. */
const blockAt: Readonly<Record<string, number>> = {
  ...{ eth_call: 1, eth_getBalance: 1, eth_getTransactionCount: 1, eth_getCode: 1, eth_getStorageAt: 2 },
  ...{ eth_getBlockByNumber: 0, eth_simulateV1: 1 },
};

/** A node between the page and a real archive node. */
export async function nodeBetween(url: string): Promise<NodeBetween> {
  let manner: Manner = { kind: 'honest' };
  let stuckAt = 0n;

  async function ask(method: string, params: readonly unknown[], id = 1): Promise<{ readonly result?: unknown }> {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return (await response.json()) as { readonly result?: unknown };
  }
  const newest = async () => BigInt((await ask('eth_blockNumber', [])).result as string);

  async function answer({ id, method, params = [] }: Asked): Promise<object> {
    const by = manner;
    if (by.kind !== 'stuck' && by.kind !== 'behind') return ask(method, params, id);
    const head = by.kind === 'behind' ? (await newest()) - by.blocks : stuckAt;
    if (method === 'eth_blockNumber') return { jsonrpc: '2.0', id, result: toHex(head) };
    const at = blockAt[method];
    const isNewest =
      at !== undefined && (params[at] === undefined || ['latest', 'pending'].includes(String(params[at])));
    const asked = isNewest ? [...params.slice(0, at), toHex(head), ...params.slice(at + 1)] : params;
    return ask(method, asked, id);
  }

  const server = createServer(async (request, response) => {
    if (manner.kind === 'shut') return request.socket.destroy();
    const body = (await request.setEncoding('utf8').toArray()).join('');
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'content-type': 'application/json',
    };
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
    if (manner.kind === 'hanging') return;
    const asked = JSON.parse(body) as Asked | readonly Asked[];
    const told = Array.isArray(asked) ? await Promise.all(asked.map(answer)) : await answer(asked as Asked);
    return response.writeHead(200, headers).end(JSON.stringify(told));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async behave(next) {
      stuckAt = await newest();
      manner = next;
      // Requests that hung before are dropped.
      if (next.kind !== 'hanging') server.closeAllConnections();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
