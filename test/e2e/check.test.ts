import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pLimit from 'p-limit';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localKeys } from '../../agent/src/settings.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { connect } from '../../lab/world/chain.ts';
import { keeper } from '../../lab/world/start/contracts.ts';
import { crippled } from '../../packages/chain/test/crippled.ts';
import { type RpcProxy, refuse, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { type CheckWorld, checked, type Env, type Served, serve, serveRedis, startCheckWorld } from './check-world.ts';
import { startSidecar } from './sidecar.ts';

// DP-26: what `bowline check` says about set-ups with one fault, each built on a complete one, on a real chain. The
// adversary is an operator who has just checked and then starts an agent that can do nothing.

let world: CheckWorld;
const stranger = generatePrivateKey();
/** Nobody listens there. */
const nobody = 'http://127.0.0.1:9';

beforeAll(async () => {
  world = await startCheckWorld();
});
afterAll(() => world?.stop());

interface Sabotage {
  readonly env: () => Promise<Env> | Env;
  readonly state?: 'note' | 'refused';
  /** Name of the check, and the reason. */
  readonly said: RegExp;
  readonly remedy: RegExp;
}

async function kept<Started extends { stop(): Promise<void> }>(starting: Promise<Started>): Promise<Started> {
  const started = await starting;
  stops.push(started.stop);
  return started;
}
const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

const server = (listener: RequestListener): Promise<Served> => kept(serve(listener));
/** Settings of a node that answers every request with this listener. */
const nodeThat = async (listener: RequestListener): Promise<Env> => ({
  RPC_URL: `${(await server(listener)).url}/secret-path`,
});
const answering =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);
/** JSON-RPC that answers each method with its result. */
const answersOf =
  (results: Readonly<Record<string, unknown>>): RequestListener =>
  async (request, response) => {
    const { id, method } = JSON.parse(await text(request)) as { id: number; method: string };
    response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
  };
const page = '<!doctype html><title>Log in</title>';
const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

async function line(cripple: (line: RpcProxy) => void): Promise<RpcProxy> {
  const proxy = await kept(startRpcProxy(world.rpcUrl));
  cripple(proxy);
  return proxy;
}
const nodeWith = async (cripple: (line: RpcProxy) => void): Promise<Env> => ({ RPC_URL: (await line(cripple)).url });

/** The node refuses this method, whatever is asked. */
const refusing =
  (refused: string, code: number, message: string) =>
  (proxy: RpcProxy): void => {
    proxy.tell = ({ method }, answer) => {
      if (method === refused || refused === '*') refuse(answer, code, message);
    };
  };

