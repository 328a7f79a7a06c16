import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { BowlineError } from '@bowline/core/domain/result';
import { BaseError, ContractFunctionZeroDataError, encodeFunctionData, erc20Abi } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { asking, connectChain, overHttp } from '../chain-client.ts';
import { isAnswer, isSilence, type NodeFailure, nodeFailure, refusalOf } from '../errors.ts';
import { isUnanswered } from '../node-wait.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A node that handles its first request with `fails` and answers all later ones. */
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

// CH-2
test.each([500, 503])(
  'a node that answers %i with Retry-After: 600 is asked again at once',
  async (status) => {
    const { url, asked } = await nodeThatFirst(refusal(status));
    expect(await connectChain(url).getBlockNumber()).toBe(7n);
    expect(asked()).toBe(2);
  },
  10_000,
);

test('a node that limits requests is left alone until its Retry-After is over, three seconds at most', async () => {
  let asked: string[] = [];
  let seconds = '1';
  server = createServer(async (request, response) => {
    asked.push(JSON.parse(await text(request)).method);
    response.writeHead(429, { 'retry-after': seconds }).end('not now');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectChain(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ask = () => client.getBlockNumber().catch(nodeFailure);
  expect(await ask()).toBe('limited');
  expect(await ask()).toBe('limited');
  // Includes viem's own retries.
  expect(asked).toEqual(['eth_blockNumber']);
  await client.sendRawTransaction({ serializedTransaction: '0x00' }).catch(() => {});
  expect(asked).toContain('eth_sendRawTransaction');
  for (const [said, waitMs] of [
    ['1', 1_100],
    ['600', 3_100],
  ] as const) {
    await sleep(1_100);
    [asked, seconds] = [[], said];
    await ask();
    expect(asked).toEqual(['eth_blockNumber']);
    await sleep(waitMs);
    await ask();
    expect(asked).toEqual(['eth_blockNumber', 'eth_blockNumber']);
    await sleep(Number(said) > 3 ? 0 : 3_000);
  }
}, 20_000);

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

describe('what a failed request says of the node', () => {
  /** The error of a request that a node answers with this status and body. */
  const errorAt = async (status: number, body: unknown, type = 'application/json'): Promise<unknown> => {
    const { url } = await nodeThatFirst((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body)),
    );
    return errorOf(connectChain(overHttp(url)).getBlockNumber());
  };
  const errorOf = (request: Promise<unknown>) => request.then(() => undefined).catch((error: unknown) => error);
  const inJson = (code: number, message = 'no', data?: string) => ({
    jsonrpc: '2.0',
    id: 1,
    error: { code, message, data },
  });

  test.each<[string, () => Promise<unknown>, NodeFailure | undefined]>([
    ['nobody listens', () => errorOf(connectChain(overHttp('http://127.0.0.1:9')).getBlockNumber()), 'silent'],
    ['a page in the place of a node', () => errorAt(200, '<h1>Welcome</h1>', 'text/html'), 'silent'],
    [
      'no answer in time',
      async () => errorOf(connectChain(overHttp((await nodeThatFirst(() => {})).url)).getBlockNumber()),
      'silent',
    ],
    ['HTTP 503', () => errorAt(503, 'busy', 'text/plain'), 'silent'],
    ['HTTP 408', () => errorAt(408, 'slow', 'text/plain'), 'silent'],
    ['an answer to another question', async () => new BowlineError('chain_unavailable', 'no'), 'silent'],
    ['HTTP 429', () => errorAt(429, 'slow down', 'text/plain'), 'limited'],
    ['HTTP 429 in JSON', () => errorAt(429, inJson(429)), 'limited'],
    ['HTTP 429, with a code of its own', () => errorAt(429, inJson(-32_005)), 'limited'],
    ['-32005', () => errorAt(200, inJson(-32_005)), 'limited'],
    ['-32007', () => errorAt(200, inJson(-32_007, '50/second request limit reached')), 'limited'],
    ['a wrong key', () => errorAt(401, 'no', 'text/plain'), 'turned_away'],
    ['a wrong path', () => errorAt(404, 'no', 'text/plain'), 'turned_away'],
    ['-32603', () => errorAt(200, inJson(-32_603)), 'internal'],
    ['-32603 of a contract', () => errorAt(200, inJson(-32_603, 'reverted', '0x1234')), 'answered'],
    ['a revert', () => errorAt(200, inJson(3, 'execution reverted', '0x')), 'answered'],
    ['a method that it does not have', () => errorAt(200, inJson(-32_601)), 'answered'],
    ['header not found', () => errorAt(200, inJson(-32_000, 'header not found')), 'answered'],
    ['a call that took too long', () => errorAt(200, inJson(-32_000, 'execution aborted (timeout = 5s)')), 'answered'],
    [
      'a contract that returns nothing',
      async () => new ContractFunctionZeroDataError({ functionName: 'f' }),
      undefined,
    ],
    ['a fault of our own', async () => new TypeError('a fault'), undefined],
  ])('%s', async (_, failing, expected) => {
    const error = await failing();
    expect(error).toBeInstanceOf(Error);
    expect(nodeFailure(error)).toBe(expected);
    // A failing node is passed over, left alone for now, and waited for at startup unless its address is wrong.
    const isSilent = expected === 'silent' || expected === 'limited' || expected === 'turned_away';
    expect(isSilence(error)).toBe(isSilent);
    expect(isAnswer(error)).toBe(expected === 'internal' || expected === 'answered');
    expect(isUnanswered(error)).toBe(expected === 'internal' || (isSilent && expected !== 'turned_away'));
    // Only a node's silence or refusal becomes chain_unavailable: a revert or a fault of ours stays what it is.
    const isNodes = expected !== undefined && refusalOf(error) === undefined;
    const told = isNodes && error instanceof BaseError ? { code: 'chain_unavailable', retryable: true } : error;
    await expect(asking(() => Promise.reject(error))).rejects.toMatchObject(told as object);
    // Wrapped in an error of ours, it is classified the same.
    const wrapped = new BowlineError('chain_unavailable', 'The chain does not answer.', { cause: error });
    expect(nodeFailure(wrapped)).toBe(expected);
  });
});

// AG-356
test('a value that cannot be encoded is our fault, and no word about the chain', async () => {
  const client = connectChain(overHttp('http://127.0.0.1:9'));
  const owner = '0x90F79bf6EB2c4f870365E785982E1f101E93B906';
  const asked = asking(() =>
    client.call({ data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) }),
  );
  await expect(asked).rejects.toMatchObject({ name: 'InvalidAddressError' });
  await expect(asking(() => client.getBlockNumber())).rejects.toMatchObject({ code: 'chain_unavailable' });
});
