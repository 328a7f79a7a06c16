import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPyth } from '../../agent/src/sources/pyth.ts';
import { usd8 } from '../../lab/world/market/feeds.ts';
import { hermes, pythIds } from '../../lab/world/market/hermes.ts';
import { assets, createPath } from '../../lab/world/market/path.ts';
import { pythSignersOf } from '../../packages/core/registry/pyth.ts';

const start = 1_800_000_000;
const now = start + 1_234.5;
const path = createPath(1, start);
const signers = pythSignersOf(31_337);

let server: Server;
let url: string;
beforeAll(async () => {
  server = express()
    .use(hermes(path, () => now))
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

it('gives the agent’s own adapter the path’s price of this second', async () => {
  for (const asset of assets) {
    const price = usd8(path, asset, Math.floor(now));
    expect(await createPyth(url, () => 0n, { signers }).price(`0x${pythIds[asset]}`)).toEqual({
      source: 'pyth',
      usdWad: price * 10n ** 10n,
      updatedAt: BigInt(Math.floor(now)),
      confidenceWad: ((price * 3n) / 10_000n) * 10n ** 10n,
      signed: expect.stringMatching(/^0x504e4155/),
    });
  }
});

it('gives several at once, and refuses what it does not know as Hermes does', async () => {
  const ask = (query: string) => fetch(`${url}/v2/updates/price/latest${query}`);
  const two = await ask(`?ids[]=${pythIds.ETH}&ids[]=0x${pythIds.USDT}`);
  const { binary } = (await two.json()) as { binary: { data: [string] } };
  for (const id of [pythIds.ETH, pythIds.USDT]) expect(binary.data[0]).toContain(id);
  expect((await ask('')).status).toBe(400);
  const unknown = await ask(`?ids[]=${pythIds.ETH}&ids[]=0x${'12'.repeat(32)}`);
  expect([unknown.status, await unknown.text()]).toEqual([404, `Price ids not found: 0x${'12'.repeat(32)}`]);
});

it('answers nobody without the key, where it is given one', async () => {
  const keyed = express()
    .use(hermes(path, () => now, 'key-of-ours'))
    .listen(0, '127.0.0.1');
  await once(keyed, 'listening');
  const keyedUrl = `http://127.0.0.1:${(keyed.address() as AddressInfo).port}`;
  const ask = (apiKey?: string) =>
    createPyth(keyedUrl, () => 0n, { signers, ...(apiKey !== undefined && { apiKey }) }).price(`0x${pythIds.BTCB}`);
  try {
    expect((await ask('key-of-ours')).source).toBe('pyth');
    for (const wrong of [undefined, 'key-of-others', 'key-of-our', 'KEY-OF-OURS']) {
      await expect(ask(wrong), wrong).rejects.toMatchObject({ code: 'market_unavailable' });
    }
  } finally {
    keyed.close();
  }
});
