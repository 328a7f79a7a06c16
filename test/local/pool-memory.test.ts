import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ChainClient, connectChain } from '@bowline/chain/chain-client';
import { Keystore } from 'ox';
import { type Hex, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startSigner } from '../../agent/test/sending/signer-stand-in.ts';
import { buy, costOf, enoughSlots, roomOf, type Send, stepsTo } from '../../cli/pool-memory.ts';
import { type Chain, connect, maxTransactionGas } from '../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { tradedPools } from '../../lab/world/market/pools.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { createPool } from '../../packages/chain/test/pools.ts';

let local: LocalChain;
let chain: Chain;
let client: ChainClient;
beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
  client = connectChain(local.url);
});
afterAll(() => local?.stop());

const told: string[] = [];
const send: Send = async ({ to, data, gas }) =>
  (await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from: treasurer, to, data, gas: `0x${gas.toString(16)}` as Hex }],
  } as never)) as Hex;

// On a pool that anybody has just created: its ring was never larger.
test('buys what is missing, in transactions that BNB Chain takes, for what it has said', async () => {
  const pool = await createPool(chain, { base: 'WBNB', quote: 'USDC', fee: 10000, price: 800, depth: '100' });
  const before = await roomOf(client, pool);
  const steps = stepsTo(pool, before, enoughSlots);
  const cost = await costOf(client, steps, treasurer);
  const used: bigint[] = [];
  await buy(client, steps, {
    payer: treasurer,
    send: async (transaction) => {
      const hash = await send(transaction);
      used.push((await chain.receiptOf(hash)).gasUsed);
      expect(transaction.gas).toBeLessThan(maxTransactionGas);
      return hash;
    },
    told: (line) => told.push(line),
  });
  expect(await roomOf(client, pool)).toMatchObject({ bought: enoughSlots });
  const gas = used.reduce((sum, each) => sum + each, 0n);
  const gasPerSlot = Number(gas) / (enoughSlots - before.bought);
  expect(gasPerSlot).toBeGreaterThan(22_000);
  expect(gasPerSlot).toBeLessThan(22_500);
  expect(Number(cost.gas) / Number(gas)).toBeCloseTo(1, 2);
  expect(told).toHaveLength(steps.length);
  // There is nothing left to buy.
  expect(stepsTo(pool, await roomOf(client, pool), enoughSlots)).toEqual([]);
});

// Whatever happened to the transaction, a second one could only cost more.
test('stops after a transaction that is in no block, or that was reverted', async () => {
  const pool = await createPool(chain, { base: 'ETH', quote: 'USDC', fee: 10000, price: 4_000 });
  const steps = stepsTo(pool, await roomOf(client, pool), enoughSlots);
  const lost: Send = async () => `0x${'1'.repeat(64)}`;
  let sent = 0;
  const counted = (by: Send): Send => {
    return (transaction) => {
      sent += 1;
      return by(transaction);
    };
  };
  const impatient = { ...client, waitForTransactionReceipt: () => Promise.reject(new Error('too long')) };
  const buyer = { payer: treasurer, told: (line: string) => void told.push(line) };
  await expect(buy(impatient as typeof client, steps, { ...buyer, send: counted(lost) })).rejects.toThrow(
    'run this again',
  );
  const starved: Send = (transaction) => send({ ...transaction, gas: 60_000n });
  await expect(buy(client, steps, { ...buyer, send: counted(starved) })).rejects.toThrow('reverted');
  expect(sent).toBe(2);
});

const pool = () => {
  const found = tradedPools.find(({ base, quote }) => base === 'BTCB' && quote === 'USDT');
  if (found === undefined) throw new Error('The replica has no such pool.');
  return found;
};

test('says the cost first, and sends nothing unless told to', async () => {
  const before = await roomOf(client, pool().address);
  const { code, out } = await run('btcb', '--slots', String(before.bought + 10));
  expect(out).toMatch(/To buy: room for 10 more, in 1 transaction\.\n {2}Cost: [\d,]+ gas, 0\.\d+ BNB at/);
  expect(out).toContain('Nothing was sent. Add --yes to buy it.');
  expect(code).toBe(1);
  expect(await roomOf(client, pool().address)).toEqual(before);
});

