import type { BatchPreviewer } from '@bowline/chain/readers';
import { BowlineError } from '@bowline/core/domain/result';
import type { Call, Calls, Sender } from '@bowline/core/domain/sending';
import { parseEther, size } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planRegistryAbi, swapExecutorAbi } from '../../../../abis/index.ts';
import { feeds, tokens } from '../../../../lab/world/addresses.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { priceUsd8 } from '../../../../lab/world/prices.ts';
import { type RpcProxy, startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { balance, bob } from '../../../../test/local/accounts.ts';
import { gasOfRecord } from '../../../src/loops/executor/plan.ts';
import { type ExecutorDeps, executorTick } from '../../../src/loops/executor/tick.ts';
import { unsignedGo } from '../../unsigned.ts';
import { withWorld, world } from '../with-world.ts';
import { createPlan, executorDeps, fund, keeperSender, keepLog, owner, unlockedSender } from '../world.ts';

// WA-6, AG-12

withWorld('5000');

const going = new AbortController().signal;
/** An agent that has just been started. */
const started = (changes: Partial<ExecutorDeps> = {}) => {
  const next = executorTick(executorDeps(world, changes));
  return async () => (await next(going)).counts;
};
const tick = (changes: Partial<ExecutorDeps> = {}) => started(changes)();
const runsOf = (planId: bigint) => executorDeps(world).reader.runs(planId, 0, 100);
const plansMade = async (count: number, changes = {}) => {
  const ids: bigint[] = [];
  while (ids.length < count) ids.push(await createPlan(world, changes));
  return ids;
};
const pause = (planId: bigint) =>
  world.chain.send(owner, world.book.own.planRegistry, { abi: planRegistryAbi, functionName: 'pause', args: [planId] });
async function resume(planId: bigint, by = owner) {
  const registry = { address: world.book.own.planRegistry, abi: planRegistryAbi } as const;
  const { state } = await world.chain.readContract({ ...registry, functionName: 'plan', args: [planId] });
  const args = [planId, BigInt(state.version), BigInt(state.runs)] as const;
  await world.chain.send(by, registry.address, { ...registry, functionName: 'resume', args });
}

/** The agent's own sender, which records its calls. */
function watched(before: (call: Call) => Promise<unknown> = async () => {}): Sender & { readonly sent: Call[] } {
  const real = keeperSender(world);
  const sent: Call[] = [];
  return {
    ...real,
    sent,
    send: async (call) => {
      sent.push(call);
      await before(call);
      return real.send(call);
    },
  };
}
const kinds = ({ sent }: { sent: readonly Call[] }) => sent.map(({ label }) => label.replace(/ [\d, ]+$/, ''));

async function passTime(seconds: number): Promise<void> {
  const { chain } = world;
  await chain.increaseTime({ seconds });
  await chain.mine({ blocks: 1 });
  for (const symbol of Object.keys(feeds) as (keyof typeof feeds)[]) {
    await setPrice(chain, bob, symbol, priceUsd8[symbol]);
  }
}

/** The same node, but `happens` runs before each reading of the market. */
const whileJudging = (happens: (reading: number) => Promise<unknown>): Pick<ExecutorDeps, 'sources'> => {
  const { sources } = executorDeps(world);
  let reading = 1;
  const facts: typeof sources.chain.facts = async (...question) => {
    await happens(reading++);
    return sources.chain.facts(...question);
  };
  return { sources: { ...sources, chain: { facts } } };
};

describe('several plans whose price is fair', () => {
  test('are run by one transaction, and each has its record and its report', async () => {
    const ids = await plansMade(3);
    const [sender, log] = [watched(), keepLog()];
    expect(await tick({ sender, log })).toEqual({ plans: 3, due: 3, executed: 3 });
    expect(kinds(sender)).toEqual(['execute plans']);
    for (const id of ids) expect(await runsOf(id)).toMatchObject([{ outcome: 'executed', verdict: 'GO' }]);
    expect(await balance(world.chain, owner, tokens.USDT)).toBe(parseEther('4700'));
    const told = log.lines.filter(({ event }) => event === 'run.executed');
    expect(told.map(({ planId }) => planId).toSorted()).toEqual(ids);
    expect(new Set(told.map(({ hash }) => hash)).size).toBe(1);
    expect(log.lines.filter(({ event }) => event === 'run.evidence')).toHaveLength(3);
    expect(await tick()).toEqual({ plans: 3, due: 0, 'skipped.slot_used': 3 });
  });

  test('are as many a transaction as fit, and one that is left over goes alone', async () => {
    await plansMade(5);
    const sender = watched();
    const calls: Calls = { ...executorDeps(world).calls, maxOrders: 2 };
    expect(await tick({ sender, calls })).toEqual({ plans: 5, due: 5, executed: 5 });
    expect(kinds(sender)).toEqual(['execute plans', 'execute plans', 'execute plan']);
  });

  test('are judged while the batch before theirs is under way', async () => {
    await plansMade(4);
    let readings = 0;
    const counting = whileJudging(async (reading) => {
      readings = reading;
    });
    const sender = watched(() => expect.poll(() => readings).toBeGreaterThan(3));
    const calls: Calls = { ...executorDeps(world).calls, maxOrders: 2 };
    expect(await tick({ sender, calls, ...counting })).toEqual({ plans: 4, due: 4, executed: 4 });
    expect(kinds(sender)).toEqual(['execute plans', 'execute plans']);
  });

  test('do not wait for others longer than ten seconds', async () => {
    await plansMade(4);
    const sender = watched();
    // The first reading is of the price that is paid.
    const slow = whileJudging((reading) => (reading > 1 ? passTime(6) : Promise.resolve()));
    expect(await tick({ sender, ...slow })).toEqual({ plans: 4, due: 4, executed: 4 });
    expect(kinds(sender)).toEqual(['execute plans', 'execute plan']);
    expect(sender.sent[0]?.label).toMatch(/^execute plans \d, \d, \d$/);
  });

  test('go alone where no more fit, and each is paid for once', async () => {
    await fund(world, bob, 'USDT', '200');
    await plansMade(2, { owner: bob, recipient: bob });
    const sender = watched();
    const calls: Calls = { ...executorDeps(world).calls, maxOrders: 1 };
    expect(await tick({ sender, calls })).toEqual({ plans: 2, due: 2, executed: 2 });
    expect(kinds(sender)).toEqual(['execute plan', 'execute plan']);
  });

  test('are judged anew when something has taken long since', async () => {
    const ids = await plansMade(2, { windowSeconds: 600 });
    const { sources, calls } = executorDeps(world);
    let [late, judging] = [0n, 0];
    const begun = Promise.withResolvers<void>();
    const facts: typeof sources.chain.facts = async (...question) => {
      judging += 1;
      if (judging === 2) begun.resolve();
      return sources.chain.facts(...question);
    };
    // The first run is slow; the second is judged meanwhile.
    const sender = watched(async () => {
      if (late > 0n) return;
      await begun.promise;
      await expect.poll(() => logged().length).toBe(2);
      late = 31n;
    });
    const log = keepLog();
    const logged = () => log.lines.filter(({ event }) => event === 'run.evidence').map(({ planId }) => planId);
    const clock = () => sources.clock() + late;
    const deps = { sender, log, calls: { ...calls, maxOrders: 1 } };
    expect(await tick({ ...deps, sources: { ...sources, clock, chain: { facts } } })).toMatchObject({ executed: 2 });
    const [first, second, again] = logged();
    expect([first, second].toSorted()).toEqual(ids);
    expect(again).toBe(second);
  });

  test('wait for no deferral, whichever slot closes first', async () => {
    await fund(world, owner, 'USDT', '5000300');
    const large = await createPlan(world, { amountPerRun: parseEther('5000000'), windowSeconds: 600 });
    const ids = await plansMade(3);
    const sender = watched();
    expect(await tick({ sender })).toEqual({ plans: 4, due: 4, deferred: 1, executed: 3 });
    expect(kinds(sender)).toEqual(['execute plans', 'defer plan']);
    expect(await runsOf(large)).toMatchObject([{ reason: 'cost_high' }]);
    for (const id of ids) expect(await runsOf(id)).toHaveLength(1);
  });

  test('of the next round wait half a minute for this one’s deferrals', async () => {
    await fund(world, owner, 'USDT', '15000000');
    for (let made = 0; made < 3; made += 1) await createPlan(world, { amountPerRun: parseEther('5000000') });
    const { sources } = executorDeps(world);
    let late = 0n;
    const sender = watched(async () => {
      late += 16n;
    });
    const next = executorTick(
      executorDeps(world, { sender, sources: { ...sources, clock: () => sources.clock() + late } }),
    );
    expect(await next(going)).toEqual({
      counts: { plans: 3, due: 3, deferred: 2, 'skipped.deferral_waits': 1 },
      nextInSeconds: 15,
    });
    expect(await next(going)).toMatchObject({ counts: { deferred: 1 } });
  });

  test('are sent although the node did not answer for the next one', async () => {
    await plansMade(3);
    const sender = watched();
    const silent = whileJudging(async (reading) => {
      if (reading > 2) throw new BowlineError('chain_unavailable', 'The chain does not answer.');
    });
    expect(await tick({ sender, ...silent })).toEqual({ plans: 3, due: 3, executed: 2, chain_unavailable: 1 });
    expect(kinds(sender)).toEqual(['execute plans']);
  });

  test('are left for later when the agent is to stop before they are sent', async () => {
    const [first = 0n] = await plansMade(3);
    const [sender, stopping] = [watched(), new AbortController()];
    const deps = whileJudging(async (reading) => {
      if (reading === 3) stopping.abort();
    });
    await executorTick(executorDeps(world, { sender, ...deps }))(stopping.signal);
    expect(sender.sent).toEqual([]);
    expect(await runsOf(first)).toEqual([]);
  });
});

describe('the gas of a batch', () => {
  test("is what the contract's own formula says, with the transaction's and its data's", async () => {
    const { calls, reader, executor } = executorDeps(world);
    await createPlan(world);
    const [plan] = (await reader.plans()).plans;
    if (plan === undefined) throw new Error('no plan');
    const order = { plan, path: '0x', ticket: unsignedGo(`0x${'0'.repeat(64)}`), signature: '0x' } as const;
    for (const count of [1, 2, calls.maxOrders]) {
      const { gas, data } = calls.executeBatch(Array(count).fill(order));
      const limit = {
        address: executor,
        abi: swapExecutorAbi,
        functionName: 'gasLimitOf',
        args: [BigInt(count), 0n],
      } as const;
      expect(gas).toBe(21_000n + 16n * BigInt(size(data)) + (await world.chain.readContract(limit)));
    }
  });

  test('is enough for as many as fit', async () => {
    await plansMade(executorDeps(world).calls.maxOrders);
    const sender = watched();
    expect(await tick({ sender })).toMatchObject({ executed: executorDeps(world).calls.maxOrders });
    expect(kinds(sender)).toEqual(['execute plans']);
  });
});

describe('a plan of a batch that cannot be run', () => {
  test('fails by its own reason, costs the others nothing, and is not tried again in its slot', async () => {
    const [first, stopped = 0n, last] = await plansMade(3);
    const [sender, log] = [watched(() => pause(stopped)), keepLog()];
    const next = started({ sender, log });
    expect(await next()).toEqual({ plans: 3, due: 3, executed: 2, reverted: 1 });
    for (const id of [first, last]) expect(await runsOf(id as bigint)).toHaveLength(1);
    expect(await runsOf(stopped)).toEqual([]);
    expect(log.lines.filter(({ event }) => event === 'run.failed')).toEqual([
      {
        event: 'run.failed',
        planId: stopped,
        asset: 'BTCB',
        reason: 'plan_not_active',
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        block: expect.any(BigInt),
      },
    ]);

    await resume(stopped);
    expect(await next()).toEqual({ plans: 3, due: 0, 'skipped.slot_used': 2, 'skipped.reverted_before': 1 });
    expect(sender.sent).toHaveLength(1);
  });

  test('is left out of it when the node says so before, and is refused alone at no cost', async () => {
    const [first = 0n, stopped = 0n, last = 0n] = await plansMade(3);
    const sender = watched();
    const pausing = whileJudging((reading) => (reading === 3 ? pause(stopped) : Promise.resolve()));
    const nonce = await world.chain.getTransactionCount({ address: sender.address });
    expect(await tick({ sender, ...pausing })).toEqual({
      ...{ plans: 3, due: 3, executed: 2, 'would_revert.plan_not_active': 1 },
    });
    expect(kinds(sender)).toEqual(['execute plans', 'execute plan']);
    expect(await world.chain.getTransactionCount({ address: sender.address })).toBe(nonce + 1);
    for (const id of [first, last]) expect(await runsOf(id)).toHaveLength(1);
  });

  // AG-12
  test("leaves its owner's money to the owner's next one, in the same round", async () => {
    await fund(world, bob, 'USDT', '150');
    const terms = { owner: bob, recipient: bob };
    const stopped = await createPlan(world, { ...terms, windowSeconds: 600 });
    const next = await createPlan(world, terms);
    await plansMade(1, { windowSeconds: 900 });
    const sender = watched();
    const pausing = whileJudging(async (reading) => {
      if (reading !== 2) return;
      const call = { abi: planRegistryAbi, functionName: 'pause', args: [stopped] } as const;
      await world.chain.send(bob, world.book.own.planRegistry, call);
    });
    expect(await tick({ sender, ...pausing })).toEqual({
      ...{ plans: 3, due: 3, executed: 2, 'would_revert.plan_not_active': 1 },
    });
    expect(await runsOf(next)).toHaveLength(1);
  });
});

// AG-18
test.each(['in a batch', 'alone', 'in a transaction that reverts'])(
  'an owner whose runs revert %s is served no more at the bound of a day; another is',
  async (how) => {
    await fund(world, bob, 'USDT', '5000');
    // Starts at one o'clock, so that no midnight falls in between.
    const { timestamp } = await world.chain.getBlock();
    await passTime(90_000 - Number(timestamp % 86_400n));
    const expiresAt = Number(timestamp) + 4 * 86_400;
    const day = { periodSeconds: 120, windowSeconds: 120, expiresAt };
    const ofBob = await plansMade(how === 'alone' ? 1 : 2, { ...day, owner: bob, recipient: bob });
    const call = { abi: planRegistryAbi, functionName: 'pause' } as const;
    let failing = true;
    let paid = 0;
    const real = unlockedSender(world.chain);
    const sender: Sender = {
      ...real,
      send: async (sent) => {
        if (!failing) return real.send(sent);
        paid += 1;
        if (how !== 'in a batch') return { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n };
        const registry = world.book.own.planRegistry;
        for (const id of ofBob) await world.chain.send(bob, registry, { ...call, args: [id] });
        const became = await real.send(sent);
        for (const id of ofBob) await resume(id, bob);
        return became;
      },
    };
    const { policy } = executorDeps(world);
    const next = started({ sender, policy: { ...policy, gasPerOwnerPerDay: 4n * gasOfRecord.executed } });
    for (let slots = 0; slots < 6; slots += 1) {
      await next();
      await passTime(120);
    }
    // Four runs: one by one, or two by two.
    expect(paid).toBe(how === 'alone' ? 4 : 2);
    expect(await next()).toMatchObject({ 'skipped.not_served_gas': ofBob.length });

    failing = false;
    const [other = 0n] = await plansMade(1, day);
    expect(await next()).toMatchObject({ executed: 1, 'skipped.not_served_gas': ofBob.length });
    expect(await runsOf(other)).toHaveLength(1);
    await passTime(86_400);
    await next();
    for (const id of ofBob) expect(await runsOf(id)).toHaveLength(1);
  },
);

test('an owner with money for one of two plans has one in the batch', async () => {
  await fund(world, bob, 'USDT', '150');
  const ofBob = await plansMade(2, { owner: bob, recipient: bob });
  await plansMade(1);
  const sender = watched();
  expect(await tick({ sender })).toEqual({ plans: 3, due: 3, executed: 2, 'skipped.balance_taken': 1 });
  expect(kinds(sender)).toEqual(['execute plans']);
  const runs = await Promise.all(ofBob.map(runsOf));
  expect(runs.flat()).toHaveLength(1);
});

describe('a batch that is refused as a whole', () => {
  const starved = (): Calls => {
    const { calls } = executorDeps(world);
    return { ...calls, executeBatch: (orders) => ({ ...calls.executeBatch(orders), gas: 600_000n }) };
  };
  const trusting: Pick<BatchPreviewer, 'wouldRun'> = { wouldRun: async () => [true, true, true] };

  test.each<[string, Partial<ExecutorDeps>, string[], object]>([
    ['when it is asked about', {}, [], {}],
    ['when it is to be signed', { previewer: trusting }, ['execute plans'], { 'would_revert.gas_too_low': 1 }],
  ])('%s stops no plan: they go one by one', async (_, changes, before, counts) => {
    const ids = await plansMade(3);
    const sender = watched();
    expect(await tick({ sender, calls: starved(), ...changes })).toEqual({ plans: 3, due: 3, executed: 3, ...counts });
    expect(kinds(sender)).toEqual([...before, 'execute plan', 'execute plan', 'execute plan']);
    for (const id of ids) expect(await runsOf(id)).toHaveLength(1);
  });

  test('in a block is not paid for again in its slots', async () => {
    await plansMade(2);
    const sent: Call[] = [];
    const sender: Sender = {
      ...unlockedSender(world.chain),
      send: async (call) => {
        sent.push(call);
        return { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n };
      },
    };
    const next = started({ sender });
    expect(await next()).toEqual({ plans: 2, due: 2, reverted: 1 });
    expect(await next()).toEqual({ plans: 2, due: 0, 'skipped.reverted_before': 2 });
    expect(sent).toHaveLength(1);
  });
});

// CH-1, WA-6
describe('a batch whose outcome is not known', () => {
  let line: RpcProxy;
  beforeEach(async () => {
    line = await startRpcProxy(world.url);
  });
  afterEach(() => line.stop());

  /** An executor whose sender loses its line at its first broadcast, which arrives or does not. */
  function cutOff(arrives: boolean, before: () => Promise<unknown> = async () => {}) {
    let cut = false;
    line.fate = (method) => {
      if (method === 'eth_sendRawTransaction' && !cut) {
        cut = true;
        return arrives ? 'answer_lost' : 'lost';
      }
      return cut ? 'lost' : 'answered';
    };
    const log = keepLog();
    const real = keeperSender({ ...world, url: line.url }, { receiptSeconds: 3n });
    const sender: Sender = { ...real, send: (call) => before().then(() => real.send(call)) };
    return { log, next: started({ sender, log }) };
  }

  const broadcasts = () => line.methods.filter((method) => method === 'eth_sendRawTransaction').length;

  test('is told of, each of its runs, when the line is back', async () => {
    const [first = 0n, stopped = 0n, last] = await plansMade(3);
    const { log, next } = cutOff(true, () => pause(stopped));
    const round = next();
    await expect.poll(async () => (await runsOf(first)).length).toBe(1);
    await resume(stopped);
    line.fate = () => 'answered';
    expect(await round).toEqual({ plans: 3, due: 3, executed: 2, reverted: 1 });
    expect(await next()).toEqual({ plans: 3, due: 0, 'skipped.slot_used': 2, 'skipped.reverted_before': 1 });
    const told = log.lines.filter(({ event }) => event === 'run.executed').map(({ planId }) => planId);
    expect(told.toSorted()).toEqual([first, last]);
    const failures = log.lines.filter(({ event }) => event === 'run.failed');
    expect(failures).toMatchObject([{ planId: stopped, reason: 'plan_not_active' }]);
  });

  test('is judged anew when it has been cancelled', async () => {
    const ids = await plansMade(2);
    const { log, next } = cutOff(false);
    const round = next();
    await expect.poll(broadcasts).toBe(1);
    // Its verdicts are too old by now.
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    line.fate = () => 'answered';
    expect(await round).toEqual({ plans: 2, due: 2, cancelled: 1, executed: 2 });
    expect(log.lines.filter(({ event }) => event === 'run.evidence')).toHaveLength(4);
    for (const id of ids) expect(await runsOf(id)).toHaveLength(1);
  });

  const pending = (count: number) =>
    expect.poll(async () => (await world.chain.getTxpoolStatus()).pending, { timeout: 10_000 }).toBe(count);

  test.each<[string, boolean, boolean]>([
    ['before it has sent', false, false],
    ['when it has sent and no block has it', true, false],
    ['when it has sent and before it has heard', true, true],
  ])('makes no run twice and loses none when the agent is killed %s', async (_, sends, mined) => {
    const { chain } = world;
    const ids = await plansMade(2);
    const real = unlockedSender(chain);
    await chain.setAutomine(mined);
    let reached = () => {};
    const killed = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const dying: Sender = {
      ...real,
      send: async (call) => {
        const sending = sends ? real.send(call) : undefined;
        sending?.catch(() => {});
        if (mined) await sending;
        else if (sends) await pending(1);
        reached();
        return new Promise<never>(() => {});
      },
    };
    void tick({ sender: dying });
    await killed;
    if (sends && !mined) expect(await tick()).toEqual({ plans: 2, due: 2, not_sent: 1 });
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    expect(await tick()).toMatchObject(sends ? { 'skipped.slot_used': 2 } : { executed: 2 });
    expect(await tick()).toMatchObject({ 'skipped.slot_used': 2 });
    for (const id of ids) expect(await runsOf(id)).toHaveLength(1);
    expect(await balance(chain, owner, tokens.USDT)).toBe(parseEther('4800'));
  });
});

test('a node that falls silent before a batch is asked about: nothing is sent, and the next round comes soon', async () => {
  await plansMade(2);
  const sender = watched();
  const wouldRun = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
  const round = await executorTick(executorDeps(world, { sender, previewer: { wouldRun } }))(going);
  expect(round).toEqual({ counts: { plans: 2, due: 2, chain_unavailable: 1 }, nextInSeconds: 15 });
  expect(sender.sent).toEqual([]);
});