const reviewed: Record<string, Sabotage> = {
  'the password of a keystore is wrong': {
    env: () => ({ KEEPER_PRIVATE_KEY_PASSWORD_FILE: world.file('another one') }),
    said: /^settings setting_refused: KEEPER_PRIVATE_KEY_FILE names a keystore that this password does not open/,
    remedy: /KEEPER_PRIVATE_KEY/,
  },
  'a key file is missing': {
    env: () => ({ VERDICT_PRIVATE_KEY_FILE: join(world.scratch, 'nothing') }),
    said: /^settings setting_refused: VERDICT_PRIVATE_KEY_FILE names a file that does not exist/,
    remedy: /VERDICT_PRIVATE_KEY_FILE/,
  },
  'others may read a key file': {
    env: () => ({ VERDICT_PRIVATE_KEY_FILE: world.file(localKeys.verdict, 0o644) }),
    said: /^settings setting_refused: VERDICT_PRIVATE_KEY_FILE names a file that others may open/,
    remedy: /VERDICT_PRIVATE_KEY_FILE/,
  },
  'the keeper is not the operator': {
    env: () => ({ KEEPER_PRIVATE_KEY_FILE: world.file(stranger), KEEPER_PRIVATE_KEY_PASSWORD_FILE: '' }),
    said: /^keeper keeper_not_operator: KEEPER_PRIVATE_KEY belongs to 0x/,
    remedy: /KEEPER_PRIVATE_KEY/,
  },
  'the record names a verdict signer, and there is no verdict key': {
    // Only the local chain has a key by default.
    env: () => ({ ...world.onBsc, VERDICT_PRIVATE_KEY_FILE: '' }),
    said: /^verdict_key verdict_key_unnamed: VERDICT_PRIVATE_KEY is missing, but the deployment record names 0x/,
    remedy: /KEEPER_PRIVATE_KEY/,
  },
  'the verdict key is another one': {
    env: () => ({ VERDICT_PRIVATE_KEY_FILE: world.file(stranger) }),
    said: /^verdict_key verdict_key_unnamed: VERDICT_PRIVATE_KEY belongs to 0x/,
    remedy: /KEEPER_PRIVATE_KEY/,
  },
  'the private relay is dead': {
    env: () => ({ PRIVATE_SEND_URLS: nobody }),
    said: /^relay unreachable: 127\.0\.0\.1:9 /,
    remedy: /PRIVATE_SEND_URLS/,
  },
  'the bundler is dead': {
    env: () => ({ BUNDLER_URL: nobody }),
    said: /^bundler unreachable: /,
    remedy: /BUNDLER_URL/,
  },
  'the WebSocket is dead': {
    env: () => ({ RPC_URL: `${world.rpcUrl},ws://127.0.0.1:9` }),
    said: /^websocket unreachable: /,
    remedy: /RPC_URL/,
  },
  'Redis is dead': {
    env: () => ({ REDIS_URL: 'redis://127.0.0.1:9' }),
    said: /^redis unreachable: /,
    remedy: /REDIS_URL/,
  },
  'an amount is no number': {
    env: () => ({ MAX_GAS_BNB_PER_DAY: 'abc' }),
    said: /^settings setting_refused: MAX_GAS_BNB_PER_DAY must/,
    remedy: /MAX_GAS_BNB_PER_DAY/,
  },
  'the stop file exists': {
    env: () => {
      const data = mkdtempSync(join(world.scratch, 'stopped-'));
      writeFileSync(join(data, 'stop'), '');
      return { DATA_DIR: data };
    },
    state: 'note',
    said: /^stop_file stop_file: /,
    remedy: /[Rr]emove/,
  },
  'the node refuses logs, and nothing needs them': {
    env: async () => ({
      ...(await nodeWith(refusing('eth_getLogs', -32_005, 'limit exceeded'))),
      ...{ PRICE_USD: '0', DEPLOYMENTS_DIR: world.recordWith({ escrow: undefined }) },
    }),
    state: 'note',
    said: /^logs /,
    remedy: /eth_getLogs/,
  },
  'the node is of another chain': {
    env: () =>
      nodeWith((proxy) => {
        proxy.tell = ({ method }, answer) => {
          if (method === 'eth_chainId') answer.result = '0x38';
        };
      }),
    said: /^node\.chain_id chain_id: .*serves chain 56, not chain 31337/,
    remedy: /RPC_URL|CHAIN/,
  },
  'the node takes no state overrides': {
    env: () => nodeWith(crippled.ignoresOverrides),
    said: /^node\.state_override state_override: /,
    remedy: /state overrides/,
  },
  'the node answers everything with -32005': {
    env: () => nodeWith(refusing('*', -32_005, 'limit exceeded')),
    said: /^node\.chain_id rate_limited: /,
    remedy: /plan/,
  },
  'the disk is full': {
    env: () => ({ DATA_DIR: '/proc/self' }),
    said: /^disk disk_full: /,
    remedy: /DATA_DIR/,
  },
  'the node answers 429': {
    env: () => nodeThat(answering(429, 'Too Many Requests')),
    said: /^node\.chain_id rate_limited: 127\.0\.0\.1:\d+ /,
    remedy: /plan/,
  },
  'the node hangs': {
    env: () => nodeThat(() => {}),
    said: /^node\.chain_id silent: /,
    remedy: /another/,
  },
  'the node answers 502': {
    env: () => nodeThat(answering(502, 'Bad Gateway')),
    said: /^node\.chain_id server_failing: .*502/,
    remedy: /another/,
  },
  'the node is a login page': {
    env: () => nodeThat(answering(200, page, html)),
    said: /^node\.chain_id web_page: /,
    remedy: /key/,
  },
};

