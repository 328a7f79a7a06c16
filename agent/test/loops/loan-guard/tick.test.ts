import type { HealthReader, Sender, Sent } from '@bowline/core/domain/ports';
import { readinessOf } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import { formatUnits } from '@bowline/core/domain/units';
import { type Address, encodeFunctionData, pad, parseEther } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { comptrollerAbi, vTokenAbi } from '../../../../script/local/abis.ts';
import { feeds, tokens, venus } from '../../../../script/local/addresses.ts';
import { setAnswer, setPrice } from '../../../../script/local/oracle.ts';
import { approve, balance, bob, carol, debt, give } from '../../../../test/local/accounts.ts';
import { connectChain } from '../../../src/chain/chain-client.ts';
import { createGuardReader } from '../../../src/chain/guard-reader.ts';
import { createHealthReader } from '../../../src/chain/health-reader.ts';
import { openGuards } from '../../../src/loops/loan-guard/plan.ts';
import { type LoanGuardDeps, loanGuardTick } from '../../../src/loops/loan-guard/tick.ts';
import { createWaitingRescues, rescuesDependency } from '../../../src/loops/loan-guard/waiting.ts';
import type { Cause } from '../../../src/loops/runner.ts';
import { createRoutedSender } from '../../../src/sending/routed-sender.ts';
import { startRpcProxy } from '../../chain/rpc-proxy.ts';
import {
  type DeployedChain,
  keeper,
  keeperSender,
  keepLog,
  loanGuardDeps,
  refusalWord,
  startDeployedChain,
  unlockedSender,
} from '../world.ts';

const { vUSDT, vBTC } = venus.markets;
/** Anvil's fifth account. */
const dave: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

let world: DeployedChain;
let clean: `0x${string}`;
beforeAll(async () => {
  world = await startDeployedChain();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: clean }));

const going = new AbortController().signal;
const tick = async (changes = {}) => (await loanGuardTick(loanGuardDeps(world, changes))(going)).counts;

/** One BTCB of collateral, of whose 100,000 USD 80 % count, and a debt of that many USDT, which the borrower keeps. */
async function borrow(borrower: Address, usdt: string): Promise<void> {
  const { chain } = world;
  const amount = await give(chain, borrower, 'BTCB', '1');
  await approve(chain, borrower, 'BTCB', vBTC, amount);
  await chain.send(borrower, vBTC, { abi: vTokenAbi, functionName: 'mint', args: [amount] });
  await chain.send(borrower, venus.comptroller, { abi: comptrollerAbi, functionName: 'enterMarkets', args: [[vBTC]] });
  await chain.send(borrower, vUSDT, { abi: vTokenAbi, functionName: 'borrow', args: [parseEther(usdt)] });
}

/** Below 1.1 bring it to 1.25, at most every ten minutes. */
async function setGuard(borrower: Address, changes: object = {}): Promise<void> {
  const { chain, book } = world;
  const { timestamp } = await chain.getBlock();
  const terms = {
    borrower,
    funder: borrower,
    adapter: book.own.venusMarket,
    market: pad(vUSDT),
    keeper: '0x0000000000000000000000000000000000000000',
    priceSource: '0x0000000000000000000000000000000000000000',
    triggerHealthWad: parseEther('1.1'),
    targetHealthWad: parseEther('1.25'),
    capPerRescue: parseEther('50000'),
    capPerDay: parseEther('50000'),
    minRepay: parseEther('10'),
    cooldownSeconds: 600,
    expiresAt: Number(timestamp) + 86_400,
    ...changes,
  } as const;
  await approve(chain, borrower, 'USDT', book.own.loanGuard, parseEther('50000'));
  await chain.send(borrower, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'register', args: [terms] });
}

const fall = (usd: bigint) => setPrice(world.chain, bob, 'BTCB', usd * 10n ** 8n);
const rescuesOf = (guardId: bigint) => loanGuardDeps(world).reader.rescues(guardId, 0, 10);

