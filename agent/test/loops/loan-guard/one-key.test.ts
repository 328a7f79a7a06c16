import { setTimeout as sleep } from 'node:timers/promises';
import { type Address, type Hex, parseEther, parseGwei, parseTransaction } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { mineEvery } from '../../../../lab/world/miner.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { type Fate, type RpcProxy, signerOf, startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { bob, carol } from '../../../../test/local/accounts.ts';
import { borrow, rescuesOf, setGuard } from '../../loans.ts';
import { type DeployedChain, startDeployedChain } from '../world.ts';
import { dave } from './guarded.ts';
import { keeperKey, startRescuing } from './rescuing.ts';

// Nodes that mistreat one key's transactions, or everybody's: two rescue keys and a keeper on a real chain.

let world: DeployedChain;
let clean: Hex;
let line: RpcProxy;
let stops: (() => unknown)[];
let rescuers: PrivateKeyAccount[];
/** Every broadcast of each key. */
let broadcasts: { readonly by: Address; readonly raw: Hex }[];

beforeAll(async () => {
  world = await startDeployedChain({ forgets: true });
  for (const borrower of [bob, dave]) {
    await borrow(world.chain, borrower, borrower === bob ? '70000' : '60000');
    await setGuard(world, borrower);
  }
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
  line = await startRpcProxy(world.url);
  stops = [() => line.stop()];
  broadcasts = [];
  rescuers = [1, 2].map(() => privateKeyToAccount(generatePrivateKey()));
  for (const { address } of rescuers) await world.chain.setBalance({ address, value: parseEther('10') });
});
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  await world.chain.request({ method: 'anvil_dropAllTransactions' } as never);
  await world.chain.setAutomine(true);
  await world.chain.revert({ id: clean });
});

const startAgent = async (keys = rescuers) => {
  const agent = await startRescuing({ url: line.url, book: world.book, rescuers: keys, stops });
  await world.chain.setAutomine(false);
  stops.push(mineEvery(world.url, 0.45));
  return agent;
};
/** Sets the fate of every later transaction that this key signs; without a key, of all. */
function fateOf(fate: Fate, key?: Address): void {
  line.fate = async (method, body) => {
    if (method !== 'eth_sendRawTransaction') return 'answered';
    const by = await signerOf(body);
    broadcasts.push({ by, raw: JSON.parse(body).params[0] });
    return key === undefined || by === key ? fate : 'answered';
  };
}
const fall = (usd: bigint) => setPrice(world.chain, bob, 'BTCB', usd * 10n ** 8n);
const rescued = async (guardId: bigint) => (await rescuesOf(world, guardId)).length;
const first = (): Address => rescuers[0]?.address ?? carol;
const signedBy = (key: Address) => new Set(broadcasts.flatMap(({ by, raw }) => (by === key ? [raw] : [])));

// AG-38
test('a key that nodes refuse stops no rescue: the next one sends it at once, and the refused one rests', async () => {
  const { warnings, readiness } = await startAgent();
  fateOf('underpriced', first());
  await fall(93_000n);
  const from = Date.now();
  await expect.poll(() => rescued(1n), { timeout: 8_000, interval: 50 }).toBe(1);
  expect(Date.now() - from).toBeLessThan(3_000);
  // The second loan falls in the same outage.
  await fall(80_000n);
  await expect.poll(() => rescued(2n), { timeout: 8_000, interval: 50 }).toBe(1);
  await sleep(5_000);
  expect(await readiness()).toMatchObject({ ready: true });
  expect(signedBy(first()).size).toBe(1);
  expect(warnings).toMatchObject([
    { event: 'sender.broadcast_failed', from: first(), isRefused: true },
    { event: 'sender.cannot_send', address: first(), rule: 'refused', instead: rescuers[1]?.address },
  ]);
}, 60_000);