const own: Record<string, Sabotage> = {
  'nobody listens where the node should be': {
    env: () => ({ RPC_URL: `${nobody}/secret-path` }),
    said: /^node\.chain_id unreachable: 127\.0\.0\.1:9 /,
    remedy: /RPC_URL/,
  },
  'the file of the node’s address is missing': {
    env: () => ({ RPC_URL: '', RPC_URL_FILE: join(world.scratch, 'nothing') }),
    said: /^settings setting_refused: RPC_URL_FILE names a file that does not exist/,
    remedy: /RPC_URL_FILE/,
  },
  'CHAIN names no chain': {
    env: () => ({ CHAIN: 'eth' }),
    said: /^settings setting_refused: CHAIN must be one of/,
    remedy: /CHAIN/,
  },
  'the node knows no final block': {
    env: () => nodeWith(crippled.knowsNoFinal),
    said: /^node\.finalized finalized: .*Every verdict is NO_DATA/,
    remedy: /finalized/,
  },
  'the node wants a key': {
    env: () => nodeThat(answering(401, '{"error":"missing api key"}')),
    said: /^node\.chain_id key_refused: .*401/,
    remedy: /key/,
  },
  'the node’s path is wrong': {
    env: () => nodeThat(answering(404, 'not found')),
    said: /^node\.chain_id wrong_path: .*404/,
    remedy: /path/,
  },
  'the node answers its chain, and hangs at everything else': {
    env: () =>
      nodeWith((proxy) => {
        proxy.fate = (method) => (method === 'eth_chainId' ? 'answered' : new Promise(() => {}));
      }),
    said: /^node\.\w+ silent: /,
    remedy: /another/,
  },
  'one of three nodes is of another chain': {
    env: async () => {
      const [one, two, other] = [await line(() => {}), await line(() => {}), await line(() => {})];
      other.tell = ({ method }, answer) => {
        if (method === 'eth_chainId') answer.result = '0x38';
      };
      return { RPC_URL: [one.url, two.url, other.url].join() };
    },
    said: /^node\.3\.chain_id chain_id: /,
    remedy: /RPC_URL|CHAIN/,
  },
  'the node takes no raw transactions': {
    env: () => nodeWith(refusing('eth_sendRawTransaction', -32_601, 'the method is not available')),
    said: /^send method_missing: /,
    remedy: /eth_sendRawTransaction/,
  },
  'the relay refuses every transaction alike': {
    env: async () => ({
      PRIVATE_SEND_URLS: (await line(refusing('eth_sendRawTransaction', -32_000, 'not on this plan'))).url,
    }),
    said: /^relay transactions_refused: /,
    remedy: /PRIVATE_SEND_URLS/,
  },
  'the node refuses logs, and jobs need them': {
    env: () => nodeWith(refusing('eth_getLogs', -32_005, 'limit exceeded')),
    said: /^logs /,
    remedy: /eth_getLogs/,
  },
  'the relay is of another chain': {
    env: async () => ({
      PRIVATE_SEND_URLS: (
        await line((proxy) => {
          proxy.tell = ({ method }, answer) => {
            if (method === 'eth_chainId') answer.result = '0x38';
          };
        })
      ).url,
    }),
    said: /^relay chain_id: .*serves chain 56/,
    remedy: /PRIVATE_SEND_URLS/,
  },
  'the day’s gas pays for nothing': {
    env: () => ({ MAX_GAS_BNB_PER_DAY: '0' }),
    said: /^gas\.price gas_day: /,
    remedy: /MAX_GAS_BNB_PER_DAY/,
  },
  'gas is dearer than a rescue may be': {
    env: () => ({ MAX_GAS_PRICE_GWEI: '0.000001' }),
    said: /^gas\.price gas_price: /,
    remedy: /MAX_GAS_PRICE_GWEI/,
  },
  'the facilitator takes payments of another chain': {
    env: async () => ({
      X402_FACILITATOR_URL: (await server(answering(200, '{"kinds":[],"extensions":[],"signers":{}}', json))).url,
    }),
    said: /^facilitator chain_id: /,
    remedy: /X402_FACILITATOR_URL/,
  },
  'Pyth answers with what nobody has signed': {
    env: async () => ({ PYTH_URL: (await server(answering(200, '{"binary":{"data":["00"]}}', json))).url }),
    said: /^pyth malformed: /,
    remedy: /PYTH_URL/,
  },
  'the WebSocket never tells a block': {
    env: async () => ({ RPC_URL: `${world.rpcUrl},${(await kept(mute())).url}` }),
    said: /^websocket silent: /,
    remedy: /RPC_URL/,
  },
  'the WebSocket takes no subscription': {
    env: async () => {
      const { url } = await kept(mute('{"jsonrpc":"2.0","id":1,"error":{"code":-32601}}'));
      return { RPC_URL: `${world.rpcUrl},${url}` };
    },
    said: /^websocket method_missing: /,
    remedy: /eth_subscribe/,
  },
  'the bundler serves another EntryPoint': {
    env: async () => ({
      BUNDLER_URL: (await server(answersOf({ eth_chainId: '0x7a69', eth_supportedEntryPoints: [keeper] }))).url,
    }),
    said: /^bundler entry_point_missing: /,
    remedy: /EntryPoint/,
  },
  'Redis wants a password': {
    env: async () => ({ REDIS_URL: (await kept(serveRedis('NOAUTH Authentication required.'))).url }),
    said: /^redis key_refused: /,
    remedy: /password/,
  },
  'the exchange does not serve this place': {
    env: async () => ({ MARKET_DATA_URL: (await server(answering(451, ''))).url }),
    said: /^exchange place_refused: .*451/,
    remedy: /MARKET_DATA_URL/,
  },
  'the exchange is five seconds ahead': {
    env: async () => ({ MARKET_DATA_URL: (await server(late)).url }),
    said: /^clock clock_wrong: .*behind/,
    remedy: /NTP/,
  },
  'Pyth rejects the key': {
    env: async () => ({ PYTH_URL: (await server(answering(401, ''))).url, PYTH_API_KEY: 'a-key-of-ours' }),
    said: /^pyth key_refused: .*401/,
    remedy: /PYTH_API_KEY/,
  },
  'the model’s key is refused': {
    env: async () => ({ OPENAI_BASE_URL: (await server(answering(401, '{"error":{"message":"bad key"}}'))).url }),
    said: /^model key_refused: .*401/,
    remedy: /OPENAI_API_KEY/,
  },
  'the facilitator is dead': {
    env: () => ({ X402_FACILITATOR_URL: nobody }),
    said: /^facilitator unreachable: /,
    remedy: /X402_FACILITATOR_URL/,
  },
  'a rescue key holds no BNB': {
    env: () => ({ RESCUE_PRIVATE_KEYS_FILE: world.file(stranger) }),
    said: /^gas\.rescuer balance_too_low: 0x\w+ holds 0 BNB/,
    remedy: /Send BNB to 0x/,
  },
  'no contract is at an address of the record': {
    env: () => ({ DEPLOYMENTS_DIR: world.recordWith({ loanGuard: keeper }) }),
    said: /^contracts code_missing: .*loanGuard/,
    remedy: /DEPLOYMENTS_DIR/,
  },
  'there is no record': {
    env: () => ({ DEPLOYMENTS_DIR: world.scratch }),
    said: /^record record_missing: /,
    remedy: /DEPLOYMENTS_DIR/,
  },
  'the code of a contract is another one': {
    env: async () => {
      const { address } = privateKeyToAccount(generatePrivateKey());
      await connect(world.rpcUrl).setCode({ address, bytecode: '0x60' });
      return { DEPLOYMENTS_DIR: world.recordWith({ revocations: address }) };
    },
    said: /^bytecode bytecode_differs: .*Revocations/,
    remedy: /revision/,
  },
  'somebody else listens on the port': {
    env: async () => ({ PORT: new URL((await server(answering(200, page, html))).url).port }),
    said: /^port port_taken: /,
    remedy: /PORT/,
  },
  'the remote signer does not hold the key': {
    env: async () => ({
      VERDICT_PRIVATE_KEY_FILE: '',
      VERDICT_PRIVATE_KEY: `signer:${privateKeyToAccount(localKeys.verdict).address}`,
      SIGNER_URL: (await server(answering(200, '{"jsonrpc":"2.0","id":1,"result":[]}'))).url,
    }),
    said: /^signer signer_key_missing: /,
    remedy: /SIGNER_URL/,
  },
  'the wallet is not there and holds nothing': {
    env: async () => {
      const { address } = privateKeyToAccount(stranger);
      const wallet = await walletOf(connect(world.rpcUrl), address);
      const record = await world.deployedBy(wallet);
      return {
        KEEPER_PRIVATE_KEY_FILE: world.file(stranger),
        KEEPER_PRIVATE_KEY_PASSWORD_FILE: '',
        DEPLOYMENTS_DIR: record,
        REDIS_URL: '',
      };
    },
    said: /^keeper wallet_not_deployed: /,
    remedy: /BNB/,
  },
  'the webhooks’ file is damaged': {
    env: () => {
      const folder = join(world.scratch, 'damaged');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'notices.json'), '{"version":1,');
      return { DATA_DIR: folder };
    },
    said: /^webhooks notices_off: /,
    remedy: /notices\.json/,
  },
};

