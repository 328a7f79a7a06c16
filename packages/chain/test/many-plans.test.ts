import { pathOf } from '@bowline/core/domain/route';
import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  getAbiItem,
  keccak256,
  pad,
  parseEther,
  toFunctionSelector,
  toHex,
  zeroHash,
} from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loanGuardAbi, planRegistryAbi, statesLensAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { unsignedGo } from '../../../agent/test/unsigned.ts';
import { alice, approve, bob, carol, give } from '../../../test/local/accounts.ts';
import { connectChain } from '../chain-client.ts';
import { createGuardReader } from '../guard-reader.ts';
import { createPlanReader } from '../plan-reader.ts';
import { createPlan, type DeployedChain, startDeployedChain } from './deployed-chain.ts';
import { makeGuards, makePlans, stranger } from './many-plans.ts';
import { type Fate, type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

// AG-19. Thousands of plans and guards that strangers made, on a node that remembers 30 blocks. The reader goes through
// a proxy that a test can cut off.

const strangersPlans = 2_000;

let deployed: DeployedChain;
let proxy: RpcProxy;
beforeAll(async () => {
  deployed = await startDeployedChain({ forgets: true });
  proxy = await startRpcProxy(deployed.url);
  const { chain, book } = deployed;
  await give(chain, carol, 'USDT', '250');
  await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('120'));
  // A quarter name another executor or keeper; the rest are as good as carol's.
  for (let member = 0; member < 20; member++) {
    const changes = member % 4 === 0 ? { executor: book.own.loanGuard } : {};
    await makePlans(deployed, stranger(member), strangersPlans / 20, changes);
    await makeGuards(deployed, stranger(member), strangersPlans / 40, member % 4 === 0 ? { keeper: bob } : {});
  }
  await createPlan(deployed);
});
afterAll(async () => {
  await proxy?.stop();
  await deployed?.stop();
});
let snapshot: `0x${string}`;
beforeEach(async () => {
  snapshot = await deployed.chain.snapshot();
  proxy.fate = () => 'answered';
  proxy.methods.length = 0;
});
afterEach(() => deployed.chain.revert({ id: snapshot }));

const plans = BigInt(strangersPlans + 1);
const guardCount = strangersPlans / 2;
const planReader = () => createPlanReader(connectChain(proxy.url), deployed.book.own, deployed.book.assets);
const guardReader = () => {
  const { book } = deployed;
  return createGuardReader(connectChain(proxy.url), book, alice);
};
const calls = () => proxy.methods.filter((method) => method === 'eth_call').length;
/** IDs of the plans that a request reads from the lens, whole or as states; empty for any other request. */
const idsOfWhole = (body: string): bigint[] => idsIn(body, 'each', 4);
const idsOfStates = (body: string): bigint[] => idsIn(body, 'plans', 1);
function idsIn(body: string, name: 'each' | 'plans', at: number): bigint[] {
  const [call] = JSON.parse(body).params ?? [];
  if (!call?.data?.startsWith(toFunctionSelector(getAbiItem({ abi: statesLensAbi, name })))) return [];
  const { args } = decodeFunctionData({ abi: statesLensAbi, data: call.data });
  return (String(args[at]).slice(2).match(/.{10}/g) ?? []).map((id) => BigInt(`0x${id}`));
}
/** How many plans or guards the lens reads whole in one request. */
const wholePage = 400;
const ids = (count: number | bigint) => Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1));

test('all are read while the node forgets every block that the reading began with', async () => {
  const { chain } = deployed;
  proxy.fate = async (method): Promise<Fate> => {
    if (method === 'eth_call') await chain.mine({ blocks: 5 });
    return 'answered';
  };
  const { block, plans: all, unread } = await planReader().plans();
  expect(unread).toBe(0);
  expect(all.map(({ id }) => id)).toEqual(ids(plans));
  expect(all.at(-1)).toMatchObject({
    owner: carol,
    ownerBalance: parseEther('250'),
    ownerAllowance: parseEther('120'),
  });
  const read = await guardReader().guards();
  expect(read.unread).toBe(0);
  expect(read.guards.map(({ id }) => id)).toEqual(ids(guardCount));
  // Otherwise this test would prove nothing.
  await expect(chain.getBalance({ address: carol, blockNumber: block.number })).rejects.toThrow(
    /BlockOutOfRange|-32602|out of range/i,
  );
});