describe('a falling price', () => {
  test('has the endangered loan brought to its target, and the healthy one left alone', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '50000');
    await setGuard(bob);
    await setGuard(carol);
    expect(await tick()).toEqual({ guards: 2, due: 0, 'skipped.health_not_below_trigger': 2 });

    // 74,400 over 70,000 and over 50,000.
    await fall(93_000n);
    const log = keepLog();
    expect(await tick({ log })).toEqual({
      guards: 2,
      due: 1,
      rescued: 1,
      'skipped.health_not_below_trigger': 1,
    });

    const [rescue, ...others] = await rescuesOf(1n);
    expect(others).toEqual([]);
    expect(rescue?.outcome).toBe('full');
    const { healthBeforeWad = 0n, healthAfterWad = 0n, repaid = 0n } = rescue ?? {};
    expect(healthBeforeWad / 10n ** 12n).toBe(1_062_857n);
    expect(healthAfterWad).toBeGreaterThanOrEqual(parseEther('1.25'));
    expect(healthAfterWad).toBeLessThan(parseEther('1.250000001'));
    // 70,000 − 74,400 ÷ 1.25, and a little interest.
    expect(repaid).toBeGreaterThanOrEqual(parseEther('10480'));
    expect(repaid).toBeLessThan(parseEther('10480.1'));
    expect(await balance(world.chain, bob, tokens.USDT)).toBe(parseEther('70000') - repaid);
    expect(await rescuesOf(2n)).toEqual([]);
    expect(await debt(world.chain, vUSDT, carol)).toBeGreaterThanOrEqual(parseEther('50000'));
    expect(await balance(world.chain, carol, tokens.USDT)).toBe(parseEther('50000'));

    expect(log.lines).toEqual([
      {
        event: 'rescue.done',
        guardId: 1n,
        borrower: bob,
        hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        repaid: `${formatUnits(repaid, 18)} USDT`,
        outcome: 'full',
        healthBefore: formatUnits(healthBeforeWad, 18),
        healthAfter: formatUnits(healthAfterWad, 18),
        funderBefore: { USDT: '70000' },
        funderAfter: { USDT: formatUnits(parseEther('70000') - repaid, 18) },
      },
    ]);
    expect(await tick()).toMatchObject({ 'skipped.cooling_down': 1, due: 0 });
  });

  test('has the most endangered loan rescued first', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '74000');
    await borrow(dave, '72000');
    for (const borrower of [bob, carol, dave]) await setGuard(borrower);
    await fall(95_000n);
    const log = keepLog();
    expect(await tick({ log })).toMatchObject({ rescued: 3 });
    expect(log.lines.map(({ borrower }) => borrower)).toEqual([carol, dave, bob]);
  });

  test('LG-26: has a loan rescued by its guard’s source, before the protocol’s price follows', async () => {
    const { chain, book } = world;
    for (const borrower of [bob, carol]) await borrow(borrower, '70000');
    await setGuard(bob, { priceSource: book.own.chainlinkPriceSource });
    await setGuard(carol);
    expect(await tick()).toEqual({ guards: 2, due: 0, 'skipped.health_not_below_trigger': 2 });
    await setAnswer(chain, bob, feeds.BTCB, 93_000n * 10n ** 8n);
    expect(await tick()).toEqual({ guards: 2, due: 1, rescued: 1, 'skipped.health_not_below_trigger': 1 });
    const [rescue] = await rescuesOf(1n);
    expect(rescue?.healthBeforeWad).toBeGreaterThan(parseEther('1.1'));
    expect(await rescuesOf(2n)).toEqual([]);
  });

  test('is no reason to act without debt', async () => {
    await setGuard(bob);
    expect(await tick()).toEqual({ guards: 1, due: 0, 'skipped.no_debt': 1 });
  });
});

