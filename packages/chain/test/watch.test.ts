import type { Health } from '@bowline/core/domain/loan-health';
import type { Guard } from '@bowline/core/domain/permissions';
import { type Address, type Hex, pad, parseEther, toFunctionSelector } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { venusLensAbi } from '../../../abis/index.ts';
import { borrow, introduce, stranger, supply } from '../../../agent/test/loans.ts';
import { vTokenAbi } from '../../../lab/world/abis.ts';
import { feeds, venus } from '../../../lab/world/addresses.ts';
import { feedsOf, setAnswer, setPrice } from '../../../lab/world/oracle.ts';
import { bob } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createHealthReader } from '../health-reader.ts';
import { lensesOf } from '../lending/lenses.ts';
import type { HealthReader } from '../readers.ts';
import { type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { type Call, type RpcProxy, refuse, startRpcProxy } from './rpc-proxy.ts';

// CH-2: watching by distance.

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
  proxy.ask = () => {};
  proxy.tell = () => {};
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
/** More loans than are read at every block. */
const thousands = () => [
  ...guards(),
  ...Array.from({ length: 2_000 }, (_, at) => guardOf(stranger(1_000 + at), 1_000 + at)),
];

function reader(hasLens = true): HealthReader {
  const client = connectChain(proxy.url);
  return createHealthReader(client, hasLens ? lensesOf(client, world.book.lending) : undefined);
}
/** Healths in the order of `all`; undefined: healthy. */
async function watched(watching: HealthReader, all: readonly Guard[]): Promise<readonly (Health | undefined)[]> {
  const judged = await watching.watch(all);
  const healths = new Map(judged.guards.map((guard, at) => [guard, judged.healths[at]]));
  return all.map((guard) => healths.get(guard));
}
/** Runs `work` and counts the requests that it took. */
async function asked<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; requests: number }> {
  const before = proxy.methods.length;
  return { answer: await work(), requests: proxy.methods.length - before };
}
/** Caps the gas of calls, as some nodes do. */
const capGas =
  (most: bigint) =>
  ({ params }: Call): void => {
    const [call] = params as [{ gas?: string }];
    if (call.gas !== undefined && BigInt(call.gas) > most) call.gas = `0x${most.toString(16)}`;
  };
const highest = (addresses: readonly Address[]): Address => addresses.toSorted().at(-1) as Address;
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

test('a falling price shows at the next block in one request, also by a guard’s source', async () => {
  const { book, chain } = world;
  const watching = reader();
  const bySource = guardOf(second, crowd, book.own.chainlinkPriceSource);
  const all = [...guards(), bySource];
  await watching.healths(all);
  await setPrice(chain, bob, 'BTCB', 84_000n * 10n ** 8n);
  await setAnswer(chain, bob, feeds.BTCB, 70_000n * 10n ** 8n);
  const { answer, requests } = await asked(() => watched(watching, all));
  expect(requests).toBe(1);
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
    await watched(watching, all);
    await borrowMore(second, '15000');
    let calls = 0;
    for (let health: unknown = 2n * 10n ** 18n; (health as bigint) > parseEther('1.08'); calls++) {
      health = (await watched(watching, all))[1];
    }
    expect(calls).toBeLessThanOrEqual(max);
    await world.chain.revert({ id: before });
  }
});

test('near its trigger a loan is read at every block, among thousands', async () => {
  const { chain } = world;
  const watching = reader();
  const all = thousands();
  await watching.healths(all);
  // 80 % of 84,000 over 60,000: 1.12.
  await setPrice(chain, bob, 'BTCB', 84_000n * 10n ** 8n);
  await watched(watching, all);
  for (let round = 0; round < 3; round++) {
    await borrowMore(second, '10');
    const [, health] = await watched(watching, all);
    expect(health).toBe((await reader(false).healths(guards()))[1]);
  }
});

test('a loan that was rescued is read at the next block', async () => {
  const watching = reader();
  await watching.healths(guards());
  const all = thousands();
  await watching.healths(all);
  await watched(watching, all);
  await borrowMore(first, '1000');
  const [guard] = all as [Guard];
  watching.changed(guard);
  expect((await watched(watching, all))[0]).toBe((await reader(false).healths(guards()))[0]);
});

