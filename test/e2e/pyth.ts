import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { hermes } from '../../lab/world/market/hermes.ts';
import { priceUsd8 } from '../../lab/world/prices.ts';

export interface Pyth {
  readonly url: string;
  /** Number of requests so far. */
  readonly asked: () => number;
  stop(): Promise<void>;
}

/**
 * The local market's Pyth, with prices fixed at the replica's.
 * @param key required in every request; if omitted, requests need no key.
 */
export async function servePyth(key?: string): Promise<Pyth> {
  const prices = { usd: (asset: keyof typeof priceUsd8) => Number(priceUsd8[asset]) / 1e8 };
  let asked = 0;
  const server = express()
    .use((_request, _response, next) => {
      asked += 1;
      next();
    })
    .use(hermes(prices, () => Date.now() / 1000, key))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
