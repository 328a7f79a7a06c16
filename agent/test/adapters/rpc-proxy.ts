import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a JSON-RPC call: answered; done by the node and the answer lost, or another told; never at the node. */
export type Fate = 'answered' | 'answer_lost' | 'called_known' | 'lost';

export interface RpcProxy {
  readonly url: string;
  /** Names of the methods that arrived, in order. */
  readonly methods: string[];
  /** From now on. The call waits for it. */
  fate: (method: string, body: string) => Fate | Promise<Fate>;
  stop(): Promise<void>;
}

/** A line to a node that can be cut. */
export async function startRpcProxy(nodeUrl: string): Promise<RpcProxy> {
  const proxy = { methods: [] as string[], fate: (_method: string, _body: string): Fate | Promise<Fate> => 'answered' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method, id } = JSON.parse(body);
    proxy.methods.push(method);
    const fate = await proxy.fate(method, body);
    if (fate === 'lost') return request.socket.destroy();
    const answer = await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = await answer.text();
    if (fate === 'answer_lost') return request.socket.destroy();
    if (fate === 'called_known') {
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'already known' } }));
    }
    return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
