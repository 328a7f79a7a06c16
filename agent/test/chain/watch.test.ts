import type { Guard } from '@bowline/core/domain/permissions';
import type { HealthReader } from '@bowline/core/domain/ports';
import { type Address, type Hex, pad, parseEther, toFunctionSelector } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { venusLensAbi } from '../../../abis/index.ts';
import { vTokenAbi } from '../../../script/local/abis.ts';
import { feeds, venus } from '../../../script/local/addresses.ts';
import { feedsOf, setAnswer, setPrice } from '../../../script/local/oracle.ts';
import { bob } from '../../../test/local/accounts.ts';
import { connectChain } from '../../src/chain/chain-client.ts';
import { createHealthReader } from '../../src/chain/health-reader.ts';
import { lensesOf } from '../../src/chain/lending/lenses.ts';
import { borrow, introduce, stranger, supply } from '../loans.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

// AG-54, AG-55: watching by distance.

const { vUSDT } = venus.markets;
const crowd = 20;
const borrowers = Array.from({ length: crowd }, (_, at) => stranger(at));
const [first, second, ofEth] = borrowers as [Address, Address, Address];

let world: DeployedChain;
let proxy: RpcProxy;
let clean: Hex;
beforeAll(async () => {
  world = await startDeployedChain();
  const { chain } = world;
  for (const each of [first, second, ofEth]) await introduce(chain, each);
  await borrow(chain, first, '50000');
  await borrow(chain, second, '60000');
  await supply(chain, ofEth, { ETH: '20' });
  await chain.send(ofEth, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('10000')] });
  proxy = await startRpcProxy(world.url);
}, 180_000);
afterAll(async () => {
  await proxy?.stop();
  await world?.stop();
});
beforeEach(async () => {
  clean = await world.chain.snapshot();
  proxy.fate = () => 'answered';
  proxy.methods.length = 0;
});
afterEach(() => world.chain.revert({ id: clean }));

const guardOf = (borrower: Address, at: number, priceSource?: Address): Guard => ({
  id: BigInt(at + 1),
  borrower,
  funder: borrower,
  adapter: world.book.own.venusMarket,
  market: pad(vUSDT),
  repayToken: borrower,
  ...(priceSource && { priceSource }),
  triggerHealthWad: parseEther('1.1'),
  targetHealthWad: parseEther('1.5'),
  capPerRescue: 1n,
  capPerDay: 1n,
  minRepay: 1n,
  cooldownSeconds: 0n,
  expiresAt: 0n,
  status: 'active',
  lastRescueAt: 0n,
  day: 0n,
  takenInDay: 0n,
  rescues: 0,
});
const guards = () => borrowers.map((each, at) => guardOf(each, at));
/** More than are read at every block. */
const thousands = () => [
  ...guards(),
  ...Array.from({ length: 2_000 }, (_, at) => guardOf(stranger(1_000 + at), 1_000 + at)),
];

function reader(hasLens = true): HealthReader {
  const client = connectChain(proxy.url);
  return createHealthReader(client, hasLens ? lensesOf(client, world.book.lending) : undefined);
}
/** How many requests it took, too. */
async function asked<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; requests: number }> {
  const before = proxy.methods.length;
  return { answer: await work(), requests: proxy.methods.length - before };
}
const borrowMore = (borrower: Address, usdt: string) =>
  world.chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther(usdt)] });
const selectorOf = (name: 'read' | 'rates') => {
  const item = venusLensAbi.find((each) => each.type === 'function' && each.name === name);
  if (item?.type !== 'function') throw new Error(`no ${name}`);
  return `"data":"${toFunctionSelector(item)}`;
};

test('a full reading is one request, and says what the adapter says', async () => {
  const { answer, requests } = await asked(() => reader().healths(guards()));
  expect(answer).toEqual(await reader(false).healths(guards()));
  expect(requests).toBe(1);
  expect(answer.filter((health) => health === 'no_debt')).toHaveLength(crowd - 3);
});

test('guards on one account are one reading', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => guardOf(first, at));
  const { answer, requests } = await asked(() => reader().healths(many));
  expect(new Set(answer).size).toBe(1);
  expect(requests).toBe(1);
});