describe('what is over', () => {
  test('is read twice and no more; what is not, each time', async () => {
    const { chain, book } = deployed;
    const reader = planReader();
    await reader.plans();
    const own = (await chain.getBlock()).timestamp;
    // Everything but the newest expires.
    await chain.increaseTime({ seconds: 86_400 });
    await chain.mine({ blocks: 1 });
    const id = await createPlan(deployed);
    expect((await chain.getBlock()).timestamp).toBeGreaterThan(own + 86_399n);
    const counts: number[] = [];
    for (let reading = 0; reading < 4; reading++) {
      const before = calls();
      expect((await reader.plans()).plans).toHaveLength(Number(plans) + 1);
      counts.push(calls() - before);
      await chain.increaseTime({ seconds: 61 });
      await chain.mine({ blocks: 1 });
    }
    // First the count, the new plan, and all others once more. Then the plans that are over, once more, together with
    // the live one. After that, only the live one.
    const others = strangersPlans / 4;
    expect(counts[0]).toBe(1 + 1 + Math.ceil(strangersPlans / 1_600));
    expect(counts[1]).toBe(1 + Math.ceil((strangersPlans - others + 1) / 1_600));
    expect(counts.slice(2)).toEqual([2, 2]);
    await give(chain, carol, 'USDT', '50');
    await chain.send(carol, book.own.planRegistry, { abi: planRegistryAbi, functionName: 'pause', args: [id] });
    expect((await reader.plans()).plans.at(-1)).toMatchObject({ status: 'paused', ownerBalance: parseEther('300') });
  });

  test('is what is another executor’s, cancelled, or used up; never what may run again', async () => {
    const { chain, book } = deployed;
    const reader = planReader();
    const paused = await createPlan(deployed);
    const cancelled = await createPlan(deployed);
    const act = (functionName: 'pause' | 'cancel', id: bigint) =>
      chain.send(carol, book.own.planRegistry, { abi: planRegistryAbi, functionName, args: [id] });
    await act('pause', paused);
    await act('cancel', cancelled);
    const usedUp = await createPlan(deployed, { maxRuns: 1 });
    const [paid, bought] = ['USDT', 'BTCB'].map((name) => book.assets.find(({ symbol }) => symbol === name)?.address);
    const path = pathOf(paid as Address, [{ feeMillionths: 500, tokenOut: bought as Address }]);
    await chain.send(alice, book.own.swapExecutor, {
      abi: swapExecutorAbi,
      functionName: 'execute',
      args: [usedUp, 1n, unsignedGo(zeroHash), '0x', path],
    });
    for (let reading = 0; reading < 2; reading++) {
      await reader.plans();
      await chain.increaseTime({ seconds: 61 });
      await chain.mine({ blocks: 1 });
    }
    const bodies: string[] = [];
    proxy.fate = (_, body) => {
      bodies.push(body);
      return 'answered';
    };
    await reader.plans();
    const read = bodies.flatMap(idsOfStates);
    const asked = (id: bigint) => read.includes(id);
    expect(asked(paused)).toBe(true);
    expect(asked(plans)).toBe(true);
    expect([asked(cancelled), asked(usedUp)]).toEqual([false, false]);
    // The first stranger's plan names another executor, the second's does not.
    expect([asked(1n), asked(101n)]).toEqual([false, true]);
  });

  test('is doubted when it has only just been seen: a reorganisation may undo a cancellation', async () => {
    const { chain, book } = deployed;
    const reader = planReader();
    await reader.plans();
    const undo = await chain.snapshot();
    const call = { abi: planRegistryAbi, functionName: 'cancel', args: [plans] } as const;
    await chain.send(carol, book.own.planRegistry, call);
    const { timestamp: cancelledAt } = await chain.getBlock();
    expect((await reader.plans()).plans.at(-1)).toMatchObject({ status: 'cancelled' });
    await chain.revert({ id: undo });
    // Counted from the undone block: the revert sets the chain's clock back to before it, by as long as the test took.
    await chain.setNextBlockTimestamp({ timestamp: cancelledAt + 60n });
    await chain.mine({ blocks: 1 });
    expect((await reader.plans()).plans.at(-1)).toMatchObject({ status: 'active', ownerBalance: parseEther('250') });
  });

  test('of guards is what names another keeper, is cancelled or has expired', async () => {
    const { chain } = deployed;
    const reader = guardReader();
    const first = calls();
    await reader.guards();
    const cold = calls() - first;
    await chain.increaseTime({ seconds: 61 });
    await chain.mine({ blocks: 1 });
    await reader.guards();
    const before = calls();
    expect((await reader.guards()).guards).toHaveLength(guardCount);
    // A quarter are another keeper's. CollateralGuard has no guards, but is asked for its count.
    expect(calls() - before).toBe(1 + 1 + 1);
    expect(cold).toBe(1 + Math.ceil(guardCount / wholePage) + 1 + 1);
    await chain.increaseTime({ seconds: 86_400 });
    await chain.mine({ blocks: 1 });
    await reader.guards();
    await chain.increaseTime({ seconds: 61 });
    await chain.mine({ blocks: 1 });
    await reader.guards();
    const last = calls();
    await reader.guards();
    expect(calls() - last).toBe(1 + 1);
  });
});

