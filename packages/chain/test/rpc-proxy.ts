import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, keccak256, recoverTransactionAddress, type TransactionSerialized } from 'viem';

/**
 * Fate of a JSON-RPC call: answered; run, the answer lost or replaced; never at the node. As by lesser nodes: refused
 * alone, without its number, or with its whole batch; left out of its batch's answers; or run without state overrides.
 * A transaction that never reaches the node: refused as underpriced, accepted, or answered with HTTP 500.
 */
export type Fate =
  | 'answered'
  | 'answer_lost'
  | 'called_known'
  | 'lost'
  | 'refused'
  | 'refused_unnumbered'
  | 'batch_refused'
  | 'left_out'
  | 'nothing_supposed'
  | 'underpriced'
  | 'swallowed'
  | 'failed';

export interface RpcProxy {
  readonly url: string;
  /** Methods in order of arrival, with each call of a batch on its own. */
  readonly methods: string[];
  /** How many requests arrived; a batch is one request. */
  requests: number;
  /** Fate of later calls, which wait for it. If one call of a batch is lost, or its answer, so is the whole batch. */
  fate: (method: string, body: string) => Fate | Promise<Fate>;
  /** Changes what the node is asked. */
  ask: (call: Call) => void;
  /** Changes what the node answered. */
  tell: (call: Call, answer: Answer) => void;
  stop(): Promise<void>;
}

export interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

export interface Answer {
  readonly id: number;
  result?: unknown;
  error?: unknown;
}

/** In `tell`: the node refuses instead. */
export function refuse(answer: Answer, code: number, message: string): void {
  delete answer.result;
  answer.error = { code, message };
}

/** The key that signed the transaction of an `eth_sendRawTransaction`. */
export const signerOf = (body: string): Promise<Hex> =>
  recoverTransactionAddress({ serializedTransaction: JSON.parse(body).params[0] as TransactionSerialized });

const refusals = ['refused', 'refused_unnumbered'];
const refusal = (id: number | null) => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'not supported' } });

/** The answer for a transaction that the node never sees. */
const unforwarded = ({ id, params: [raw] }: Call, fate: 'underpriced' | 'swallowed') => ({
  ...{ jsonrpc: '2.0', id },
  ...(fate === 'swallowed'
    ? { result: keccak256(raw as Hex) }
    : { error: { code: -32000, message: 'replacement transaction underpriced' } }),
});

/** A proxy to a node that can be cut off. */
export async function startRpcProxy(nodeUrl: string): Promise<RpcProxy> {
  const proxy = {
    methods: [] as string[],
    requests: 0,
    fate: (_method: string, _body: string): Fate | Promise<Fate> => 'answered',
    ask: (_call: Call): void => {},
    tell: (_call: Call, _answer: Answer): void => {},
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const question: Call | Call[] = JSON.parse(body);
    const calls = [question].flat();
    proxy.requests += 1;
    const fates: Fate[] = [];
    for (const { method } of calls) {
      proxy.methods.push(method);
      fates.push(await proxy.fate(method, body));
    }
    if (fates.includes('lost')) return request.socket.destroy();
    const [only] = calls;
    if (fates.includes('failed')) return response.writeHead(500).end();
    if (only !== undefined && (fates[0] === 'underpriced' || fates[0] === 'swallowed')) {
      return response.end(JSON.stringify(unforwarded(only, fates[0])));
    }
    for (const [at, { params }] of calls.entries()) if (fates[at] === 'nothing_supposed') params.splice(2);
    for (const call of calls) proxy.ask(call);
    const asked = JSON.stringify(question);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(nodeUrl, { method: 'POST', headers, body: asked }).catch(() => undefined);
    // The node's connection was cut, so this one is cut, too.
    if (answer === undefined) return request.socket.destroy();
    const whole: Answer | Answer[] = JSON.parse(await answer.text());
    for (const one of [whole].flat()) {
      const call = calls.find(({ id }) => id === one.id);
      if (call !== undefined) proxy.tell(call, one);
    }
    const text = JSON.stringify(whole);
    if (fates.includes('answer_lost')) return request.socket.destroy();
    if (fates.includes('called_known')) {
      const [{ id } = {}] = calls;
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'already known' } }));
    }
    if (fates.includes('batch_refused')) return response.end(JSON.stringify(refusal(null)));
    if (Array.isArray(question)) {
      const fateOf = new Map(calls.map(({ id }, at) => [id, fates[at]]));
      const told = [whole].flat().filter(({ id }) => fateOf.get(id) !== 'left_out');
      const each = told.map((one) => {
        const fate = fateOf.get(one.id) ?? '';
        return refusals.includes(fate) ? refusal(fate === 'refused' ? one.id : null) : one;
      });
      // A node may answer in any order.
      return response.end(JSON.stringify(each.toReversed()));
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