// AG-15
describe('at a new block', () => {
  /** An agent that goes on, with a clock that stands still unless it is moved, and what it asked and told. */
  function running(changes: Partial<LoanGuardDeps> = {}) {
    const at = { now: 1_000n };
    const listed: bigint[] = [];
    const deps = loanGuardDeps(world, { clock: () => at.now, ...changes });
    const guards: typeof deps.reader.guards = async () => {
      const answer = await deps.reader.guards();
      listed.push(answer.block.number);
      return answer;
    };
    const guardTick = loanGuardTick({ ...deps, reader: { ...deps.reader, guards } });
    const counts = async (cause: Cause) => (await guardTick(going, cause)).counts;
    return { at, listed, interval: () => counts('interval'), block: () => counts('trigger') };
  }

  test('the known loans are rescued, and the guards not read again', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const { at, listed, interval, block } = running();
    expect(await interval()).toMatchObject({ guards: 1, 'skipped.health_not_below_trigger': 1 });
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 1, rescued: 1 });
    expect(await rescuesOf(1n)).toHaveLength(1);
    at.now += 100n;
    // What it was is not what it is; the next reading knows.
    expect(await block()).toEqual({ guards: 0, due: 0 });
    expect(listed).toHaveLength(1);
    expect(await interval()).toEqual({ guards: 1, due: 0, 'skipped.cooling_down': 1 });
  });

  test('those for which one round had no room are next', async () => {
    await setGuard(bob);
    const { reader } = loanGuardDeps(world);
    const { block: head, guards } = await reader.guards();
    const many = guards.flatMap((guard) => Array.from({ length: 21 }, (_, at) => ({ ...guard, id: BigInt(at + 1) })));
    const confirmed = { outcome: 'confirmed', hash: '0xaa', block: 1n, gasUsed: 1n, events: [] } as const;
    const { interval, block } = running({
      reader: {
        ...reader,
        guards: async () => ({ block: head, guards: many, unread: 0 }),
        preview: async (guardId) => ({ guardId, due: true, repay: parseEther('100') }),
      },
      loans: { healths: async (asked) => asked.map(() => 0n) },
      sender: { ...unlockedSender(world.chain), send: async () => confirmed },
    });
    expect(await interval()).toMatchObject({ rescued: 20, 'skipped.left_for_next_tick': 1 });
    expect(await block()).toMatchObject({ rescued: 1 });
  });

  test('a new guard is known after the next interval', async () => {
    await borrow(bob, '70000');
    const { interval, block } = running();
    await interval();
    await setGuard(bob);
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 0, due: 0 });
    expect(await interval()).toMatchObject({ rescued: 1 });
  });

  test('what could not be done is left alone for a while, and not at the next interval', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const calls: string[] = [];
    const sender: Sender = {
      ...unlockedSender(world.chain),
      send: async ({ label }) => {
        calls.push(label);
        return { outcome: 'not_allowed', rule: 'gas_price' };
      },
    };
    const { at, interval, block } = running({ sender });
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 1, 'not_allowed.gas_price': 1 });
    const rested = { guards: 1, due: 0, 'skipped.tried_before': 1 };
    expect(await block()).toEqual(rested);
    at.now += 14n;
    expect(await block()).toEqual(rested);
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 1 });
    expect(await interval()).toMatchObject({ due: 1 });
    expect(calls).toHaveLength(3);
  });

  test.each<Sent>([
    { outcome: 'not_sent' },
    { outcome: 'cancelled', hash: '0xaa' },
    { outcome: 'would_revert', error: 'unknown_error' },
  ])('what came to nothing without a refusal is tried again after two seconds: %o', async (sent) => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const sender: Sender = { ...unlockedSender(world.chain), send: async () => sent };
    const { at, interval, block } = running({ sender });
    await interval();
    await fall(93_000n);
    const counter = sent.outcome === 'would_revert' ? `would_revert.${sent.error}` : sent.outcome;
    expect(await block()).toEqual({ guards: 1, due: 1, [counter]: 1 });
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 0, 'skipped.tried_before': 1 });
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 1 });
  });

  test('a round that had to stop leaves those it had not reached to the next block', async () => {
    await borrow(bob, '70000');
    await borrow(carol, '72000');
    for (const borrower of [bob, carol]) await setGuard(borrower);
    const tried: string[] = [];
    const sender: Sender = {
      ...unlockedSender(world.chain),
      send: async ({ label }) => {
        tried.push(label);
        return { outcome: 'not_sent' };
      },
    };
    const { interval, block } = running({ sender });
    await interval();
    await fall(93_000n);
    await block();
    await block();
    expect(tried).toEqual(['rescue by guard 2', 'rescue by guard 1']);
  });

  // WA-6
  test('what may have been done is not done again before the guards have been read anew', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const real = unlockedSender(world.chain);
    let outcome: Sent | undefined = { outcome: 'consumed', hash: '0xaa' };
    const sender: Sender = {
      ...real,
      send: async (call) => {
        const sent = await real.send(call);
        return outcome ?? sent;
      },
    };
    const { at, listed, interval, block } = running({ sender });
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 1, consumed: 1 });
    outcome = undefined;
    at.now += 1n;
    expect(await block()).toMatchObject({ due: 0, 'skipped.cooling_down': 1 });
    expect(listed).toHaveLength(2);
    expect(await rescuesOf(1n)).toHaveLength(1);
  });

  test('a loan that the guard does not let be rescued is simulated once in a while', async () => {
    await borrow(bob, '70000');
    await setGuard(bob, { minRepay: parseEther('20000') });
    const { at, interval, block } = running();
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.repay_below_minimum': 1 });
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.tried_before': 1 });
    at.now += 15n;
    expect(await block()).toMatchObject({ 'skipped.repay_below_minimum': 1 });
  });

  test('a price that was better for a moment delays nothing', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const { loans } = loanGuardDeps(world);
    const late: HealthReader = {
      healths: async (guards) => {
        const healths = await loans.healths(guards);
        await fall(100_000n);
        return healths;
      },
    };
    const { interval, block } = running({ loans: late });
    await interval();
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
    await fall(93_000n);
    expect(await block()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
  });

  test('a cooldown ends by the time that has passed since the reading', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const { at, interval, block } = running();
    expect(await interval()).toMatchObject({ rescued: 1 });
    await fall(70_000n);
    expect(await interval()).toMatchObject({ 'skipped.cooling_down': 1 });
    at.now += 500n;
    expect(await block()).toMatchObject({ 'skipped.cooling_down': 1 });
    at.now += 100n;
    await world.chain.increaseTime({ seconds: 600 });
    await fall(70_000n);
    expect(await block()).toMatchObject({ rescued: 1 });
  });

  test('a guard that could not be read this time is watched as it was', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    const { reader } = loanGuardDeps(world);
    let readable = true;
    const guards: typeof reader.guards = async () => {
      const { block, guards: all } = await reader.guards();
      return readable ? { block, guards: all, unread: 0 } : { block, guards: [], unread: 1 };
    };
    const { interval, block } = running({ reader: { ...reader, guards } });
    await interval();
    readable = false;
    expect(await interval()).toMatchObject({ guards: 1, unread: 1 });
    readable = true;
    expect(await interval()).toEqual({ guards: 1, due: 0, 'skipped.health_not_below_trigger': 1 });
    readable = false;
    await interval();
    await fall(93_000n);
    expect(await block()).toMatchObject({ guards: 1, rescued: 1 });
  });

  test('guards that could not be read are asked for again, not at every block', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    let silent = true;
    let asked = 0;
    const { reader } = loanGuardDeps(world);
    const guards: typeof reader.guards = () => {
      asked += 1;
      if (!silent) return reader.guards();
      return Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
    };
    const { at, interval, block } = running({ reader: { ...reader, guards } });
    expect(await interval()).toEqual({ chain_unavailable: 1 });
    expect(await block()).toEqual({ guards: 0, due: 0 });
    silent = false;
    at.now += 1n;
    expect(await block()).toEqual({ guards: 0, due: 0 });
    expect(asked).toBe(1);
    at.now += 1n;
    expect(await block()).toMatchObject({ rescued: 1 });
  });

  test('a guard that could not be read the first time is watched two seconds later', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const { reader } = loanGuardDeps(world);
    let asked = 0;
    let silent = true;
    const guards: typeof reader.guards = async () => {
      asked += 1;
      const all = await reader.guards();
      return silent ? { ...all, guards: [], unread: 1 } : all;
    };
    const { at, interval, block } = running({ reader: { ...reader, guards } });
    expect(await interval()).toEqual({ guards: 0, due: 0, unread: 1 });
    at.now += 1n;
    expect(await block()).toEqual({ guards: 0, due: 0 });
    at.now += 1n;
    expect(await block()).toEqual({ guards: 0, due: 0, unread: 1 });
    at.now += 1n;
    await block();
    expect(asked).toBe(2);
    silent = false;
    at.now += 1n;
    expect(await block()).toMatchObject({ guards: 1, rescued: 1 });
    at.now += 5n;
    await block();
    expect(asked).toBe(3);
  });

  test('what was refused rests, however often guards are asked for', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const { reader } = loanGuardDeps(world);
    let sent = 0;
    const sender: Sender = {
      ...unlockedSender(world.chain),
      send: async () => {
        sent += 1;
        return { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n };
      },
    };
    const guards: typeof reader.guards = async () => ({ ...(await reader.guards()), unread: 1 });
    const { at, interval, block } = running({ sender, reader: { ...reader, guards } });
    await interval();
    for (let second = 0; second < 14; second += 1) {
      at.now += 1n;
      await block();
    }
    expect(sent).toBe(1);
  });

  test('one is asked for soon when the chain did not answer', async () => {
    const loans: HealthReader = {
      healths: () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.')),
    };
    const quiet = await loanGuardTick(loanGuardDeps(world))(going);
    expect(quiet.nextInSeconds).toBeUndefined();
    const { counts, nextInSeconds } = await loanGuardTick(loanGuardDeps(world, { loans }))(going);
    expect(counts).toMatchObject({ chain_unavailable: 1 });
    expect(nextInSeconds).toBe(2);
  });

  test.each([
    [1, 1],
    [200, 4],
  ])('%i healthy loans take %i questions to the node', async (count, questions) => {
    await borrow(bob, '50000');
    await setGuard(bob);
    const { chain, book } = world;
    const to = book.own.loanGuard;
    const { terms } = await chain.readContract({ address: to, abi: loanGuardAbi, functionName: 'guard', args: [1n] });
    const data = encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [terms] });
    const calls = Array.from({ length: count - 1 }, () => ({ to, data }));
    if (calls.length > 0) await chain.sendTogether(bob, calls);
    const proxy = await startRpcProxy(world.url);
    try {
      const { interval, block } = running({ loans: createHealthReader(connectChain(proxy.url)) });
      expect(await interval()).toMatchObject({ guards: count });
      proxy.methods.length = 0;
      expect(await block()).toEqual({ guards: count, due: 0, 'skipped.health_not_below_trigger': count });
      expect(proxy.methods).toEqual(Array.from({ length: questions }, () => 'eth_call'));
    } finally {
      await proxy.stop();
    }
  });
});