// AG-38
test('with one rescue key, the keeper sends what its nodes refuse', async () => {
  await startAgent(rescuers.slice(0, 1));
  fateOf('underpriced', first());
  await fall(93_000n);
  await expect.poll(() => rescued(1n), { timeout: 5_000, interval: 50 }).toBe(1);
  expect([...new Set(broadcasts.map(({ by }) => by))]).toEqual([first(), keeperKey.address]);
}, 60_000);

// AG-38
test('a rescue that nodes take and never mine goes out by a second key after three blocks, at the cost of one revert', async () => {
  const { chain } = world;
  const { readiness } = await startAgent();
  fateOf('swallowed', first());
  const from = await chain.getBlockNumber();
  await fall(93_000n);
  await expect.poll(() => rescued(1n), { timeout: 8_000, interval: 50 }).toBe(1);
  // The fall, three blocks without the rescue, and the block that includes it, each seen one block late.
  expect(Number((await chain.getBlockNumber()) - from)).toBeLessThanOrEqual(8);
  expect(await readiness()).toMatchObject({ ready: true });
  // The swallowed transaction is passed on after all.
  fateOf('answered');
  const count = () => chain.getTransactionCount({ address: first() });
  await expect.poll(count, { timeout: 8_000 }).toBe(1);
  expect(await rescued(1n)).toBe(1);
  const spent = parseEther('10') - (await chain.getBalance({ address: first() }));
  const { gasPrice = 0n } = parseTransaction([...signedBy(first())].at(-1) ?? '0x');
  expect(Number(spent / gasPrice)).toBeLessThan(75_000);
}, 60_000);

test('what nobody has accepted is broadcast again as it is: after ten seconds of HTTP 500 it is mined at the price first offered', async () => {
  const { chain } = world;
  await startAgent();
  fateOf('failed');
  const offered = await chain.getGasPrice();
  await fall(93_000n);
  await sleep(10_000);
  expect(await rescued(1n)).toBe(0);
  fateOf('answered');
  await expect.poll(() => rescued(1n), { timeout: 5_000, interval: 50 }).toBe(1);
  const keys = [...rescuers, keeperKey].map(({ address }) => address);
  for (const key of keys) expect(signedBy(key).size).toBeLessThanOrEqual(1);
  const prices = broadcasts.map(({ raw }) => parseTransaction(raw).gasPrice ?? 0n);
  for (const price of prices) expect(price).toBeLessThanOrEqual(offered);
}, 60_000);

// AG-39
test('a due rescue that is too dear waits, which /ready says with both prices, until the price falls', async () => {
  const { chain } = world;
  const { readiness, warnings } = await startAgent();
  const setBaseFee = (gwei: string) => chain.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei(gwei) });
  await setBaseFee('100');
  const keepDear = () => setInterval(() => void setBaseFee('100'), 100);
  let dear = keepDear();
  stops.push(() => clearInterval(dear));
  await expect.poll(async () => (await chain.getGasPrice()) >= parseGwei('100')).toBe(true);
  // Keys read the price at least every four seconds; anything signed at the old price waits in the pool.
  await sleep(5_000);
  // The feed's transaction offers a block's price: no later one may be dearer. A few blocks of falling fees stay too dear.
  clearInterval(dear);
  await sleep(500);
  await fall(93_000n);
  dear = keepDear();
  await expect.poll(async () => (await readiness()).ready, { timeout: 20_000 }).toBe(false);
  const { rescues } = (await readiness()).dependencies;
  expect(rescues).toMatchObject({
    reason: 'rescue_waiting',
    detail: expect.stringMatching(/^A rescue has waited 1\d s: gas_price \(gas \d{2,3}(\.\d+)? gwei > 20\)\.$/),
  });
  await sleep(4_000);
  expect(await rescued(1n)).toBe(0);
  expect(warnings.filter(({ event }) => event === 'call.not_allowed')).toHaveLength(1);
  clearInterval(dear);
  // The last fee change may still be under way.
  await sleep(500);
  await setBaseFee('1');
  await expect.poll(() => rescued(1n), { timeout: 20_000, interval: 100 }).toBe(1);
  await expect.poll(async () => (await readiness()).ready).toBe(true);
}, 60_000);
