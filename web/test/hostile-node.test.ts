import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { erc20Abi } from '@bowline/chain/erc20-abi';
import { beginReading } from '@bowline/chain/one-call';
import { createPublicClient, custom, encodeFunctionResult, type Hex, pad, toHex } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { readLensAbi } from '../../abis/index.ts';
import type { ChainClient } from '../app/chain/client.ts';
import { withToken } from '../app/chain/read-loan.ts';
import { hostileNode } from './hostile/node.ts';
import { settings } from './served-world.ts';

// Tests the harness of hostile.test.ts.

/** A chain that answers 7 to every read. */
async function chain(): Promise<string> {
  const read = [1n, [{ isOk: true, data: pad('0x07') }]] as const;
  const result = encodeFunctionResult({ abi: readLensAbi, functionName: 'read', result: read });
  const server = createServer(async (request, response) => {
    const { id, method } = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
    const answer = method === 'eth_call' ? result : { timestamp: '0x1', number: '0x1', transactions: [] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('WB-124: a node that is stuck stands still at a block that the page has heard of', async () => {
  let seconds = 1_000;
  const node = hostileNode(await chain(), { made: () => [], mined: () => undefined }, () => seconds);
  const request = async (asked: object) => {
    const answer = await node.answer(JSON.stringify({ id: 1, ...asked }), undefined);
    return JSON.parse(answer?.text ?? '{}').result;
  };
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
  const read = async () => {
    const reading = beginReading(client as unknown as ChainClient, []);
    const address: Hex = pad('0x0a', { size: 20 });
    await reading.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [address] });
    return reading.time();
  };
  expect(await read()).toBe(1_000n);
  // A second later, a lookup of approvals makes many requests whose answers carry no time.
  seconds = 1_001;
  await request({ method: 'eth_getBalance', params: [pad('0x0a', { size: 20 }), toHex(1)] });
  node.freeze('stuck');
  seconds = 1_031;
  expect(await read()).toBe(1_000n);
  expect((await client.getBlock()).timestamp).toBe(1_000n);
  node.freeze(undefined);
  expect(await read()).toBe(1_031n);
});

test('WB-124: a token of a hundred thousand decimals is refused, and does not stop the page', async () => {
  const told = (decimals: number) => ({ multicall: async () => ['X', decimals, 0n, 0n] }) as unknown as ChainClient;
  const market = { token: pad('0x0a', { size: 20 }) } as Parameters<typeof withToken>[2];
  expect(await withToken(told(255), settings, market, market.token)).toMatchObject({ decimals: 255 });
  await expect(withToken(told(100_000), settings, market, market.token)).rejects.toThrow('impossible decimals');
});
