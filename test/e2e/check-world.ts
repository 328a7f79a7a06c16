import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keystore } from 'ox';
import { type Address, type Hex, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { localKeys } from '../../agent/src/settings.ts';
import { walletOf } from '../../lab/world/account-abstraction.ts';
import { accountAbstraction } from '../../lab/world/addresses.ts';
import { startBundler } from '../../lab/world/bundler.ts';
import { connect } from '../../lab/world/chain.ts';
import { deployOwn } from '../../lab/world/deployment.ts';
import { serveFacilitator } from '../../lab/world/facilitator.ts';
import { startLocalChain } from '../../lab/world/fork.ts';
import { createPath } from '../../lab/world/market/path.ts';
import { serveMarket } from '../../lab/world/market/server.ts';
import { minedAtOnce, mineEvery } from '../../lab/world/miner.ts';
import { deployContracts, keeper } from '../../lab/world/start/contracts.ts';
import { freePort } from '../local/free-port.ts';

// A whole set-up of an operator on a local chain, every optional service included, for test/e2e/check.test.ts.

export type Env = Readonly<Record<string, string>>;

export interface CheckWorld {
  /** Settings with which no check is refused: a wallet is the operator, and every optional setting is set. */
  readonly sound: Env;
  readonly rpcUrl: string;
  /** Folder of the files that a set-up makes. */
  readonly scratch: string;
  /** The record with some of it changed, in a folder of its own. */
  recordWith(changes: object): string;
  /** Settings of a deployment on a chain with BNB Chain's ID. */
  readonly onBsc: Env;
  /** The record of contracts whose operator is this account, in a folder of its own. */
  deployedBy(operator: Address): Promise<string>;
  /** A file that only its owner may read, unless another mode is given. */
  file(text: string, mode?: number): string;
  /** A keystore and the file of its password. */
  keystore(key: Hex): { readonly keystore: string; readonly password: string };
  stop(): Promise<void>;
}

const factoryAbi = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function senderCreator() view returns (address)',
]);

