import { setTimeout as sleep } from 'node:timers/promises';
import { connectChain } from '@bowline/chain/chain-client';
import { createPlanReader } from '@bowline/chain/plan-reader';
import type { BatchPreviewer } from '@bowline/chain/readers';
import type { MarketData, PythPrices } from '@bowline/core/domain/market-data';
import { BowlineError } from '@bowline/core/domain/result';
import type { Sender, Sent } from '@bowline/core/domain/sending';
import type { Ticket, TicketSigner } from '@bowline/core/domain/ticket';
import type { Clock } from '@bowline/core/domain/time';
import { formatUnits, mulDivUp, WAD } from '@bowline/core/domain/units';
import { closes } from '@bowline/core/test/verdict/proposals';
import { keccak256, parseEther, slice, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { planRegistryAbi, revocationsAbi } from '../../../../abis/index.ts';
import { feeds, tokens, venus } from '../../../../lab/world/addresses.ts';
import { localChainId } from '../../../../lab/world/fork.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { priceUsd8 } from '../../../../lab/world/prices.ts';
import { type RpcProxy, startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { approve, balance, bob } from '../../../../test/local/accounts.ts';
import { type DuePlan, gasOfRecord } from '../../../src/loops/executor/plan.ts';
import { executorTick } from '../../../src/loops/executor/tick.ts';
import { createTicketSigner } from '../../../src/process/ticket-signer.ts';
import { type Sources, sparing } from '../../../src/sources/propose.ts';
import { createTurns } from '../../../src/workers/turns.ts';
import { withWorld, world } from '../with-world.ts';
import {
  anyPrice,
  createPlan,
  executorDeps,
  fund,
  keeper,
  keeperSender,
  keepLog,
  owner,
  trade,
  unlockedSender,
} from '../world.ts';

withWorld('1000');

const going = new AbortController().signal;
/** One tick of a newly started agent, which keeps nothing of earlier ticks. */
const round = (changes = {}) => executorTick(executorDeps(world, changes))(going);
const tick = async (changes = {}) => (await round(changes)).counts;
const runsOf = (planId: bigint) => executorDeps(world).reader.runs(planId, 0, 100);
const usdt = () => balance(world.chain, owner, tokens.USDT);
const btcb = () => balance(world.chain, owner, tokens.BTCB);

/** The chain's clock moves on, and the feeds with it. */
async function passTime(seconds: number): Promise<void> {
  const { chain } = world;
  await chain.increaseTime({ seconds });
  await chain.mine({ blocks: 1 });
  for (const symbol of Object.keys(feeds) as (keyof typeof feeds)[]) {
    await setPrice(chain, bob, symbol, priceUsd8[symbol]);
  }
}

const unreachable: MarketData = {
  bookTicker: () => Promise.reject(new BowlineError('market_unavailable', 'The exchange does not answer.')),
  candles: () => Promise.reject(new BowlineError('market_unavailable', 'The exchange does not answer.')),
};

/** An exchange at the replica's price of BTCB, after a calm week. */
function answeringExchange(clock: Clock, onAsked: (question: string) => void = () => {}): MarketData {
  const price = priceUsd8.BTCB * 10n ** 10n;
  return {
    bookTicker: async (pair) => {
      onAsked(`ticker ${pair}`);
      return { bidWad: price, askWad: price, answeredAt: clock() };
    },
    candles: async (pair, interval, count) => {
      onAsked(`${count} candles ${pair} ${interval}`);
      const now = clock();
      const candles = closes(0.005, count).map((close, at) => ({
        openedAt: now - 3_600n * BigInt(count - 1 - at),
        openWad: close,
        highWad: close,
        lowWad: close,
        closeWad: close,
        volumeWad: WAD,
      }));
      return { candles, answeredAt: now };
    },
  };
}

describe('what an owner may have asked for', () => {
  const signer = privateKeyToAccount(`0x${'5'.repeat(64)}`);
  const tickets = () => createTicketSigner(signer, localChainId, world.book.own.planRegistry);

  test('a plan that needs a signed verdict runs on one, and not without', async () => {
    const id = await createPlan(world, { verdictSigner: signer.address });
    expect(await tick()).toEqual({ plans: 1, due: 0, 'skipped.not_served_signer': 1 });
    const other = createTicketSigner(privateKeyToAccount(`0x${'6'.repeat(64)}`), localChainId, executor());
    expect(await tick({ tickets: [other] })).toMatchObject({ 'skipped.not_served_signer': 1 });
    expect(await tick({ tickets: [tickets()] })).toEqual({ plans: 1, due: 1, executed: 1 });
    expect(await runsOf(id)).toMatchObject([{ outcome: 'executed', verdict: 'GO', version: 1 }]);
    // During a rotation the agent has both keys.
    await passTime(3_600);
    expect(await tick({ tickets: [other, tickets()] })).toMatchObject({ executed: 1 });
    // The registry refuses a ticket that is signed for another registry's domain.
    await passTime(3_600);
    const elsewhere = createTicketSigner(signer, localChainId, executor());
    expect(await tick({ tickets: [elsewhere] })).toMatchObject({ 'would_revert.signature_refused': 1 });
  });

  test('an edited plan runs by its new terms', async () => {
    const id = await createPlan(world);
    const registry = { address: world.book.own.planRegistry, abi: planRegistryAbi } as const;
    const { terms } = await world.chain.readContract({ ...registry, functionName: 'plan', args: [id] });
    const edited = { ...terms, amountPerRun: terms.amountPerRun / 2n };
    await world.chain.send(owner, registry.address, { ...registry, functionName: 'edit', args: [id, 1n, 0n, edited] });
    expect(await tick()).toMatchObject({ executed: 1 });
    expect(await runsOf(id)).toMatchObject([{ amountIn: edited.amountPerRun, version: 2 }]);
  });

  test('RV-1: what was revoked is left alone for good', async () => {
    await createPlan(world);
    await world.chain.send(owner, world.book.own.revocations, { abi: revocationsAbi, functionName: 'revokeAll' });
    expect(await tick()).toEqual({ plans: 1, due: 0, 'skipped.plan_revoked': 1 });
    await createPlan(world);
    expect(await tick()).toMatchObject({ due: 1, executed: 1, 'skipped.plan_revoked': 1 });
  });
});

const executor = () => world.book.own.swapExecutor;

describe('a fair price', () => {
  test('runs the plan once in its slot: funds, record and report agree', async () => {
    const id = await createPlan(world);
    const log = keepLog();
    expect(await tick({ log })).toEqual({ plans: 1, due: 1, executed: 1 });

    const [run, ...others] = await runsOf(id);
    expect(others).toEqual([]);
    expect(run).toMatchObject({ outcome: 'executed', verdict: 'GO', amountIn: parseEther('100') });
    const received = run?.amountOut ?? 0n;
    expect(await usdt()).toBe(parseEther('900'));
    expect(await btcb()).toBe(received);
    // 100 USDT at 100,000 less the pool's 0.05 %, and the floor 0.2 % below what was quoted (IT-4): the plan's own, 1 % below
    // the feeds, is lower.
    expect(received).toBeGreaterThan(parseEther('0.0009994'));
    const maxPriceWad = mulDivUp(parseEther('100') * 10_020n, WAD, received * 10_000n);
    const floor = mulDivUp(parseEther('100'), WAD, maxPriceWad);
    expect(run?.floor).toBe(floor);
    expect(floor).toBeGreaterThan(parseEther('0.00099'));

    expect(log.lines.find(({ event }) => event === 'run.executed')).toEqual({
      event: 'run.executed',
      planId: id,
      asset: 'BTCB',
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      paid: '100 USDT',
      received: `${formatUnits(received, 18)} BTCB`,
      floor: `${formatUnits(floor, 18)} BTCB`,
      ownerBefore: { USDT: '1000', BTCB: '0' },
      ownerAfter: { USDT: '900', BTCB: formatUnits(received, 18) },
    });

    expect(await tick()).toEqual({ plans: 1, due: 0, 'skipped.slot_used': 1 });
    expect(await usdt()).toBe(parseEther('900'));
  });

  test('runs the next slot, and no slot that was missed', async () => {
    const id = await createPlan(world);
    await tick();
    await passTime(3 * 3600);
    expect(await tick()).toMatchObject({ executed: 1 });
    expect(await tick()).toMatchObject({ 'skipped.slot_used': 1 });
    expect(await runsOf(id)).toHaveLength(2);
    expect(await usdt()).toBe(parseEther('800'));
  });

  test('sells as it buys', async () => {
    await fund(world, owner, 'BTCB', '1');
    const sale = { tokenIn: tokens.BTCB, tokenOut: tokens.USDT, amountPerRun: parseEther('0.5') };
    await createPlan(world, sale);
    const log = keepLog();
    expect(await tick({ log })).toMatchObject({ executed: 1 });
    expect(await btcb()).toBe(parseEther('0.5'));
    expect(await usdt()).toBeGreaterThan(parseEther('50900'));
    expect(log.lines.at(-1)).toMatchObject({ asset: 'BTCB', paid: '0.5 BTCB' });
  });
});

// AG-12
describe('several plans', () => {
  test('of one owner with money for two: the third is not even judged', async () => {
    await fund(world, bob, 'USDT', '250');
    for (let made = 0; made < 3; made += 1) await createPlan(world, { owner: bob, recipient: bob });
    const { sources } = executorDeps(world);
    let asked = 0;
    const facts: typeof sources.chain.facts = (...question) => {
      asked += 1;
      return sources.chain.facts(...question);
    };
    expect(await tick({ sources: { ...sources, chain: { facts } } })).toEqual({
      plans: 3,
      due: 3,
      executed: 2,
      'skipped.balance_taken': 1,
    });
    // One for each that was judged.
    expect(asked).toBe(2);
    expect(await balance(world.chain, bob, tokens.USDT)).toBe(parseEther('50'));
  });

  test('of one owner: what is not bought for one is there for the next', async () => {
    await fund(world, bob, 'USDT', '5000000');
    const terms = { owner: bob, recipient: bob };
    const large = await createPlan(world, { ...terms, amountPerRun: parseEther('4999950'), windowSeconds: 600 });
    await createPlan(world, terms);
    expect(await tick()).toEqual({ plans: 2, due: 2, deferred: 1, executed: 1 });
    expect(await runsOf(large)).toMatchObject([{ reason: 'cost_high' }]);
  });

  test('run in the order in which their slots close', async () => {
    const ids: bigint[] = [];
    for (const windowSeconds of [1800, 600, 1200]) ids.push(await createPlan(world, { windowSeconds }));
    const log = keepLog();
    expect(await tick({ log })).toMatchObject({ executed: 3 });
    const order = log.lines.filter(({ event }) => event === 'run.executed').map(({ planId }) => planId);
    expect(order).toEqual([ids[1], ids[2], ids[0]]);
  });

  test('ask the exchange once', async () => {
    for (let made = 0; made < 3; made += 1) await createPlan(world);
    const { sources, prices } = executorDeps(world);
    const asked: string[] = [];
    const exchange = answeringExchange(sources.clock, (question) => void asked.push(question));
    expect(await tick({ prices, sources: { ...sources, ...sparing({ exchange }, sources.clock) } })).toMatchObject({
      executed: 3,
    });
    expect(asked.toSorted()).toEqual(['168 candles BTCUSDT 1h', 'ticker BTCUSDT']);
  });
});

describe('the next round is asked for', () => {
  const nextIn = async (changes = {}) => (await round(changes)).nextInSeconds;

  test('when the next slot begins, in the time of the chain', async () => {
    expect(await nextIn()).toBeUndefined();
    const { timestamp } = await world.chain.getBlock();
    await createPlan(world, { startAt: Number(timestamp) + 600 });
    const { timestamp: now } = await world.chain.getBlock();
    expect(await nextIn()).toBe(Number(timestamp) + 600 - Number(now) + 2);
    await world.chain.increaseTime({ seconds: 300 });
    await world.chain.mine({ blocks: 1 });
    const { timestamp: later } = await world.chain.getBlock();
    expect(await nextIn()).toBe(Number(timestamp) + 600 - Number(later) + 2);
  });

  test('no sooner than a few seconds after this one, whatever plans there are', async () => {
    const { timestamp } = await world.chain.getBlock();
    await createPlan(world, { startAt: Number(timestamp) + 6 });
    expect(await nextIn()).toBe(15);
  });

  test('soon when the chain does not answer', async () => {
    const reader = createPlanReader(connectChain('http://127.0.0.1:9'), world.book.own, world.book.assets);
    expect(await nextIn({ reader })).toBe(15);
  });
});

describe('a price that is not fair', () => {
  // AG-2
  test('is put on record with its reason and its evidence, once, and nothing is bought', async () => {
    // A twentieth of the pool's depth.
    await fund(world, owner, 'USDT', '5000000');
    const id = await createPlan(world, { amountPerRun: parseEther('5000000') });
    const log = keepLog();
    expect(await tick({ log })).toEqual({ plans: 1, due: 1, deferred: 1 });
    expect(log.lines.at(-1)).toEqual({
      event: 'run.deferred',
      planId: id,
      asset: 'BTCB',
      verdict: 'NO_GO',
      reason: 'cost_high',
      detail: expect.stringMatching(
        /^5,000,000 USD is paid for [\d,.]+ USD by the worst of the sources, .* [\d.]+ % this size \(limit 0\.9 %\)\.$/,
      ),
    });
    const [record] = await runsOf(id);
    expect(record).toMatchObject({ outcome: 'deferred', verdict: 'NO_GO', reason: 'cost_high' });
    const evidence = log.lines.find(({ event }) => event === 'run.evidence')?.evidence as string;
    expect(record?.evidencePrefix).toBe(slice(keccak256(stringToBytes(evidence)), 0, 19));
    expect(JSON.parse(evidence).proposal.chain.quote.amountIn).toBe(parseEther('5000000').toString());

    expect(await tick()).toEqual({ plans: 1, due: 1, 'skipped.reason_repeated': 1 });
    expect(await runsOf(id)).toHaveLength(1);
    expect(await btcb()).toBe(0n);

    // The next slot has a record of its own.
    await passTime(3600);
    expect(await tick()).toMatchObject({ deferred: 1 });
  });

  test('leaves the slot open for when the price is fair again', async () => {
    // BTCB would be bought over WBNB.
    const id = await createPlan(world, { tokenOut: tokens.ETH });
    const bought = await trade(world.chain, 'USDT', 'ETH', parseEther('1000000'));
    expect(await tick()).toMatchObject({ deferred: 1 });
    await trade(world.chain, 'ETH', 'USDT', bought);
    expect(await tick()).toMatchObject({ executed: 1 });
    expect(await runsOf(id)).toMatchObject([
      { outcome: 'deferred', verdict: 'NO_GO', reason: 'cost_high' },
      { outcome: 'executed', verdict: 'GO' },
    ]);
  });

  test('of which there is a doubt defers as well', async () => {
    const id = await createPlan(world, { tokenOut: tokens.ETH });
    // 0.7 % in the only pool, between the limits.
    await trade(world.chain, 'USDT', 'ETH', parseEther('140000'));
    expect(await tick()).toMatchObject({ deferred: 1 });
    expect(await runsOf(id)).toMatchObject([{ verdict: 'CAUTION', reason: 'cost_high' }]);
    expect(await usdt()).toBe(parseEther('1000'));
  });
});

// AG-2
describe('a source of ours that is silent', () => {
  // Otherwise RedStone's and Binance Oracle's prices would be enough next to Chainlink's.
  beforeEach(async () => {
    for (const address of [venus.oracles.redStone, venus.binanceOracle])
      await world.chain.setCode({ address, bytecode: '0xfe' });
  });

  /** An executor whose exchange can be changed between rounds, with what it sent and reported. */
  function withExchange(first: MarketData) {
    const { sources, prices } = executorDeps(world);
    const { pyth: _, ...withoutPyth } = sources;
    let now = first;
    const exchange: MarketData = {
      bookTicker: (...question) => now.bookTicker(...question),
      candles: (...question) => now.candles(...question),
    };
    const log = keepLog();
    const sent: string[] = [];
    const real = keeperSender(world);
    const sender: Sender = {
      ...real,
      send: (call) => {
        sent.push(call.label);
        return real.send(call);
      },
    };
    const next = executorTick(executorDeps(world, { prices, sources: { ...withoutPyth, exchange }, sender, log }));
    const told = () => log.lines.filter(({ event }) => event === 'run.skipped');
    const back = () => {
      now = answeringExchange(sources.clock);
    };
    const gone = () => {
      now = unreachable;
    };
    return { next: () => next(going), log, sent, told, back, gone };
  }

  test('costs no gas: it is told once a slot, and the plan runs when the source is back within it', async () => {
    const id = await createPlan(world);
    const { next, log, sent, told, back, gone } = withExchange(unreachable);
    const held = await world.chain.getBalance({ address: keeper });
    for (let round = 0; round < 3; round += 1) {
      const { counts, nextInSeconds } = await next();
      expect(counts).toEqual({ plans: 1, due: 1, 'skipped.source_silent': 1 });
      // The interval may be longer than the slot is open.
      expect(nextInSeconds).toBe(60);
    }
    expect(sent).toEqual([]);
    expect(await world.chain.getBalance({ address: keeper })).toBe(held);
    expect(await runsOf(id)).toEqual([]);
    expect(log.lines).toEqual([
      {
        event: 'run.skipped',
        planId: id,
        asset: 'BTCB',
        verdict: 'NO_DATA',
        reason: 'reference_missing',
        detail: expect.stringMatching(
          /^Of BTCB Chainlink says [\d.,]+ USD, the exchange gives no price, Pyth is not asked, RedStone gives no price: 1 of 4 /,
        ),
        skip: 'source_silent',
        silent: ['exchange'],
      },
    ]);

    back();
    expect((await next()).counts).toEqual({ plans: 1, due: 1, executed: 1 });
    expect(await runsOf(id)).toMatchObject([{ outcome: 'executed', verdict: 'GO' }]);

    // The next slot is reported again.
    gone();
    await passTime(3_600);
    expect((await next()).counts).toMatchObject({ 'skipped.source_silent': 1 });
    expect(told()).toHaveLength(2);
    expect(sent).toHaveLength(1);
  });

  test('DP-18: a signer that fails costs the plans that name it their round, and no other plan', async () => {
    const [first, second] = [`0x${'5'.repeat(64)}`, `0x${'6'.repeat(64)}`] as const;
    const broken: TicketSigner = {
      ...createTicketSigner(privateKeyToAccount(first), localChainId, world.book.own.planRegistry),
      sign: () => Promise.reject(new Error('The remote signer has not answered in time.')),
    };
    const well = createTicketSigner(privateKeyToAccount(second), localChainId, world.book.own.planRegistry);
    for (const { address } of [broken, broken, well]) await createPlan(world, { verdictSigner: address });
    const { sources } = executorDeps(world);
    const facts: typeof sources.chain.facts = async (...question) => {
      const { finalBlock: _, ...read } = await sources.chain.facts(...question);
      return read;
    };
    const tickets = [broken, well];
    expect(await tick({ tickets, sources: { ...sources, chain: { facts } } })).toMatchObject({
      failed: 2,
      deferred: 1,
    });
    expect(await tick({ tickets })).toMatchObject({ failed: 2, executed: 1 });
  });

  test('has no ticket signed, and neither has a deferral that is not repeated: nobody needs one', async () => {
    const signer = privateKeyToAccount(`0x${'5'.repeat(64)}`);
    const real = createTicketSigner(signer, localChainId, world.book.own.planRegistry);
    const signed: Ticket[] = [];
    const tickets: TicketSigner = {
      ...real,
      sign: (ticket) => {
        signed.push(ticket);
        return real.sign(ticket);
      },
    };
    await createPlan(world, { verdictSigner: signer.address });
    const { sources } = executorDeps(world);
    const { pyth: _, ...withoutPyth } = sources;
    const silent = { ...withoutPyth, exchange: unreachable };
    expect(await tick({ tickets: [tickets], sources: silent })).toMatchObject({ due: 1, 'skipped.source_silent': 1 });
    expect(signed).toEqual([]);

    const facts: typeof sources.chain.facts = async (...question) => {
      const { finalBlock: _, ...read } = await sources.chain.facts(...question);
      return read;
    };
    const blind = { ...sources, chain: { facts } };
    expect(await tick({ tickets: [tickets], sources: blind })).toMatchObject({ deferred: 1 });
    expect(signed).toHaveLength(1);
    expect(await tick({ tickets: [tickets], sources: blind })).toMatchObject({ 'skipped.reason_repeated': 1 });
    expect(signed).toHaveLength(1);

    expect(await tick({ tickets: [tickets] })).toMatchObject({ executed: 1 });
    expect(signed).toHaveLength(2);
  });

  test('keeps no plan of another asset from its run', async () => {
    await createPlan(world);
    const other = await createPlan(world, { tokenOut: tokens.ETH });
    const { next } = withExchange(unreachable);
    expect((await next()).counts).toMatchObject({ due: 2, 'skipped.source_silent': 2 });
    const { sources } = executorDeps(world);
    const prices = sources.pyth as PythPrices;
    const { pythId } = world.book.assets.find(({ symbol }) => symbol === 'ETH') ?? {};
    const pyth: PythPrices = {
      async price(id) {
        if (id !== pythId) await unreachable.bookTicker('');
        return prices.price(id);
      },
    };
    expect(await tick({ sources: { ...sources, exchange: unreachable, pyth } })).toEqual({
      ...{ plans: 2, due: 2, executed: 1, 'skipped.source_silent': 1 },
    });
    expect(await runsOf(other)).toMatchObject([{ outcome: 'executed' }]);
  });

  test('is no silence where it is off', async () => {
    const id = await createPlan(world);
    expect(await tick()).toMatchObject({ executed: 1 });
    expect(await runsOf(id)).toMatchObject([{ outcome: 'executed' }]);
  });

  test.each<[string, string, object]>([
    ['a feed that has stopped', 'reference_stale', { chainlink: 'stopped' }],
    ['no final block', 'finality_missing', { finalBlock: undefined }],
  ])('hides no reason on chain, which is put on record: %s', async (_, reason, change) => {
    const id = await createPlan(world);
    const { sources } = executorDeps(world);
    const facts: typeof sources.chain.facts = async (...question) => {
      const { chainlink, finalBlock, ...read } = await sources.chain.facts(...question);
      const stopped = chainlink && { ...chainlink, updatedAt: read.block.timestamp - 301n };
      return 'finalBlock' in change
        ? { ...read, ...(chainlink && { chainlink }) }
        : { ...read, ...(stopped && { chainlink: stopped }), ...(finalBlock !== undefined && { finalBlock }) };
    };
    const silent = { ...sources, chain: { facts }, exchange: unreachable };
    expect(await tick({ sources: silent })).toEqual({ plans: 1, due: 1, deferred: 1 });
    expect(await runsOf(id)).toMatchObject([{ outcome: 'deferred', verdict: 'NO_DATA', reason }]);
  });
});

describe('the keeper pays for nothing', () => {
  const policyWith = (changes: object) => ({ policy: { ...executorDeps(world).policy, ...changes } });

  test('that is worth less than the least run', async () => {
    const id = await createPlan(world, { amountPerRun: parseEther('4.99') });
    expect(await tick()).toEqual({ plans: 1, due: 1, 'skipped.not_served_run_value': 1 });
    expect(await runsOf(id)).toEqual([]);
  });

  test('beyond an owner and a day, whatever it was restarted in between', async () => {
    const expiresAt = Number((await world.chain.getBlock()).timestamp) + 2 * 86_400;
    const before = await createPlan(world, { expiresAt });
    const limit = policyWith({ gasPerOwnerPerDay: gasOfRecord.executed });
    expect(await tick(limit)).toMatchObject({ executed: 1 });
    await createPlan(world, { expiresAt, windowSeconds: 3600 });
    expect(await tick(limit)).toMatchObject({ 'skipped.slot_used': 1, 'skipped.not_served_gas': 1 });
    // Another owner's daily gas is untouched.
    await fund(world, bob, 'USDT', '100');
    await createPlan(world, { owner: bob, recipient: bob, expiresAt: expiresAt - 86_400 });
    expect(await tick(limit)).toMatchObject({ executed: 1, 'skipped.not_served_gas': 1 });
    await passTime(86_400);
    expect(await tick(limit)).toMatchObject({ executed: 1, due: 2, 'skipped.not_served_gas': 1 });
    expect(await runsOf(before)).toHaveLength(2);
  });

  test("that asks an owner's own price source, which may say on chain what it did not say before", async () => {
    const { swapExecutor } = world.book.own;
    const id = await createPlan(world, { priceSource: swapExecutor, limitPriceWad: 10n ** 24n, farLimit: true });
    expect(await tick()).toEqual({ plans: 1, due: 0, 'skipped.not_served_price_source': 1 });
    await createPlan(world, { priceSource: world.book.own.venusPriceSource });
    await createPlan(world, anyPrice);
    expect(await tick()).toMatchObject({ executed: 2, 'skipped.not_served_price_source': 1 });
    expect(await runsOf(id)).toEqual([]);
  });

  test('that the owner cannot pay for', async () => {
    await createPlan(world, { amountPerRun: parseEther('1000.1') });
    await approve(world.chain, owner, 'USDT', world.book.own.planRegistry, parseEther('99'));
    await createPlan(world);
    expect(await tick()).toMatchObject({ 'skipped.balance_too_low': 1, 'skipped.allowance_too_low': 1, due: 0 });
  });
});

describe('what goes wrong', () => {
  const answering = (...answers: (Sent | 'send')[]): Sender & { labels: string[] } => {
    const real = unlockedSender(world.chain);
    const labels: string[] = [];
    return {
      ...real,
      labels,
      send: async (call) => {
        const answer = answers[labels.push(call.label) - 1] ?? 'send';
        return answer === 'send' ? real.send(call) : answer;
      },
    };
  };
  const hash = '0x00000000000000000000000000000000000000000000000000000000000000aa';
  /** Refuses every batch. */
  const oneByOne: Pick<BatchPreviewer, 'wouldRun'> = { wouldRun: async () => [] };

  test.each<[string, Sent, number, object]>([
    ['an unknown outcome: nothing more is sent', { outcome: 'unknown', hash }, 1, { unknown: 1 }],
    ['a node that has gone: nothing more is sent', { outcome: 'not_sent' }, 1, { not_sent: 1 }],
    [
      'a signing policy that refuses: the next one is sent',
      { outcome: 'not_allowed', rule: 'gas' },
      2,
      { 'not_allowed.gas': 1, executed: 1 },
    ],
    [
      'a revert in the block: the next one is sent',
      { outcome: 'reverted', hash, block: 1n, gasUsed: 1n },
      2,
      { reverted: 1, executed: 1 },
    ],
  ])('%s', async (_, answer, calls, counts) => {
    await createPlan(world);
    await createPlan(world);
    const sender = answering(answer);
    expect(await tick({ sender, previewer: oneByOne })).toEqual({ plans: 2, due: 2, ...counts });
    expect(sender.labels).toHaveLength(calls);
  });

  // AG-41: the transaction gives no reason, and its simulation succeeded. floor.test.ts has a price that causes this.
  test('a revert in the block is tried again twice in its slot, and not paid for a fourth time', async () => {
    const id = await createPlan(world);
    const reverted: Sent = { outcome: 'reverted', hash, block: 1n, gasUsed: 1n };
    const sender = answering(reverted, reverted, reverted);
    const again = executorTick(executorDeps(world, { sender }));
    for (let times = 0; times < 3; times += 1) {
      expect((await again(going)).counts).toEqual({ plans: 1, due: 1, reverted: 1 });
    }
    expect((await again(going)).counts).toEqual({ plans: 1, due: 0, 'skipped.reverted_before': 1 });
    expect(sender.labels).toHaveLength(3);
    await passTime(3600);
    expect((await again(going)).counts).toEqual({ plans: 1, due: 1, executed: 1 });
    expect(await runsOf(id)).toHaveLength(1);
  });

  test('a deferral that reverts is not paid for again in its slot', async () => {
    await fund(world, owner, 'USDT', '5000000');
    await createPlan(world, { amountPerRun: parseEther('5000000') });
    const sender = answering({ outcome: 'reverted', hash, block: 1n, gasUsed: 1n });
    const again = executorTick(executorDeps(world, { sender }));
    expect((await again(going)).counts).toEqual({ plans: 1, due: 1, reverted: 1 });
    expect((await again(going)).counts).toEqual({ plans: 1, due: 0, 'skipped.reverted_before': 1 });
    expect(sender.labels).toHaveLength(1);
  });

  // WA-6
  describe('a run whose outcome is not known', () => {
    let line: RpcProxy;
    beforeEach(async () => {
      line = await startRpcProxy(world.url);
    });
    afterEach(() => line.stop());

    /** An executor whose sender loses its line at its first broadcast, which arrives or does not. */
    function cutOff(arrives: boolean) {
      let cut = false;
      line.fate = (method) => {
        if (method === 'eth_sendRawTransaction' && !cut) {
          cut = true;
          return arrives ? 'answer_lost' : 'lost';
        }
        return cut ? 'lost' : 'answered';
      };
      const log = keepLog();
      const sender = keeperSender({ ...world, url: line.url }, { receiptSeconds: 3n });
      return { log, next: executorTick(executorDeps(world, { sender, log })) };
    }

    test('is told of in its own round, when the line is back, and not made again', async () => {
      const id = await createPlan(world);
      const { log, next } = cutOff(true);
      const round = next(going);
      await expect.poll(async () => (await runsOf(id)).length).toBe(1);
      line.fate = () => 'answered';
      expect((await round).counts).toEqual({ plans: 1, due: 1, executed: 1 });
      expect(log.lines.filter(({ event }) => event === 'run.executed')).toMatchObject([
        { planId: id, paid: '100 USDT', ownerBefore: { USDT: '1000' }, ownerAfter: { USDT: '900' } },
      ]);
      expect((await next(going)).counts).toEqual({ plans: 1, due: 0, 'skipped.slot_used': 1 });
      expect(await runsOf(id)).toHaveLength(1);
    });

    test('is judged anew when it has been cancelled', async () => {
      const id = await createPlan(world);
      const { log, next } = cutOff(false);
      const round = next(going);
      await expect.poll(() => line.methods.filter((method) => method === 'eth_sendRawTransaction').length).toBe(1);
      // Its verdict is too old by now.
      await new Promise((resolve) => setTimeout(resolve, 3_100));
      line.fate = () => 'answered';
      expect((await round).counts).toEqual({ plans: 1, due: 1, cancelled: 1 });
      expect((await next(going)).counts).toEqual({ plans: 1, due: 1, executed: 1 });
      expect(log.lines.filter(({ event }) => event === 'run.evidence')).toHaveLength(2);
      expect(await runsOf(id)).toHaveLength(1);
    });
  });

  test.each<[Sent, number]>([
    [{ outcome: 'not_sent' }, 15],
    [{ outcome: 'cancelled', hash: '0x12' }, 15],
    [{ outcome: 'would_revert', error: 'unknown_error' }, 15],
  ])('a round in which a run came to %o is followed by another soon', async (sent, nextInSeconds) => {
    await createPlan(world);
    expect(await round({ sender: answering(sent) })).toMatchObject({ nextInSeconds });
  });

  test('a run that the contract refuses is not tried again before its next slot', async () => {
    await createPlan(world);
    const { nextInSeconds } = await round({ sender: answering({ outcome: 'would_revert', error: 'slot_used' }) });
    expect(nextInSeconds).toBeGreaterThan(60);
  });

  test('an agent that is killed while it sends has left its evidence', async () => {
    await createPlan(world);
    const log = keepLog();
    const sender: Sender = { ...unlockedSender(world.chain), send: () => Promise.reject(new Error('killed')) };
    await expect(tick({ log, sender })).rejects.toThrow('killed');
    const [line] = log.lines.filter(({ event }) => event === 'run.evidence');
    expect(line?.evidenceHash).toBe(keccak256(stringToBytes(line?.evidence as string)));
  });

  // AG-73
  test.each([1, 2])(
    'the evidence of %s is kept before anything is sent, and the log has its hash alone',
    async (count) => {
      for (let plan = 0; plan < count; plan++) await createPlan(world);
      const log = keepLog();
      const kept: [hash: string, text: string][] = [];
      const keep = async (hash: string, text: string) => {
        await sleep(200);
        return kept.push([hash, text]) > 0;
      };
      const sender: Sender = {
        ...unlockedSender(world.chain),
        send: () => Promise.reject(new Error(`sent when ${kept.length} was kept`)),
      };
      await expect(tick({ log, sender, evidenceStore: { keep } })).rejects.toThrow(`sent when ${count} was kept`);
      const [[hash, text] = []] = kept;
      expect(hash).toBe(keccak256(stringToBytes(text ?? '')));
      const [line] = log.lines.filter(({ event }) => event === 'run.evidence');
      expect(line).toEqual({ event: 'run.evidence', planId: expect.any(BigInt), verdict: 'GO', evidenceHash: hash });
    },
  );

  test('the evidence of a deferral is kept before it is sent', async () => {
    await fund(world, owner, 'USDT', '5000000');
    await createPlan(world, { amountPerRun: parseEther('5000000') });
    let kept = 0;
    const keep = async () => {
      await sleep(200);
      kept += 1;
      return true;
    };
    const sender: Sender = {
      ...unlockedSender(world.chain),
      send: () => Promise.reject(new Error(`sent when ${kept} was kept`)),
    };
    await expect(tick({ sender, evidenceStore: { keep } })).rejects.toThrow('sent when 1 was kept');
  });

  // AG-73
  test('what the disk does not take, the log does, and the run is made', async () => {
    const id = await createPlan(world);
    const log = keepLog();
    expect(await tick({ log, evidenceStore: { keep: async () => false } })).toMatchObject({ executed: 1 });
    const [line] = log.lines.filter(({ event }) => event === 'run.evidence');
    expect(line?.evidenceHash).toBe(keccak256(stringToBytes(line?.evidence as string)));
    expect(await runsOf(id)).toHaveLength(1);
  });

  test('a sender that throws ends the tick: nobody knows what it has sent', async () => {
    await createPlan(world);
    await createPlan(world);
    let calls = 0;
    const sender: Sender = { ...unlockedSender(world.chain), send: () => Promise.reject(new Error(`call ${++calls}`)) };
    await expect(tick({ sender })).rejects.toThrow('call 1');
    expect(calls).toBe(1);
  });

  test('an owner who pauses while the price is judged: the simulation hears it by name', async () => {
    const id = await createPlan(world);
    const { sources } = executorDeps(world);
    const facts: typeof sources.chain.facts = async (...question) => {
      const answer = await sources.chain.facts(...question);
      const call = { abi: planRegistryAbi, functionName: 'pause', args: [id] } as const;
      await world.chain.send(owner, world.book.own.planRegistry, call);
      return answer;
    };
    const counts = await tick({ sources: { ...sources, chain: { facts } } });
    expect(counts).toEqual({ plans: 1, due: 1, 'would_revert.plan_not_active': 1 });
    expect(await runsOf(id)).toEqual([]);
  });

  test('a plan that cannot be judged leaves the others alone', async () => {
    await fund(world, owner, 'USDT', '1000');
    await createPlan(world, { tokenOut: tokens.ETH });
    const id = await createPlan(world);
    const { sources } = executorDeps(world);
    const limitsOf: Sources['limitsOf'] = (asset) => {
      if (asset.symbol === 'ETH') throw new Error('no limits');
      return sources.limitsOf(asset);
    };
    const { counts, nextInSeconds } = await round({ sources: { ...sources, limitsOf } });
    expect(counts).toEqual({ plans: 2, due: 2, failed: 1, executed: 1 });
    expect(nextInSeconds).toBe(60);
    expect(await runsOf(id)).toHaveLength(1);
  });

  test('a chain that does not answer', async () => {
    const reader = createPlanReader(connectChain('http://127.0.0.1:9'), world.book.own, world.book.assets);
    expect(await tick({ reader })).toEqual({ chain_unavailable: 1 });
  });

  test.each([0, 1])('a chain that falls silent after %i readings of the market: nothing is sent', async (readings) => {
    const id = await createPlan(world);
    await createPlan(world);
    const { sources, prices } = executorDeps(world);
    let asked = 0;
    const silent = <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
      asked += 1;
      if (asked <= readings) return answer();
      return Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
    };
    const facts: typeof sources.chain.facts = (...question) => silent(() => sources.chain.facts(...question));
    const price: typeof prices.price = (...question) => silent(() => prices.price(...question));
    const counts = await tick({ prices: { price }, sources: { ...sources, chain: { facts } } });
    expect(counts).toEqual({ plans: 2, due: 2, chain_unavailable: 1 });
    expect(asked).toBe(readings + 1);
    expect(await runsOf(id)).toEqual([]);
  });

  test('a report that cannot be made: the run stands, and is told with what is known', async () => {
    const id = await createPlan(world);
    const { reader } = executorDeps(world);
    const log = keepLog();
    const lost = () => Promise.reject(new BowlineError('chain_unavailable', 'The chain does not answer.'));
    expect(await tick({ log, reader: { ...reader, balances: lost } })).toMatchObject({ executed: 1 });
    expect(log.lines.map(({ event }) => event)).toEqual(['run.evidence', 'run.executed', 'report.failed']);
    expect(log.lines[1]).toEqual({ event: 'run.executed', planId: id, asset: 'BTCB', hash: expect.any(String) });
  });

  test('a stop between two plans: the second is left for later', async () => {
    await createPlan(world);
    await createPlan(world);
    const stopping = new AbortController();
    const sender = answering();
    const stopsAfterFirst: Sender = {
      ...sender,
      send: (call) => {
        stopping.abort();
        return sender.send(call);
      },
    };
    const deps = executorDeps(world, { sender: stopsAfterFirst, previewer: oneByOne });
    const { counts } = await executorTick(deps)(stopping.signal);
    expect(counts).toEqual({ plans: 2, due: 2, executed: 1 });
  });
});

describe('no slot runs twice', () => {
  /** Waits until this many transactions are pending. */
  const pending = (count: number) =>
    expect.poll(async () => (await world.chain.getTxpoolStatus()).pending, { timeout: 10_000 }).toBe(count);

  test('when two executors send for it into the same block', async () => {
    const { chain } = world;
    const id = await createPlan(world);
    await chain.setAutomine(false);
    const real = unlockedSender(chain);
    const second: Sender = {
      ...real,
      // If both arrive at once, the node gives them the same nonce and accepts only one.
      send: async (call) => {
        await pending(1);
        return real.send(call);
      },
    };
    // On a busy machine the block is late, and a call that is given up would never be mined.
    const first = keeperSender(world, { receiptSeconds: 100n });
    const both = Promise.all([tick({ sender: first }), tick({ sender: second })]);
    await pending(2);
    await chain.mine({ blocks: 1 });
    const counts = await both;
    expect(counts.toSorted((a, b) => (a.executed ?? 0) - (b.executed ?? 0))).toEqual([
      { plans: 1, due: 1, reverted: 1 },
      { plans: 1, due: 1, executed: 1 },
    ]);
    expect(await runsOf(id)).toHaveLength(1);
    expect(await usdt()).toBe(parseEther('900'));
  });

  // What a killed agent leaves behind at each point of a send: it never comes back from the call.
  test.each<[string, boolean, boolean]>([
    ['before it has sent', false, false],
    ['when it has sent and no block has it', true, false],
    ['when it has sent and before it has heard', true, true],
  ])('and none is lost when the executor is killed %s', async (_, sends, mined) => {
    const { chain } = world;
    const id = await createPlan(world);
    const real = unlockedSender(chain);
    await chain.setAutomine(mined);
    let reached = () => {};
    const killed = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const dying: Sender = {
      ...real,
      send: async (call) => {
        if (sends) {
          const sent = real.send(call);
          if (mined) await sent;
          else {
            sent.catch(() => {});
            await pending(1);
          }
        }
        reached();
        return new Promise<never>(() => {});
      },
    };
    void tick({ sender: dying });
    await killed;

    // While it waits for a block, the keeper's nonce is not free.
    if (sends && !mined) expect(await tick()).toEqual({ plans: 1, due: 1, not_sent: 1 });
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    expect(await tick()).toMatchObject(sends ? { 'skipped.slot_used': 1 } : { executed: 1 });
    expect(await tick()).toMatchObject({ 'skipped.slot_used': 1 });
    expect(await runsOf(id)).toHaveLength(1);
    expect(await usdt()).toBe(parseEther('900'));
  });
});

test('the gas set aside for a record is what a record takes', async () => {
  await fund(world, owner, 'USDT', '5000100');
  await createPlan(world, { windowSeconds: 600 });
  await createPlan(world, { amountPerRun: parseEther('5000000') });
  const used = new Map<string, bigint>();
  const real = unlockedSender(world.chain);
  const sender: Sender = {
    ...real,
    send: async (call) => {
      const sent = await real.send(call);
      if (sent.outcome === 'confirmed') used.set(call.label.split(' ')[0] ?? '', sent.gasUsed);
      return sent;
    },
  };
  expect(await tick({ sender })).toMatchObject({ executed: 1, deferred: 1 });
  const [run = 0n, deferral = 0n] = [used.get('execute'), used.get('defer')];
  expect(run).toBeLessThan(gasOfRecord.executed);
  expect(deferral).toBeLessThan(gasOfRecord.deferred);
  // If far more were set aside, an owner's day would end too early.
  expect(run * 2n).toBeGreaterThan(gasOfRecord.executed);
  expect(deferral * 2n).toBeGreaterThan(gasOfRecord.deferred);
});

// AG-82
test("a slot that is another worker's is left alone for its head start, and then run if it is still open", async () => {
  const planId = await createPlan(world);
  const at = { ms: 0 };
  const turns = createTurns<DuePlan>(
    { occasion: ({ plan }) => `${plan.id}`, rank: () => 1, headStartMs: () => 60_000 },
    { now: () => at.ms },
  );
  const run = executorTick(executorDeps(world, { turns }));
  const left = await run(going);
  expect(left).toEqual({ counts: { plans: 1, due: 0, 'skipped.left_to_others': 1 }, nextInSeconds: 60 });
  at.ms = 50_000;
  expect(await run(going)).toMatchObject({ counts: { due: 0 }, nextInSeconds: 15 });
  expect(await runsOf(planId)).toEqual([]);
  at.ms = 60_000;
  expect((await run(going)).counts).toMatchObject({ due: 1, executed: 1 });
  expect(await runsOf(planId)).toHaveLength(1);
});