test('a node without state overrides is asked in the adapter’s way', async () => {
  proxy.fate = () => 'nothing_supposed';
  const watching = reader();
  const exact = await reader(false).healths(guards());
  expect(await watching.healths(guards())).toEqual(exact);
  const { answer, requests } = await asked(() => watched(watching, guards()));
  expect(answer).toEqual(exact);
  expect(requests).toBe(1);
});

test('a node that refuses a third parameter is asked in the adapter’s way', async () => {
  proxy.fate = (_method, body) => (JSON.parse(body).params.length > 2 ? 'refused' : 'answered');
  expect(await reader().healths(guards())).toEqual(await reader(false).healths(guards()));
});

describe('a node that answers, but not with a reading', () => {
  const isLens = (body: string) => body.includes(selectorOf('read')) || body.includes(selectorOf('rates'));
  const noHeader = [-32_000, 'header not found'] as const;
  /** Refuses the next `times` lens calls. */
  function refuseLens(times: number, [code, message]: readonly [number, string] = noHeader) {
    let left = times;
    proxy.tell = (call, answer) => {
      if (!isLens(JSON.stringify(call)) || left === 0) return;
      left -= 1;
      refuse(answer, code, message);
    };
  }

  test.each([
    noHeader,
    [-32_000, 'execution aborted (timeout = 5s)'],
    [-32_603, 'internal error'],
    [-32_007, 'request limit reached'],
  ] as const)('once (%i %s) is asked by the lens at the next block', async (...refusal) => {
    const watching = reader();
    const all = thousands().slice(0, 150);
    const exact = await watching.healths(all);
    refuseLens(12, refusal);
    // Four calls; viem retries some of them twice.
    const { requests } = await asked(() => watched(watching, all).catch(() => []));
    expect(requests).toBeLessThanOrEqual(12);
    proxy.tell = () => {};
    const next = await asked(() => watched(watching, all));
    expect(next.requests).toBe(1);
    for (const at of [0, 1, 2]) expect(Number(next.answer[at]) / Number(exact[at])).toBeCloseTo(1, 6);
  });

  test('to one call of a full reading is asked again, in halves', async () => {
    const watching = reader();
    const exact = await reader(false).healths(guards());
    refuseLens(1);
    const { answer, requests } = await asked(() => watching.healths(guards()));
    expect(answer).toEqual(exact);
    expect(requests).toBe(3);
  });

  test('to a full reading is read by the adapter that once', async () => {
    const watching = reader();
    const exact = await reader(false).healths(guards());
    refuseLens(4);
    const { answer, requests } = await asked(() => watching.healths(guards()));
    expect(answer).toEqual(exact);
    expect(requests).toBe(5);
    expect((await asked(() => watched(watching, guards()))).requests).toBe(1);
    expect((await asked(() => watched(watching, guards()))).requests).toBe(1);
  });

  test('ever is asked by the adapter after three readings, and tried again by a full one', async () => {
    const watching = reader();
    const exact = await reader(false).healths(guards());
    refuseLens(Number.POSITIVE_INFINITY);
    await watching.healths(guards());
    for (let block = 0; block < 2; block++) {
      const { requests } = await asked(() => watched(watching, guards()));
      expect(requests).toBeLessThanOrEqual(4);
    }
    for (let block = 0; block < 3; block++) {
      const { answer, requests } = await asked(() => watched(watching, guards()));
      expect(answer).toEqual(exact);
      expect(requests).toBe(1);
    }
    // Still refused, so the lens is not asked at the next blocks either.
    expect(await watching.healths(guards())).toEqual(exact);
    expect((await asked(() => watched(watching, guards()))).requests).toBe(1);
    proxy.tell = () => {};
    expect((await asked(() => watching.healths(guards()))).requests).toBe(1);
    expect((await asked(() => watched(watching, guards()))).requests).toBe(1);
  });

  test('by too little gas is asked a few times, not for every account', async () => {
    const watching = reader();
    proxy.ask = capGas(5_000_000n);
    let ofLens = 0;
    proxy.fate = (_method, body) => {
      if (body.includes(selectorOf('read'))) ofLens += 1;
      return 'answered';
    };
    const all = thousands().slice(0, 200);
    const exact = await reader(false).healths(all);
    expect(await watching.healths(all)).toEqual(exact);
    for (let block = 0; block < 3; block++) await watched(watching, all);
    expect(ofLens).toBeLessThanOrEqual(3);
    expect(await watched(watching, all)).toEqual(exact);
  });
});