export async function startCheckWorld(): Promise<CheckWorld> {
  const scratch = mkdtempSync(join(tmpdir(), 'bowline-check-'));
  const folder = '.cache/deployments/check';
  const stops: (() => Promise<unknown>)[] = [];
  const local = await startLocalChain();
  stops.push(local.stop);
  const chain = connect(local.url);
  const contracts = await deployContracts(local.url, folder, new AbortController().signal);
  const record = JSON.parse(readFileSync(`${folder}/31337.json`, 'utf8'));
  const wallet = await walletOf(chain, keeper);
  await chain.setBalance({ address: wallet, value: parseEther('100') });
  await chain.setBalance({ address: privateKeyToAddress(localKeys.rescue), value: parseEther('100') });
  const factory = { address: accountAbstraction.simpleAccountFactory, abi: factoryAbi } as const;
  const creator = await chain.readContract({ ...factory, functionName: 'senderCreator' });
  await chain.impersonateAccount({ address: creator });
  await chain.setBalance({ address: creator, value: parseEther('1') });
  await chain.send(creator, factory.address, { abi: factoryAbi, functionName: 'createAccount', args: [keeper, 0n] });
  const byWallet = { ...contracts, ...(await deployOwn(local.url, wallet)) };
  await chain.setAutomine(false);
  stops.push(mineEvery(local.url, 0.45));
  const clock = () => Date.now() / 1000;
  const market = await serveMarket({ play: async () => [], stop: async () => {} }, createPath(1, clock()), clock, 0);
  const bundler = await startBundler(local.url, await freePort());
  const facilitator = await serveFacilitator(local.url, 0);
  stops.push(market.stop, bundler.stop, facilitator.stop);
  const model = await serve((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'ok' } }] }));
  });
  const redis = await serveRedis();
  stops.push(model.stop, redis.stop);

  let made = 0;
  const place = (name: string) => {
    made += 1;
    const own = join(scratch, `${made}`);
    mkdirSync(own);
    return join(own, name);
  };
  const file = (text: string, mode = 0o600) => {
    const path = place('file');
    writeFileSync(path, text, { mode });
    return path;
  };
  const recordWith = (changes: object) => {
    const path = place('31337.json');
    writeFileSync(path, JSON.stringify({ ...record, ...byWallet, ...changes }));
    return join(path, '..');
  };
  const keystore = (key: Hex) => {
    const password = 'the password of a keystore';
    const [derived, options] = Keystore.scrypt({ password, n: 2, r: 8, p: 1 });
    return { keystore: file(JSON.stringify(Keystore.encrypt(key, derived, options))), password: file(password) };
  };
  const deployedBy = async (operator: Address) => {
    // The chain mines by the clock.
    const own = await minedAtOnce(chain, () => deployOwn(local.url, operator));
    return recordWith(own);
  };
  // Not the local chain's public keys.
  const [bscKeeper, bscRescue] = [generatePrivateKey(), generatePrivateKey()];
  const bscOwn = await deployOwn(local.baseUrl, privateKeyToAddress(bscKeeper));
  const bscRecord = place('56.json');
  writeFileSync(bscRecord, JSON.stringify({ chainId: 56, ...bscOwn, verdictSigners: [keeper] }));
  const keeperKey = keystore(localKeys.keeper);
  return {
    sound: {
      ...{
        CHAIN: 'local',
        RPC_URL: `${local.url},${local.url.replace('http', 'ws')}`,
        PORT: `${await freePort()}`,
      },
      ...{ PRIVATE_SEND_URLS: local.url, BUNDLER_URL: bundler.url, REDIS_URL: redis.url },
      ...{ KEEPER_PRIVATE_KEY_FILE: keeperKey.keystore, KEEPER_PRIVATE_KEY_PASSWORD_FILE: keeperKey.password },
      ...{ RESCUE_PRIVATE_KEYS_FILE: file(localKeys.rescue), VERDICT_PRIVATE_KEY_FILE: file(localKeys.verdict) },
      ...{ MARKET_DATA_URL: market.url, PYTH_URL: market.url, DATA_DIR: join(scratch, 'data') },
      ...{ OPENAI_API_KEY_FILE: file('a-key-of-the-model'), OPENAI_BASE_URL: model.url },
      ...{ PRICE_USD: '0.01', X402_FACILITATOR_URL: facilitator.url },
      ...{ DEPLOYMENTS_DIR: recordWith({}) },
    },
    onBsc: {
      ...{
        CHAIN: 'bsc',
        RPC_URL: local.baseUrl,
        PRIVATE_SEND_URLS: '',
        BUNDLER_URL: '',
        PRICE_USD: '0',
      },
      ...{ KEEPER_PRIVATE_KEY_FILE: file(bscKeeper), KEEPER_PRIVATE_KEY_PASSWORD_FILE: '', PYTH_URL: 'off' },
      ...{ RESCUE_PRIVATE_KEYS_FILE: file(bscRescue), DEPLOYMENTS_DIR: join(bscRecord, '..') },
    },
    ...{ rpcUrl: local.url, scratch, recordWith, deployedBy, file, keystore },
    async stop() {
      for (const stop of stops.toReversed()) await stop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

export interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

export async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    stop: async () => void server.close().closeAllConnections(),
  };
}

/** An empty Redis, enough for a client that greets it and runs one script. @param refuse its error to every command. */
export async function serveRedis(refuse?: string): Promise<Served> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      // Each command is an array.
      for (const command of data
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const [, name = ''] = command.split('\r\n');
        const info = 'redis_version:7.2.0\r\nloading:0';
        const answer = /^info$/i.test(name) ? `$${info.length}\r\n${info}` : /^eval/i.test(name) ? '*0' : '+OK';
        socket.write(`${refuse === undefined ? answer : `-${refuse}`}\r\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `redis://127.0.0.1:${portOf(server)}`, stop: async () => void server.close() };
}

export interface Found {
  readonly state: string;
  readonly check: string;
  /** The whole line after the name of the check: reason and what was found. */
  readonly said: string;
  readonly remedy: string;
}

/** Runs `bowline check` with only these settings. `seconds` excludes loading, which takes 2 s on an idle machine. */
export async function checked(env: Env, main = 'cli/main.ts') {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const from = performance.now();
  const child = spawn(process.execPath, [main, 'check'], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...env },
  });
  let out = '';
  let loaded: number | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      loaded ??= performance.now();
      out += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, seconds: (performance.now() - (loaded ?? from)) / 1000, found: foundIn(out) };
}

function foundIn(out: string): Found[] {
  const lines = out.matchAll(/^ {2}(ok|note|refused) +(\S+) +(.+)\n(?: {4,}→ (.+)\n)?/gm);
  return [...lines].map(([, state = '', check = '', said = '', remedy = '']) => ({ state, check, said, remedy }));
}