describe('what the node does not answer for', () => {
  test('is counted as unread and left out; the rest is read, and the next reading is whole', async () => {
    const reader = planReader();
    proxy.fate = (_, body) => (idsOfWhole(body).includes(30n) ? 'lost' : 'answered');
    const { plans: all, unread } = await reader.plans();
    expect(unread).toBe(wholePage);
    const others = ids(plans).filter((id) => id > wholePage);
    expect(all.map(({ id }) => id)).toEqual(others);
    expect((await reader.plans()).plans.map(({ id }) => id)).toEqual(others);
    proxy.fate = () => 'answered';
    expect(await reader.plans()).toMatchObject({ plans: { length: Number(plans) }, unread: 0 });
  });

  test('is one plan where one is to blame', async () => {
    const { chain, book } = deployed;
    // Wipes the plan's state, which no owner can do.
    const slot = await stateSlot(book.own.planRegistry, 30n);
    await chain.setStorageAt({ address: book.own.planRegistry, index: slot, value: pad('0x') });
    const reader = planReader();
    for (let reading = 0; reading < 2; reading++) {
      const { plans: all, unread } = await reader.plans();
      expect(unread).toBe(1);
      expect(all.map(({ id }) => id)).toEqual(ids(plans).filter((id) => id !== 30n));
    }
  });

  test('is nothing where it knows no state overrides: pages of contract calls have the rest', async () => {
    proxy.fate = () => 'nothing_supposed';
    const { plans: all, unread } = await planReader().plans();
    expect(unread).toBe(0);
    expect(all.map(({ id }) => id)).toEqual(ids(plans));
    expect(calls()).toBeGreaterThan(strangersPlans / 24);
    expect(await guardReader().guards()).toMatchObject({ guards: { length: guardCount }, unread: 0 });
  });

  test('is told by whoever asks for one owner’s, who may miss some', async () => {
    const reader = planReader();
    proxy.fate = (_, body) => (idsOfWhole(body).includes(1n) ? 'lost' : 'answered');
    expect(await reader.newestPlans({ owner: stranger(0), count: 5 })).toMatchObject({ total: 0, unread: wholePage });
    expect(await reader.newestPlans({ owner: stranger(5), count: 5 })).toMatchObject({
      total: 100,
      unread: wholePage,
    });
    expect(await reader.newestPlans({ count: 5 })).toMatchObject({ total: Number(plans), unread: 0 });
  });

  test('is everything, when it falls silent: chain_unavailable, after no more than a few calls', async () => {
    let asked = 0;
    proxy.fate = (method) => (method === 'eth_call' && ++asked > 1 ? 'lost' : 'answered');
    await expect(planReader().plans()).rejects.toMatchObject({ code: 'chain_unavailable', retryable: true });
    // Each is tried three times.
    expect(asked).toBeLessThan(3 * 20);
  });
});