test('a stranger with many costly guards near their triggers keeps nobody else from being read', async () => {
  const { book } = world;
  const { chainlinkPriceSource, venusPriceSource } = book.own;
  const watching = reader();
  // An account on every market with every source: each is a group of its own, always near its trigger.
  const ofStranger = Object.values(venus.markets)
    .flatMap((place) => [undefined, chainlinkPriceSource, venusPriceSource].map((source) => ({ place, source })))
    .map(({ place, source }, at) => ({
      ...guardOf(first, 100 + at, source),
      market: pad(place),
      triggerHealthWad: parseEther('100'),
    }));
  // On the market whose address sorts last.
  const victim = guardOf(second, 0, highest([chainlinkPriceSource, venusPriceSource]));
  const all = [...ofStranger, victim].filter(({ market }) => market <= victim.market);
  await watching.healths(all);
  await watched(watching, all);
  proxy.ask = capGas(11_000_000n);
  for (let round = 0; round < 2; round++) {
    await borrowMore(second, '3000');
    const exact = (await reader(false).healths([victim]))[0];
    let calls = 0;
    for (let health: unknown; health !== exact; calls++) {
      if (calls === 20) throw new Error('never read');
      health = (await watched(watching, all)).at(-1);
    }
    expect(calls).toBeLessThanOrEqual(10);
  }
});

test('without the rates, the loans in turn are known and the others unread; without a page, those near are estimated', async () => {
  const watching = reader();
  const near = { ...guardOf(first, 0), triggerHealthWad: parseEther('1.59') };
  const all = [near, ...thousands().slice(1)];
  const exact = await watching.healths(all);
  proxy.fate = (_method, body) => (body.includes(selectorOf('rates')) ? 'lost' : 'answered');
  const without = await watched(watching, all);
  expect(without.filter((health) => health === 'unread')).toHaveLength(crowd + 2_000 - 400);
  proxy.fate = (_method, body) => (body.includes(selectorOf('read')) ? 'lost' : 'answered');
  const estimated = await watched(watching, all);
  expect(estimated.every((health) => health !== 'unread')).toBe(true);
  expect(Number(estimated[0]) / Number(exact[0])).toBeCloseTo(1, 6);
  proxy.fate = () => 'lost';
  await expect(watched(watching, guards())).rejects.toMatchObject({ code: 'chain_unavailable' });
  await expect(watching.healths(guards())).rejects.toMatchObject({ code: 'chain_unavailable' });
}, 60_000);

test('an account in a market without a price is read by the adapter, and costs the others nothing', async () => {
  const { chain } = world;
  const watching = reader();
  await watching.healths(guards());
  for (const feed of feedsOf('ETH')) await chain.setCode({ address: feed, bytecode: '0xfd' });
  let last: readonly unknown[] = [];
  for (let round = 0; round < 12; round++) {
    const { answer, requests } = await asked(() => watched(watching, guards()));
    expect(requests).toBeLessThanOrEqual(3);
    expect(typeof answer[0]).toBe('bigint');
    last = answer;
  }
  expect(last[2]).toBe('unreadable');
  // A reading by the adapter needs no rates.
  proxy.fate = (_method, body) => (body.includes(selectorOf('rates')) ? 'lost' : 'answered');
  expect((await watched(watching, guards()))[2]).toBe('unreadable');
  proxy.fate = () => 'answered';
  expect(await reader().healths(guards())).toEqual(await reader(false).healths(guards()));
});