/** A WebSocket that accepts the subscription and sends only this text. */
async function mute(text = ''): Promise<Served> {
  const socket = createServer();
  socket.on('upgrade', ({ headers }, connection) => {
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    connection.on('error', () => {}).write(`${[...lines, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
    // One unmasked frame.
    if (text !== '') connection.write(Buffer.from([0x81, text.length, ...Buffer.from(text)]));
  });
  await once(socket.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `ws://127.0.0.1:${(socket.address() as AddressInfo).port}`,
    stop: async () => void socket.close().closeAllConnections(),
  };
}

/** An exchange whose clock is ahead. */
const late: RequestListener = (request, response) => {
  const symbol = new URL(request.url ?? '', nobody).searchParams.get('symbol');
  response.setHeader('date', new Date(Date.now() + 5_000).toUTCString());
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ symbol, bidPrice: '100', bidQty: '1', askPrice: '101', askQty: '1' }));
};

// Each run takes a second or two of one core.
const turns = pLimit(2);

test('DP-26: with a whole set-up nothing is refused, and every part is looked at', async () => {
  const { code, out, found } = await checked(world.sound);
  expect(
    found.filter(({ state }) => state === 'refused'),
    out,
  ).toEqual([]);
  expect(code, out).toBe(0);
  const fine = found.filter(({ state }) => state === 'ok').map(({ check }) => check);
  const parts =
    'settings requests disk port node logs send relay websocket contracts verdict_key keeper gas.wallet gas.rescuer gas.seller gas.price bytecode bundler redis exchange clock pyth model facilitator';
  expect(fine, out).toEqual(expect.arrayContaining(parts.split(' ')));
  expect(out).toMatch(/bundler +127\.0\.0\.1:\d+ prices an operation of the wallet/);
});