/** Storage slot of a plan's state: the only mapping slot for its number that is not empty. */
async function stateSlot(registry: Address, planId: bigint): Promise<`0x${string}`> {
  for (let base = 0n; base < 10n; base += 1n) {
    const slot = keccak256(encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [planId, base]));
    if (BigInt((await deployed.chain.getStorageAt({ address: registry, slot })) ?? 0) !== 0n) return slot;
  }
  throw new Error('no state');
}

describe('the newest plans', () => {
  test('of everybody, a page at a time, cost a call or two each', async () => {
    const reader = planReader();
    const first = await reader.newestPlans({ count: 10 });
    expect(calls()).toBe(2);
    expect(first).toMatchObject({ total: Number(plans), next: plans - 9n, unread: 0 });
    expect(first.plans.map(({ id }) => id)).toEqual(ids(plans).toReversed().slice(0, 10));
    const second = await reader.newestPlans({ count: 10, before: plans - 9n });
    expect(second.plans.map(({ id }) => id)).toEqual(ids(plans).toReversed().slice(10, 20));
    expect((await reader.newestPlans({ count: 1, before: plans })).plans[0]?.id).toBe(plans - 1n);
    const last = await reader.newestPlans({ count: 10, before: 11n });
    expect(last.plans.map(({ id }) => id)).toEqual(ids(10).toReversed());
    expect('next' in last).toBe(false);
    expect(await reader.newestPlans({ count: 10, before: 12n })).toMatchObject({ next: 2n });
    expect((await reader.newestPlans({ count: 3, before: 10n ** 20n })).plans[0]?.id).toBe(plans);
    expect((await reader.newestPlans({ count: 3, before: 0n })).plans).toEqual([]);
    expect((await reader.newestPlans({ count: 3, before: 1n })).plans).toEqual([]);
  });

  test('of one owner are all found among those of strangers, as they are now, those of another executor too', async () => {
    const { chain, book } = deployed;
    const reader = planReader();
    const older = await createPlan(deployed, { executor: book.own.loanGuard });
    expect((await reader.newestPlans({ owner: carol, count: 9 })).plans.map(({ id }) => id)).toEqual([older, plans]);
    const newest = await createPlan(deployed);
    await chain.send(carol, book.own.planRegistry, { abi: planRegistryAbi, functionName: 'cancel', args: [older] });
    const inAnyCase = carol.toLowerCase() as Address;
    const page = await reader.newestPlans({ owner: inAnyCase, count: 2 });
    expect(page).toMatchObject({
      total: 3,
      next: older,
      unread: 0,
      plans: [
        { id: newest, status: 'active' },
        { id: older, status: 'cancelled' },
      ],
    });
    const rest = await reader.newestPlans({ owner: carol, count: 2, before: older });
    expect(rest).toMatchObject({ total: 3, plans: [{ id: plans }] });
    expect('next' in rest).toBe(false);
    expect(await reader.newestPlans({ owner: bob, count: 2 })).toMatchObject({ total: 0, plans: [], unread: 0 });
  });

  test('of many who ask at once are looked for once', async () => {
    const reader = planReader();
    const cold = await counted(() => reader.newestPlans({ owner: carol, count: 1 }));
    const another = planReader();
    const ten = await counted(() =>
      Promise.all(Array.from({ length: 10 }, () => another.newestPlans({ owner: carol, count: 1 }))),
    );
    expect(ten).toBeLessThan(cold + 30);
  });

  test('of many who ask a node that is silent are asked for twice, not once for each', async () => {
    const reader = planReader();
    proxy.fate = (method) => (method === 'eth_call' ? 'lost' : 'answered');
    const asked = Array.from({ length: 10 }, () => reader.newestPlans({ owner: carol, count: 1 }));
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
    // Each call is tried three times.
    expect(calls()).toBe(2 * 3);
  });

  test('are there at once, also for who asks while an older search is under way', async () => {
    const reader = planReader();
    let id: bigint | undefined;
    proxy.fate = async (method, body): Promise<Fate> => {
      // Well after the search has counted the plans.
      if (method === 'eth_call' && idsOfWhole(body).includes(1_000n)) id ??= await createPlan(deployed);
      return 'answered';
    };
    const older = reader.newestPlans({ owner: carol, count: 9 });
    await expect.poll(() => id).toBe(plans + 1n);
    expect((await reader.newestPlans({ owner: carol, count: 9 })).plans[0]?.id).toBe(plans + 1n);
    expect((await older).plans[0]?.id).toBe(plans);
  });
});