// AG-39
describe('a rescue waits', () => {
  function watched(changes: Partial<LoanGuardDeps> = {}) {
    const at = { ms: 0 };
    const waiting = createWaitingRescues({ now: () => at.ms });
    const next = loanGuardTick(loanGuardDeps(world, { waiting, ...changes }));
    return {
      look: async () => {
        at.ms += 1_000;
        await next(going);
        return waiting.oldestMs();
      },
    };
  }
  const sending = (sent: Sent): Sender => ({ ...unlockedSender(world.chain), send: async () => sent });

  beforeEach(async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
  });

  test('from when it is due until it is made', async () => {
    const { look } = watched();
    expect(await look()).toBeUndefined();
    await fall(93_000n);
    expect(await look()).toBeUndefined();
    expect(await rescuesOf(1n)).toHaveLength(1);
  });

  test.each<Sent>([
    { outcome: 'not_sent' },
    { outcome: 'unknown', hash: '0xaa' },
    { outcome: 'cancelled', hash: '0xaa' },
    { outcome: 'consumed', hash: '0xaa' },
    { outcome: 'not_allowed', rule: 'gas_day' },
    { outcome: 'not_allowed', rule: 'balance' },
    { outcome: 'would_revert', error: 'unknown_error' },
  ])('while nothing comes of it: %o', async (sent) => {
    await fall(93_000n);
    const { look } = watched({ sender: sending(sent) });
    expect(await look()).toBe(0);
    expect(await look()).toBe(1_000);
  });

  test.each<Sent>([
    { outcome: 'would_revert', error: 'allowance_too_low' },
    { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n },
    { outcome: 'not_allowed', rule: 'gas_price' },
  ])('not when it was refused by name: %o', async (sent) => {
    await fall(93_000n);
    expect(await watched({ sender: sending(sent) }).look()).toBeUndefined();
  });

  test('not for what the serving policy leaves out', async () => {
    await fall(93_000n);
    const serving = { ...loanGuardDeps(world).serving, minimumRepayUsdWad: parseEther('1000000') };
    expect(await watched({ serving, sender: sending({ outcome: 'not_sent' }) }).look()).toBeUndefined();
  });

  test('while the node is away, and no longer once the loan is healthy or the guard is cancelled', async () => {
    await fall(93_000n);
    let isAway = false;
    const { loans } = loanGuardDeps(world);
    const silence = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
    const { look } = watched({
      loans: { healths: (guards) => (isAway ? silence() : loans.healths(guards)) },
      sender: sending({ outcome: 'not_sent' }),
    });
    await look();
    isAway = true;
    expect(await look()).toBe(1_000);
    isAway = false;
    await fall(100_000n);
    expect(await look()).toBeUndefined();
    await fall(93_000n);
    expect(await look()).toBe(0);
    await world.chain.send(bob, world.book.own.loanGuard, { abi: loanGuardAbi, functionName: 'cancel', args: [1n] });
    expect(await look()).toBeUndefined();
  });
});