test('DP-26: beside a running agent it takes nothing from it, and tells what that says of itself', async () => {
  // The running agent holds the payments lock and the port. Workers need a real Redis.
  const data = mkdtempSync(join(world.scratch, 'running-'));
  const env = { ...world.sound, REDIS_URL: '', DATA_DIR: data };
  const agent = await startSidecar(env);
  try {
    const ready = async () => (await fetch(`${agent.url}/ready`)).status;
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);
    const beside = await checked(env);
    expect(
      beside.found.filter(({ state }) => state === 'refused'),
      beside.out,
    ).toEqual([]);
    expect(beside.out).toMatch(/ok +agent +An agent runs at port/);
    expect(beside.code).toBe(0);
    writeFileSync(join(data, 'stop'), '');
    await expect.poll(ready).toBe(503);
    // On a busy machine the exchange here may be silent for once.
    const stopped = await vi.waitFor(
      async () => {
        const each = await checked(env);
        expect(each.code, each.out).toBe(0);
        return each;
      },
      { timeout: 60_000 },
    );
    expect(stopped.found, stopped.out).toContainEqual(
      expect.objectContaining({ state: 'note', check: 'agent.stop_file', said: expect.stringMatching(/^stop_file: /) }),
    );
    expect(agent.log.filter(({ event }) => event === 'payments.off')).toEqual([]);
  } finally {
    await agent.stop();
  }
});

async function play({ env, state = 'refused', said, remedy }: Sabotage): Promise<void> {
  const { code, out, found, seconds } = await turns(async () => checked({ ...world.sound, ...(await env()) }));
  const named = found.find((each) => each.state === state && said.test(`${each.check} ${each.said}`));
  expect(named, out).toBeDefined();
  expect(named?.remedy, out).toMatch(remedy);
  expect(code, out).toBe(state === 'note' ? 0 : 1);
  // The output may show the host of an address, and nothing of a key.
  expect(out).not.toMatch(/secret-path|a-key-of|the password of/);
  for (const key of [...Object.values(localKeys), stranger]) expect(out).not.toContain(key.slice(2));
  for (const each of found.filter(({ state: is }) => is !== 'ok')) {
    expect(each.said, out).toMatch(/^[a-z][a-z0-9_]+: /);
    expect(each.remedy, out).toMatch(/\w.*\.$/);
    expect(each.remedy, out).not.toMatch(/npm |bowline check/);
  }
  expect(seconds, out).toBeLessThan(15);
}

test.concurrent.each(Object.entries(reviewed))('DP-26: %s', (_, sabotage) => play(sabotage), 300_000);
test.concurrent.each(Object.entries(own))(
  'DP-26: of more set-ups, %s',
  { tags: 'long', timeout: 300_000 },
  (_, sabotage) => play(sabotage),
);