async function counted(work: () => Promise<unknown>): Promise<number> {
  const before = calls();
  await work();
  return calls() - before;
}

test('the guards of one borrower: those in force first, at most as many as asked for', async () => {
  const { chain, book } = deployed;
  const reader = guardReader();
  await makeGuards(deployed, bobsOwn, 4);
  const newest = BigInt(guardCount + 4);
  await chain.impersonateAccount({ address: bobsOwn });
  await chain.setBalance({ address: bobsOwn, value: parseEther('1') });
  const call = { abi: loanGuardAbi, functionName: 'cancel', args: [newest] } as const;
  await chain.send(bobsOwn, book.own.loanGuard, call);
  const of = async (count: number) => {
    const { guards: some, ...rest } = await reader.guardsOf(bobsOwn, count);
    return { ...rest, ids: some.map(({ id, status }) => `${id} ${status}`) };
  };
  const active = [newest - 1n, newest - 2n, newest - 3n].map((id) => `${id} active`);
  expect(await of(2)).toEqual({ total: 4, unread: 0, ids: active.slice(0, 2) });
  expect(await of(20)).toEqual({ total: 4, unread: 0, ids: [...active, `${newest} cancelled`] });
  expect(await reader.guardsOf(carol, 20)).toEqual({ total: 0, unread: 0, guards: [] });
  // Guards of other keepers protect, too.
  expect(await reader.guardsOf(stranger(0), 3)).toMatchObject({ total: 50, guards: { length: 3 } });
});

const bobsOwn: Address = toHex(2n ** 151n, { size: 20 });

test('one plan and one guard cost one call each, however many there are', async () => {
  const { chain, book } = deployed;
  expect(await planReader().plan(plans)).toMatchObject({ id: plans, owner: carol, status: 'active' });
  expect(await guardReader().guard(7n)).toMatchObject({ id: 7n, borrower: stranger(0), keeper: bob });
  expect(calls()).toBe(2);
  await expect(planReader().plan(plans + 1n)).rejects.toMatchObject({
    code: 'unknown_plan',
    message: `There is no plan ${plans + 1n}.`,
  });
  await expect(guardReader().guard(0n)).rejects.toMatchObject({
    code: 'unknown_guard',
    message: 'There is no guard 0.',
  });
  const { terms } = await chain.readContract({
    address: book.own.planRegistry,
    abi: planRegistryAbi,
    functionName: 'plan',
    args: [plans],
  });
  expect(await planReader().plan(plans)).toMatchObject({
    expiresAt: BigInt(terms.expiresAt),
    priceSource: terms.priceSource,
  });
});