// AG-39
describe('/ready is 503 while no loan can be rescued:', () => {
  const silence = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
  const failure = () => Promise.reject(new Error('no'));
  const reverted: Sent = { outcome: 'reverted', hash: '0xaa', block: 1n, gasUsed: 1n };

  /** Forty seconds, with a round at every one of them. */
  async function watched(changes: Partial<LoanGuardDeps>) {
    const at = { ms: 0 };
    const clock = () => 1_000n + BigInt(at.ms / 1000);
    const waiting = createWaitingRescues({ now: () => at.ms });
    const next = loanGuardTick(loanGuardDeps(world, { waiting, clock, ...changes }));
    const seen: boolean[] = [];
    for (let round = 0; round < 40; round += 1) {
      await next(going, round === 0 ? 'interval' : 'trigger').catch(() => {});
      seen.push((await readinessOf([rescuesDependency(waiting)])).ready);
      at.ms += 1_000;
    }
    return seen;
  }
  const sending = (sent: Sent): Sender => ({ ...unlockedSender(world.chain), send: async () => sent });
  const reader = (changes: object) => ({ reader: { ...loanGuardDeps(world).reader, ...changes } });

  beforeEach(async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
  });

  test.each<[string, () => Partial<LoanGuardDeps>]>([
    ['simulations get no answer', () => reader({ preview: silence })],
    ['simulations fail', () => reader({ preview: failure })],
    ['loans get no answer', () => ({ loans: { healths: silence } })],
    ['loans fail', () => ({ loans: { healths: failure } })],
    [
      'neither loans nor simulations can be read',
      () => ({ ...reader({ preview: silence }), loans: { healths: async (all) => all.map(() => 'unreadable') } }),
    ],
    ['guards get no answer', () => reader({ guards: silence })],
    [
      'no guard can be read',
      () =>
        reader({
          guards: async () => ({ ...(await loanGuardDeps(world).reader.guards()), guards: [], unread: 1 }),
        }),
    ],
    ['rescues revert', () => ({ sender: sending(reverted) })],
    ['rescues would revert', () => ({ sender: sending({ outcome: 'would_revert', error: 'unknown_error' }) })],
  ])('%s', async (_, changes) => {
    const seen = await watched(changes());
    expect(seen.slice(0, 5)).toEqual(Array(5).fill(true));
    expect(seen.slice(20)).toEqual(Array(20).fill(false));
  });

  test('not for one guard of several that is not read, or one loan that nobody can read', async () => {
    await borrow(carol, '50000');
    await setGuard(carol);
    const { reader: real, loans } = loanGuardDeps(world);
    const strange = {
      reader: {
        ...real,
        guards: async () => ({ ...(await real.guards()), unread: 1 }),
        preview: (id: bigint) => (id === 1n ? silence() : real.preview(id)),
      },
      loans: {
        healths: async (all) =>
          (await loans.healths(all)).map((health, at) => (all[at]?.id === 1n ? 'unreadable' : health)),
      } satisfies HealthReader,
    };
    expect(await watched(strange)).toEqual(Array(40).fill(true));
  });

  test('not while the guard refuses all rescues by name', async () => {
    const refused = reader({
      preview: async (guardId: bigint) => ({ guardId, due: false, error: 'allowance_too_low' }),
    });
    expect(await watched(refused)).toEqual(Array(40).fill(true));
  });

  test('a price that fails in any way stops no rescue', async () => {
    expect(await tick({ prices: { price: failure } })).toEqual({ guards: 1, due: 1, rescued: 1, failed: 1 });
  });
});

