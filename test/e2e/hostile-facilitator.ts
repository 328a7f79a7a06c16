import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How it handles a request to settle, given the request's body and the real facilitator behind it. */
export type Settle = (body: string, honest: () => Promise<unknown>) => Promise<unknown>;

export interface HostileFacilitator {
  readonly url: string;
  /** Number of requests to settle. */
  settlements: number;
  /** Applies from now on. Its result is the answer; an exception makes the answer a 500; a pending promise hangs. */
  settle: Settle;
  stop(): Promise<void>;
}

export const honest: Settle = (_body, settle) => settle();
export const hangs: Settle = () => new Promise(() => {});
export const fails: Settle = async () => {
  throw new Error('down');
};

/** A configurable x402 v2 facilitator, with a real one behind it. */
export async function serveHostileFacilitator(realUrl: string): Promise<HostileFacilitator> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url ?? '';
    const headers = { 'content-type': 'application/json' };
    const real = async () => {
      const method = request.method ?? 'GET';
      return (await fetch(`${realUrl}${path}`, { method, headers, ...(body && { body }) })).json();
    };
    try {
      if (path === '/settle') state.settlements += 1;
      const answer = path === '/settle' ? await state.settle(body, real) : await real();
      response.writeHead(200, headers).end(JSON.stringify(answer));
    } catch {
      response.writeHead(500).end('{}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const state: HostileFacilitator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settlements: 0,
    settle: honest,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return state;
}
