import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { connectChain } from '../../src/chain/chain-client.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A node that treats its first question as told, and answers the next. */
async function nodeThatFirst(fails: RequestListener): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  server = createServer((request, response) => {
    asked += 1;
    if (asked === 1) return fails(request, response);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x7' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const refusal =
  (status: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { 'retry-after': '600' }).end('not now');

// AG-37
test.each([429, 500, 503])(
  'a node that answers %i with Retry-After: 600 is asked again at once',
  async (status) => {
    const { url, asked } = await nodeThatFirst(refusal(status));
    expect(await connectChain(url).getBlockNumber()).toBe(7n);
    expect(asked()).toBe(2);
  },
  10_000,
);

test.each<[string, RequestListener]>([
  ['stalls', (_request, response) => void response.writeHead(200).write('{')],
  [
    'trickles',
    (_request, response) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
    },
  ],
])(
  'an answer that %s is given up, and the question asked again',
  async (_, fails) => {
    const { url, asked } = await nodeThatFirst(fails);
    expect(await connectChain(url).getBlockNumber()).toBe(7n);
    expect(asked()).toBe(2);
  },
  20_000,
);

test('an answer without end is not kept', async () => {
  const megabyte = Buffer.alloc(2 ** 20, ' ');
  const { url } = await nodeThatFirst((_request, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write(megabyte));
    };
    response.on('drain', pour);
    pour();
  });
  expect(await connectChain(url).getBlockNumber()).toBe(7n);
}, 20_000);