describe('the keeper pays for nothing', () => {
  test('that repays dust, is never healthy enough or never rests', async () => {
    await borrow(bob, '70000');
    const dust = { capPerRescue: 1n, capPerDay: parseEther('50000'), minRepay: 1n };
    await setGuard(bob, dust);
    await setGuard(bob, { ...dust, triggerHealthWad: parseEther('9'), targetHealthWad: parseEther('9.9') });
    await setGuard(bob, { ...dust, cooldownSeconds: 0 });
    await fall(93_000n);
    const { chain } = world;
    const nonce = await chain.getTransactionCount({ address: keeper });
    for (let round = 0; round < 2; round += 1) {
      expect(await tick()).toEqual({
        guards: 3,
        due: 0,
        'skipped.not_served_repay': 1,
        'skipped.not_served_trigger': 1,
        'skipped.not_served_cooldown': 1,
      });
    }
    expect(await chain.getTransactionCount({ address: keeper })).toBe(nonce);

    // The next to the least value is dust, too.
    const least = parseEther('5');
    await setGuard(bob, { capPerRescue: least - 1n, minRepay: 1n });
    expect(await tick()).toMatchObject({ due: 0, 'skipped.not_served_repay': 2 });
    await setGuard(bob, { capPerRescue: least, minRepay: 1n });
    expect(await tick()).toMatchObject({ rescued: 1, 'skipped.not_served_repay': 2 });
  });

  test('but for what has no price at the moment', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    const silent = { price: () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.')) };
    expect(await tick({ prices: silent })).toEqual({ guards: 1, due: 1, rescued: 1, chain_unavailable: 1 });
  });
});

// AG-38
describe('guards that only the keeper may rescue hold up no others', () => {
  const unlocked = () => unlockedSender(world.chain);

  beforeEach(async () => {
    await borrow(bob, '70000');
    await borrow(carol, '70000');
    await borrow(dave, '60000');
    await setGuard(bob, { keeper });
    await setGuard(carol);
    await setGuard(dave);
    await fall(93_000n);
  });

  test('while it is not known what became of one', async () => {
    const lost: Sent = { outcome: 'unknown', hash: '0xaa' };
    const slow = { send: async () => lost, outcome: async () => lost };
    const sender = createRoutedSender(keeper, ({ byAnybody }) => (byAnybody ? unlocked() : slow));
    const next = loanGuardTick(loanGuardDeps(world, { sender }));
    expect((await next(going)).counts).toMatchObject({ rescued: 1, unknown: 1 });
    await fall(80_000n);
    expect(await next(going)).toMatchObject({ counts: { rescued: 1, unknown: 1 }, nextInSeconds: 2 });
    expect(await rescuesOf(3n)).toHaveLength(1);
  });

  test('while one takes long, and that one ends with the round', async () => {
    let isFree = false;
    const slow: Sender = {
      ...unlocked(),
      send: async (call) => {
        while (!isFree) await new Promise((resolve) => setTimeout(resolve, 20));
        return unlocked().send(call);
      },
    };
    const sender = createRoutedSender(keeper, ({ byAnybody }) => (byAnybody ? unlocked() : slow));
    const round = loanGuardTick(loanGuardDeps(world, { sender }))(going);
    const count = async (id: bigint) => (await rescuesOf(id)).length;
    await expect.poll(() => count(2n), { timeout: 10_000 }).toBe(1);
    await fall(80_000n);
    await expect.poll(() => count(3n), { timeout: 10_000 }).toBe(1);
    expect(await count(1n)).toBe(0);
    isFree = true;
    expect((await round).counts).toMatchObject({ guards: 3, rescued: 3 });
  });
});

