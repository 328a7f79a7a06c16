import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { hermes } from '../../script/local/market/hermes.ts';
import { priceUsd8 } from '../../script/local/prices.ts';

export interface Pyth {
  readonly url: string;
  stop(): Promise<void>;
}

/** The local market's Pyth, of a market that stands still at the replica's prices. */
export async function servePyth(): Promise<Pyth> {
  const prices = { usd: (asset: keyof typeof priceUsd8) => Number(priceUsd8[asset]) / 1e8 };
  const server = express()
    .use(hermes(prices, () => Date.now() / 1000))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