/** Leaves the pool room for one observation, as if it were new: no transaction makes a pool forget. */
async function shorten(): Promise<void> {
  const { address } = pool();
  const state = BigInt((await chain.getStorageAt({ address, slot: '0x0' })) ?? 0);
  // After the price and the tick: the newest observation's index, how many there are, and how many there will be, of 16 bits each.
  const ring = (2n ** 48n - 1n) << 184n;
  const one = (1n << 200n) | (1n << 216n);
  await chain.setStorageAt({ address, index: 0, value: toHex((state & ~ring) | one, { size: 32 }) });
}

test('buys when told to, once', { tags: 'long' }, async () => {
  await shorten();
  const bought = await run('BTCB', '--yes');
  expect(bought).toMatchObject({ code: 0, out: expect.stringContaining('Room for 1300: 0x') });
  expect(await roomOf(client, pool().address)).toEqual({ used: 1, bought: 1300 });
  expect(await run('BTCB')).toMatchObject({ code: 0, out: expect.stringContaining('Enough has been bought.') });
  expect(await run('DOGE')).toMatchObject({ code: 2, out: expect.stringContaining('lists no pool of DOGE') });
});

/** A new account with gas money, and its key in a keystore of its own. */
async function payer() {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  await chain.setBalance({ address: account.address, value: 10n ** 18n });
  const folder = mkdtempSync(join(tmpdir(), 'bowline-payer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [file, pass] = [join(folder, 'payer'), join(folder, 'payer.pass')];
  const [sealing, options] = Keystore.scrypt({ password: 'correct horse', n: 1_024, r: 8, p: 1 });
  writeFileSync(file, JSON.stringify(Keystore.encrypt(key, sealing, options)), { mode: 0o600 });
  writeFileSync(pass, 'correct horse', { mode: 0o600 });
  return { account, keystore: { PAYER_PRIVATE_KEY_FILE: file, PAYER_PRIVATE_KEY_PASSWORD_FILE: pass } };
}

// DP-19, DP-20
test('pays from a keystore or by a remote signer, by the settings’ chain and gas price', { tags: 'long' }, async () => {
  const { account, keystore } = await payer();
  const held = () => chain.getBalance({ address: account.address });
  const { bought } = await roomOf(client, pool().address);
  const buying = (more: number, env: Record<string, string>) =>
    runIn(env, 'BTCB', '--yes', '--slots', String(bought + more));
  // The node is on another chain, or its gas price is too high.
  for (const [env, said] of [
    [{ CHAIN: 'bsc' }, `serves chain ${localChainId}, not chain 56`],
    [{ MAX_GAS_PRICE_GWEI: '0.000001' }, 'MAX_GAS_PRICE_GWEI is 0.000001: nothing was sent'],
  ] as const) {
    expect(await buying(5, { ...keystore, ...env })).toMatchObject({ code: 2, out: expect.stringContaining(said) });
  }
  expect(await held()).toBe(10n ** 18n);
  expect(await buying(5, keystore)).toMatchObject({ code: 0, out: expect.stringContaining(account.address) });
  expect((await roomOf(client, pool().address)).bought).toBe(bought + 5);
  const signer = await startSigner([account], localChainId);
  const remote = { SIGNER_URL: signer.url, PAYER_PRIVATE_KEY: `signer:${account.address}` };
  expect(await buying(9, remote)).toMatchObject({ code: 0, out: expect.stringContaining(account.address) });
  expect(signer.asked.map(({ method }) => method)).toEqual(['eth_signTransaction']);
  expect((await roomOf(client, pool().address)).bought).toBe(bought + 9);
  expect(await chain.getTransactionCount({ address: account.address })).toBe(2);
});

const run = (...words: string[]) => runIn({}, ...words);

const runIn = (env: Record<string, string>, ...words: string[]) =>
  promisify(execFile)(process.execPath, ['cli/main.ts', 'pool-memory', ...words, '--rpc', local.url], {
    env: { PATH: process.env.PATH, ...env },
  }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }) => ({ code, out: stdout + stderr }),
  );