describe('the guard and the plan give the same answer', () => {
  const preview = async (guardId: bigint, time: bigint) => {
    const { chain, book } = world;
    const call = { address: book.own.loanGuard, abi: loanGuardAbi, functionName: 'rescue', args: [guardId] } as const;
    try {
      await chain.simulateContract({ ...call, account: keeper, blockOverrides: { time } });
      return 'open';
    } catch (error) {
      return refusalWord(error);
    }
  };

  test('at every second at which it changes', async () => {
    await borrow(bob, '70000');
    await setGuard(bob);
    await fall(93_000n);
    await tick();
    await fall(70_000n);
    await setGuard(bob, { keeper: carol });
    await setGuard(bob);
    await world.chain.send(bob, world.book.own.loanGuard, { abi: loanGuardAbi, functionName: 'cancel', args: [3n] });
    const { reader, assets, serving } = loanGuardDeps(world);
    const { guards } = await reader.guards();
    const [first] = guards;
    if (first === undefined) throw new Error('no guard');
    const cooled = first.lastRescueAt + first.cooldownSeconds;
    const heard = new Set<string>();
    for (const now of [cooled - 1n, cooled, first.expiresAt - 1n, first.expiresAt]) {
      for (const guard of guards) {
        const said = openGuards({ now, keeper, assets, serving, guards: [guard] }).skipped[0]?.skip ?? 'open';
        expect(said, `guard ${guard.id} at ${now}`).toBe(await preview(guard.id, now));
        heard.add(said);
      }
    }
    expect([...heard].toSorted()).toEqual(['cooling_down', 'guard_expired', 'guard_not_active', 'not_keeper', 'open']);
  });
});

