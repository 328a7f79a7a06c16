import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '@bowline/core/domain/log';
import { readAddressBook } from '@bowline/http/address-book';
import { timers } from '@bowline/http/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erc20Abi } from '../../../lab/world/abis.ts';
import { tokens, venus } from '../../../lab/world/addresses.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { connectChain } from '../chain-client.ts';
import { checkAddressBook } from '../check-address-book.ts';
import { isSilent, isUnanswered, untilAnswered } from '../node-wait.ts';
import { withRecord } from './deployed-chain.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

let local: LocalChain;
let line: RpcProxy;
beforeAll(async () => {
  local = await startLocalChain();
  line = await startRpcProxy(local.url);
});
afterAll(async () => {
  await line?.stop();
  await local?.stop();
});

const events: string[] = [];
const keep = (event: string) => void events.push(event);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
const errorOf = async (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    () => undefined,
    (error: unknown) => error,
  );

/** What viem throws when a node answers with this status and body. */
async function errorAt(status: number, body = ''): Promise<unknown> {
  const server = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const error = await errorOf(connectChain(`http://127.0.0.1:${port}`).getChainId());
  server.close();
  return error;
}

const refused = (code: number) => JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code, message: 'no' } });

describe('what is worth waiting for', () => {
  it.each<[string, () => Promise<unknown>, boolean]>([
    ['a node that is busy', () => errorAt(503), true],
    ['a node that counts requests', () => errorAt(429), true],
    ['the same in JSON', () => errorAt(200, refused(-32_005)), true],
    ['a failure of its own', () => errorAt(200, refused(-32_603)), true],
    ['a wrong API key', () => errorAt(401), false],
    ['a wrong path', () => errorAt(404), false],
    ['a method that the node does not have', () => errorAt(200, refused(-32_601)), false],
  ])('%s: %#', async (_, failing, isWorth) => {
    const error = await failing();
    expect(error).toBeInstanceOf(Error);
    expect([isUnanswered(error), isSilent(error)]).toEqual([isWorth, isWorth]);
  });

  it('a page in the place of a node', async () => {
    const error = await errorAt(200, '<!doctype html><h1>Welcome</h1>');
    expect(isSilent(error)).toBe(false);
  });

  it('an answer that got lost, and none of a contract', async () => {
    const client = connectChain(line.url);
    line.fate = () => 'lost';
    expect(isSilent(await errorOf(client.getBlockNumber()))).toBe(true);
    line.fate = () => 'answered';
    const decimals = { abi: erc20Abi, functionName: 'balanceOf', args: [tokens.USDT] } as const;
    const wrong = await errorOf(client.readContract({ ...decimals, address: venus.comptroller }));
    expect(wrong).toBeInstanceOf(Error);
    expect(isUnanswered(wrong)).toBe(false);
  });

  it('a node that is not there may be a wrong address at first, and be started again later', async () => {
    for (const url of ['http://127.0.0.1:9', 'http://127.0.0.1:1', 'http://nowhere.invalid']) {
      const error = await errorOf(connectChain(url).getChainId());
      expect([url, isSilent(error), isUnanswered(error)]).toEqual([url, false, true]);
    }
  });
});

it('an answer that is lost while the addresses are checked is no wrong address', async () => {
  const own = Object.fromEntries(
    [
      'revocations',
      'venusMarket',
      'loanGuard',
      'venusPriceSource',
      'chainlinkPriceSource',
      'planRegistry',
      'swapExecutor',
      'quoteDesk',
      // Any contract will do: the check only asks whether it has code.
    ].map((name) => [name, venus.comptroller]),
  );
  const book = withRecord({ chainId: localChainId, ...own }, (folder) => readAddressBook(localChainId, folder));
  const client = connectChain(line.url);
  const check = () => checkAddressBook(client, book, localChainId);
  line.fate = (method) => (method === 'eth_call' ? 'lost' : 'answered');
  const error = await errorOf(check());
  expect(String(error)).toContain('The chain does not answer.');
  expect(isUnanswered(error)).toBe(true);

  const comesBack = (event: string) => {
    keep(event);
    line.fate = () => 'answered';
  };
  await untilAnswered({ log: { ...log, warn: comesBack }, timers }, check);
  expect(events).toEqual(['node.waiting', 'node.answers']);
});