test('a falling price shows at the next block in two requests, also by a guard’s source', async () => {
  const { book, chain } = world;
  const watching = reader();
  const bySource = guardOf(second, crowd, book.own.chainlinkPriceSource);
  const all = [...guards(), bySource];
  await watching.healths(all);
  await setPrice(chain, bob, 'BTCB', 84_000n * 10n ** 8n);
  await setAnswer(chain, bob, feeds.BTCB, 70_000n * 10n ** 8n);
  const { answer, requests } = await asked(() => watching.watch(all));
  expect(requests).toBe(2);
  const exact = await reader(false).healths(all);
  for (const [at, health] of exact.entries()) {
    if (typeof health === 'bigint') expect(Number(answer[at]) / Number(health)).toBeCloseTo(1, 5);
    else expect(answer[at]).toBe(health);
  }
  expect(Number(answer.at(-1)) / 1e18).toBeCloseTo((0.8 * 70_000) / 60_000, 4);
});

test('what a borrower does shows at the next block among few accounts, and within ten among thousands', async () => {
  for (const [all, max] of [
    [guards(), 1],
    [thousands(), 10],
  ] as const) {
    const before = await world.chain.snapshot();
    const watching = reader();
    await watching.healths(all);
    await watching.watch(all);
    await borrowMore(second, '15000');
    let calls = 0;
    for (let health: unknown = 2n * 10n ** 18n; (health as bigint) > parseEther('1.08'); calls++) {
      health = (await watching.watch(all))[1];
    }
    expect(calls).toBeLessThanOrEqual(max);
    await world.chain.revert({ id: before });
  }
});

test('near its trigger a loan is read at every block', async () => {
  const { chain } = world;
  const watching = reader();
  await watching.healths(guards());
  // 80 % of 84,000 over 60,000: 1.12.
  await setPrice(chain, bob, 'BTCB', 84_000n * 10n ** 8n);
  await watching.watch(guards());
  for (let round = 0; round < 3; round++) {
    await borrowMore(second, '10');
    const [, health] = await watching.watch(guards());
    expect(health).toBe((await reader(false).healths(guards()))[1]);
  }
});

test('a loan that was rescued is read at the next block', async () => {
  const watching = reader();
  await watching.healths(guards());
  const all = thousands();
  await watching.healths(all);
  await watching.watch(all);
  await borrowMore(first, '1000');
  const [guard] = all as [Guard];
  watching.changed(guard);
  expect((await watching.watch(all))[0]).toBe((await reader(false).healths(guards()))[0]);
});

test('a node without state overrides is asked in the adapter’s way', async () => {
  proxy.fate = () => 'nothing_supposed';
  const watching = reader();
  const exact = await reader(false).healths(guards());
  expect(await watching.healths(guards())).toEqual(exact);
  const { answer, requests } = await asked(() => watching.watch(guards()));
  expect(answer).toEqual(exact);
  expect(requests).toBe(1);
});

test('a node that refuses a third parameter is asked in the adapter’s way', async () => {
  proxy.fate = (_method, body) => (JSON.parse(body).params.length > 2 ? 'refused' : 'answered');
  expect(await reader().healths(guards())).toEqual(await reader(false).healths(guards()));
});

test('without the rates, the loans in turn are known and the others unread; without a page, all are estimated', async () => {
  const watching = reader();
  const all = thousands();
  const exact = await watching.healths(all);
  proxy.fate = (_method, body) => (body.includes(selectorOf('rates')) ? 'lost' : 'answered');
  const without = await watching.watch(all);
  expect(without.filter((health) => health === 'unread')).toHaveLength(crowd + 2_000 - 400);
  proxy.fate = (_method, body) => (body.includes(selectorOf('read')) ? 'lost' : 'answered');
  const estimated = await watching.watch(all);
  expect(estimated.every((health) => health !== 'unread')).toBe(true);
  expect(Number(estimated[0]) / Number(exact[0])).toBeCloseTo(1, 6);
  proxy.fate = () => 'lost';
  await expect(watching.watch(guards())).rejects.toMatchObject({ code: 'chain_unavailable' });
  await expect(watching.healths(guards())).rejects.toMatchObject({ code: 'chain_unavailable' });
}, 60_000);

test('an account in a market without a price is read by the adapter, and costs the others nothing', async () => {
  const { chain } = world;
  const watching = reader();
  await watching.healths(guards());
  for (const feed of feedsOf('ETH')) await chain.setCode({ address: feed, bytecode: '0xfd' });
  let last: readonly unknown[] = [];
  for (let round = 0; round < 12; round++) {
    const { answer, requests } = await asked(() => watching.watch(guards()));
    expect(requests).toBeLessThanOrEqual(3);
    expect(typeof answer[0]).toBe('bigint');
    last = answer;
  }
  expect(last[2]).toBe('unreadable');
  expect(await reader().healths(guards())).toEqual(await reader(false).healths(guards()));
});