describe('what goes wrong', () => {
  beforeEach(async () => {
    await borrow(bob, '70000');
    await borrow(carol, '72000');
    await setGuard(bob);
    await setGuard(carol);
    await fall(93_000n);
  });

  const silence = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));

  test.each<[string, () => Promise<never>, object]>([
    ['falls silent', silence, { chain_unavailable: 1 }],
    ['fails', () => Promise.reject(new Error('no')), { failed: 1 }],
  ])('a simulation that %s keeps no other loan from its rescue', async (_, answer, counts) => {
    const { reader } = loanGuardDeps(world);
    const preview: typeof reader.preview = (guardId) => (guardId === 1n ? answer() : reader.preview(guardId));
    expect(await tick({ reader: { ...reader, preview } })).toEqual({ guards: 2, due: 1, rescued: 1, ...counts });
    expect(await rescuesOf(1n)).toEqual([]);
    expect(await rescuesOf(2n)).toHaveLength(1);
  });

  test('health that cannot be read keeps no loan from its rescue', async () => {
    const loans: HealthReader = { healths: async (guards) => guards.map(() => 'unreadable') };
    expect(await tick({ loans })).toEqual({ guards: 2, due: 2, rescued: 2 });
  });

  test('a chain that does not answer', async () => {
    const { book } = world;
    const contracts = { ...book.own, vUsdt: book.venus.vUsdt };
    const reader = createGuardReader(connectChain('http://127.0.0.1:9'), contracts, keeper);
    expect(await tick({ reader })).toEqual({ chain_unavailable: 1 });
  });

  test('somebody else was quicker: the simulation says so, and the next loan is rescued', async () => {
    const { chain, book } = world;
    const { sender } = loanGuardDeps(world);
    let first = true;
    const late: Sender = {
      ...sender,
      send: async (call) => {
        if (first) {
          first = false;
          await chain.send(dave, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [2n] });
        }
        return sender.send(call);
      },
    };
    expect(await tick({ sender: late })).toEqual({
      guards: 2,
      due: 2,
      rescued: 1,
      'would_revert.cooling_down': 1,
    });
    expect(await rescuesOf(2n)).toHaveLength(1);
  });

  test('an unknown outcome: nothing more is sent', async () => {
    let calls = 0;
    const sender: Sender = {
      ...unlockedSender(world.chain),
      send: async () => {
        calls += 1;
        return { outcome: 'unknown', hash: '0xaa' };
      },
    };
    expect(await tick({ sender })).toEqual({ guards: 2, due: 2, unknown: 1 });
    expect(calls).toBe(1);
  });

  // AG-16
  test('an unknown outcome that is found in a block later is told of then', async () => {
    const line = await startRpcProxy(world.url);
    let cut = false;
    line.fate = (method) => {
      cut ||= method === 'eth_sendRawTransaction';
      return method === 'eth_sendRawTransaction' ? 'answer_lost' : cut ? 'lost' : 'answered';
    };
    const log = keepLog();
    const sender = keeperSender({ ...world, url: line.url }, { receiptSeconds: 1n });
    const next = loanGuardTick(loanGuardDeps(world, { sender, log }));
    expect((await next(going)).counts).toEqual({ guards: 2, due: 2, unknown: 1 });
    expect(await next(going)).toEqual({ counts: { unknown: 1 }, nextInSeconds: 2 });
    line.fate = () => 'answered';
    expect((await next(going)).counts).toMatchObject({ guards: 2, due: 1, rescued: 2, 'skipped.cooling_down': 1 });
    await line.stop();
    expect(log.lines.filter(({ event }) => event === 'rescue.done')).toHaveLength(2);
    expect([await rescuesOf(1n), await rescuesOf(2n)]).toMatchObject([{ length: 1 }, { length: 1 }]);
  });

  test('the report is of this rescue, whatever others there were since the guard was read', async () => {
    const { chain, book } = world;
    const deps = loanGuardDeps(world);
    const { block, guards } = await deps.reader.guards();
    await chain.send(dave, book.own.loanGuard, { abi: loanGuardAbi, functionName: 'rescue', args: [2n] });
    await chain.increaseTime({ seconds: 600 });
    await fall(80_000n);
    const log = keepLog();
    const stale = { block: { ...block, timestamp: block.timestamp + 600n }, guards, unread: 0 };
    await tick({ log, reader: { ...deps.reader, guards: async () => stale } });
    const [, second] = await rescuesOf(2n);
    const line = log.lines.find(({ guardId }) => guardId === 2n);
    expect(line?.repaid).toBe(`${formatUnits(second?.repaid ?? 0n, 18)} USDT`);
  });

  test('a report that cannot be made: the rescue stands, and is told with what is known', async () => {
    const { reader } = loanGuardDeps(world);
    const log = keepLog();
    expect(await tick({ log, reader: { ...reader, rescues: silence } })).toMatchObject({ rescued: 2 });
    const { lines } = log;
    expect(lines.map(({ event }) => event)).toEqual(['rescue.done', 'report.failed', 'rescue.done', 'report.failed']);
    expect(lines[0]).toEqual({ event: 'rescue.done', guardId: 2n, borrower: carol, hash: expect.any(String) });
  });

  test('a stop between two rescues: the second is left for later', async () => {
    const stopping = new AbortController();
    const { sender } = loanGuardDeps(world);
    const send: Sender['send'] = (call) => {
      stopping.abort();
      return sender.send(call);
    };
    const { counts } = await loanGuardTick(loanGuardDeps(world, { sender: { ...sender, send } }))(stopping.signal);
    expect(counts).toEqual({ guards: 2, due: 2, rescued: 1 });
  });

  test('two guards that send in the same block: each loan is rescued once', async () => {
    const { chain } = world;
    await chain.setAutomine(false);
    const sender = unlockedSender(chain);
    const pending = (count: number) =>
      expect.poll(async () => (await chain.getTxpoolStatus()).pending, { timeout: 10_000 }).toBe(count);
    const second: Sender = {
      ...sender,
      send: async (call) => {
        await pending(1);
        return sender.send(call);
      },
    };
    const { reader } = loanGuardDeps(world);
    const onlyFirst = {
      ...reader,
      guards: async () => {
        const { guards, ...rest } = await reader.guards();
        return { ...rest, guards: guards.slice(0, 1) };
      },
    };
    const both = Promise.all([tick({ sender, reader: onlyFirst }), tick({ sender: second, reader: onlyFirst })]);
    await pending(2);
    await chain.mine({ blocks: 1 });
    const counts = await both;
    await chain.setAutomine(true);
    expect(counts.map(({ rescued = 0, reverted = 0 }) => [rescued, reverted]).toSorted()).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(await rescuesOf(1n)).toHaveLength(1);
  });
});
