import { connectChain } from '@bowline/chain/chain-client';
import { createBatchPreviewer } from '@bowline/chain/rescue-calls';
import type { Call, Sender } from '@bowline/core/domain/sending';
import { mulDivUp, WAD } from '@bowline/core/domain/units';
import { decodeFunctionData, type Hex, parseEther, parseGwei, slice } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { sendTransaction } from 'viem/actions';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { swapExecutorAbi } from '../../../../abis/index.ts';
import { walletOf } from '../../../../lab/world/account-abstraction.ts';
import { feeds } from '../../../../lab/world/addresses.ts';
import { localChainId } from '../../../../lab/world/fork.ts';
import { setPrice } from '../../../../lab/world/oracle.ts';
import { priceUsd8 } from '../../../../lab/world/prices.ts';
import { alice, bob } from '../../../../test/local/accounts.ts';
import { executorTick } from '../../../src/loops/executor/tick.ts';
import { createTicketSigner } from '../../../src/process/ticket-signer.ts';
import { openKeeper } from '../../../src/sending/keeper.ts';
import { sendingOn } from '../../sending/sending.ts';
import {
  anyPrice,
  createPlan,
  type DeployedChain,
  endSenders,
  executorDeps,
  fund,
  keeper,
  keeperSender,
  keepLog,
  type Logged,
  owner,
  startDeployedChain,
  trade,
  unlockedSender,
} from '../world.ts';

// The verdict's price as the floor of the run that it was reached for, on the real pool: IT-4, AG-41.

const signer = privateKeyToAccount(`0x${'5'.repeat(64)}`);
const going = new AbortController().signal;

/** A sender that records its calls. */
function watched(real: Sender): Sender & { readonly sent: Call[] } {
  const sent: Call[] = [];
  const send: Sender['send'] = (call) => {
    sent.push(call);
    return real.send(call);
  };
  return { ...real, sent, send };
}

const ticketsOf = (calls: readonly Call[]): { planId: bigint; ticket: { maxPriceWad: bigint; evidenceHash: Hex } }[] =>
  calls.flatMap(({ data }) => {
    const { functionName, args } = decodeFunctionData({ abi: swapExecutorAbi, data });
    if (functionName === 'execute') return [{ planId: args[0], ticket: args[2] }];
    return functionName === 'executeBatch' ? [...args[0]] : [];
  });

/** The price of the quote in a verdict's evidence, plus 0.2 % of headroom. */
function priceOf(line: Logged | undefined): bigint {
  const { quote } = JSON.parse(line?.evidence as string).proposal.chain;
  return mulDivUp(BigInt(quote.amountIn) * 10_020n, WAD, BigInt(quote.amountOut) * 10_000n);
}

/** Each plan has run once, above its own floor and at the price of the very verdict that sent it. */
async function expectTheVerdictsFloor(world: DeployedChain, ids: bigint[], calls: readonly Call[], log: Logged[]) {
  const { reader } = executorDeps(world);
  const tickets = new Map(ticketsOf(calls).map(({ planId, ticket }) => [planId, ticket]));
  expect([...tickets.keys()].toSorted()).toEqual(ids);
  for (const id of ids) {
    const ticket = tickets.get(id);
    const maxPriceWad = ticket?.maxPriceWad ?? 0n;
    expect(maxPriceWad).toBeGreaterThan(0n);
    expect(maxPriceWad).toBe(priceOf(log.findLast(({ event, planId }) => event === 'run.evidence' && planId === id)));
    const runs = await reader.runs(id, 0, 10);
    expect(runs).toMatchObject([{ outcome: 'executed', evidencePrefix: slice(ticket?.evidenceHash ?? '0x', 0, 19) }]);
    expect(runs[0]?.floor).toBe(mulDivUp(parseEther('100'), WAD, maxPriceWad));
    // The plan's own floor: 100 USDT at 100,000, less 1 %.
    expect(runs[0]?.floor).toBeGreaterThan(parseEther('0.00099'));
  }
}

let byKey: DeployedChain;
beforeAll(async () => {
  byKey = await startDeployedChain();
});
afterAll(() => byKey?.stop());

describe('by the plain key', () => {
  let world: DeployedChain;
  let clean: `0x${string}`;
  beforeEach(async () => {
    world = byKey;
    clean = await world.chain.snapshot();
    await fund(world, owner, 'USDT', '5000');
  });
  afterEach(async () => {
    await endSenders();
    await world.chain.revert({ id: clean });
  });

  const tickets = () => createTicketSigner(signer, localChainId, world.book.own.planRegistry);
  const started = (changes: object) => {
    const next = executorTick(executorDeps(world, changes));
    return () => next(going);
  };
  const runsOf = (planId: bigint) => executorDeps(world).reader.runs(planId, 0, 100);

  /** Moves the pool by about 0.3 %: more than a ticket allows, less than the checks or the plan would refuse. */
  const push = () => trade(world.chain, 'USDT', 'BTCB', parseEther('150000'));

  async function nextSlot(): Promise<void> {
    const { chain } = world;
    await chain.increaseTime({ seconds: 3_600 });
    await chain.mine({ blocks: 1 });
    for (const symbol of Object.keys(feeds) as (keyof typeof feeds)[]) {
      await setPrice(chain, bob, symbol, priceUsd8[symbol]);
    }
  }

  /** Somebody trades between the simulation, which succeeds, and the block. */
  function overtaken(by: () => Promise<unknown>): Sender & { readonly sent: Call[] } {
    const { chain } = world;
    return watched({
      ...unlockedSender(chain),
      async send({ to, data, gas }) {
        await chain.call({ account: keeper, to, data, gas });
        await by();
        const hash = await sendTransaction(chain, { account: keeper, chain: null, to, data, gas });
        const mined = await chain.receiptOf(hash);
        const { status, blockNumber: block, gasUsed, logs: events } = mined;
        return status === 'success'
          ? { outcome: 'confirmed', hash, block, gasUsed, events }
          : { outcome: 'reverted', hash, block, gasUsed };
      },
    });
  }

  test.each([
    ['a plan without a signer', [{}]],
    ['a plan with a signer', [{ verdictSigner: signer.address }]],
    ['a plan with a limit price alone', [anyPrice]],
    ['plans of all kinds in one transaction', [{}, { verdictSigner: signer.address }, anyPrice, {}]],
  ])('the floor on chain is the price of the verdict: %s', async (_, kinds) => {
    const ids: bigint[] = [];
    for (const kind of kinds) ids.push(await createPlan(world, kind));
    const [sender, log] = [watched(keeperSender(world)), keepLog()];
    const { counts } = await started({ sender, log, tickets: [tickets()] })();
    expect(counts).toMatchObject({ executed: kinds.length });
    expect(sender.sent).toHaveLength(1);
    await expectTheVerdictsFloor(world, ids, sender.sent, log.lines);
  });

  test('a price that moves before the simulation: nothing is paid for, and the run is made at the new price soon', async () => {
    const id = await createPlan(world);
    const real = keeperSender(world);
    let pushes = 1;
    const sender: Sender = {
      ...real,
      send: async (call) => {
        if (pushes-- > 0) await push();
        return real.send(call);
      },
    };
    const next = started({ sender });
    const nonce = await world.chain.getTransactionCount({ address: keeper });
    expect(await next()).toEqual({
      counts: { plans: 1, due: 1, 'would_revert.floor_not_met': 1 },
      nextInSeconds: 15,
    });
    expect(await world.chain.getTransactionCount({ address: keeper })).toBe(nonce);
    expect(await next()).toMatchObject({ counts: { plans: 1, due: 1, executed: 1 } });
    expect(await runsOf(id)).toHaveLength(1);
  });

  test('a price that moves before the block: the run takes nothing, is judged anew and made', async () => {
    const id = await createPlan(world);
    let pushes = 1;
    const sender = overtaken(async () => (pushes-- > 0 ? push() : undefined));
    const next = started({ sender });
    expect(await next()).toEqual({ counts: { plans: 1, due: 1, reverted: 1 }, nextInSeconds: 15 });
    expect(await runsOf(id)).toEqual([]);
    expect((await next()).counts).toEqual({ plans: 1, due: 1, executed: 1 });
    const [first, second] = ticketsOf(sender.sent);
    expect(second?.ticket.maxPriceWad).toBeGreaterThan(first?.ticket.maxPriceWad ?? 0n);
    expect(await runsOf(id)).toMatchObject([
      { floor: mulDivUp(parseEther('100'), WAD, second?.ticket.maxPriceWad ?? 1n) },
    ]);
  });

  test.each([
    ['alone', 1],
    ['in a batch', 3],
  ])('whoever moves the pool each time has the keeper pay three times in a slot and no more: %s', async (_, count) => {
    const ids: bigint[] = [];
    while (ids.length < count) ids.push(await createPlan(world));
    const log = keepLog();
    let bought = 0n;
    const sender = overtaken(async () => {
      bought = await push();
    });
    const next = started({ sender, log });
    for (const nextInSeconds of [15, 15, undefined]) {
      const round = await next();
      expect(round.counts).toEqual({ plans: count, due: count, reverted: count });
      if (nextInSeconds !== undefined) expect(round.nextInSeconds).toBe(nextInSeconds);
      await trade(world.chain, 'BTCB', 'USDT', bought);
    }
    expect((await next()).counts).toEqual({ plans: count, due: 0, 'skipped.reverted_before': count });
    expect(sender.sent).toHaveLength(3);
    const failures = log.lines.filter(({ event }) => event === 'run.failed');
    expect(failures.map(({ reason }) => reason)).toEqual(count === 1 ? [] : Array(3 * count).fill('floor_not_met'));
    for (const id of ids) expect(await runsOf(id)).toEqual([]);

    await nextSlot();
    expect((await started({ sender: keeperSender(world) })()).counts).toMatchObject({ executed: count });
  });

  test('a limit price below the market is tried by nobody, and looked at every minute', async () => {
    await createPlan(world, {
      priceSource: anyPrice.priceSource,
      maxSlippageBps: 0,
      limitPriceWad: parseEther('99000'),
    });
    const next = started({ sender: keeperSender(world) });
    for (let round = 0; round < 4; round++) {
      const { counts, nextInSeconds } = await next();
      expect(counts).toEqual({ plans: 1, due: 1, 'skipped.limit_not_reached': 1 });
      expect(nextInSeconds).toBe(60);
    }
  });
});

describe('by the wallet', () => {
  let world: DeployedChain;
  beforeAll(async () => {
    world = await startDeployedChain({ operator: await walletOf(byKey.chain, alice) });
  });
  afterAll(() => world?.stop());

  test('the floor on chain is the price of the verdict, alone and together', async () => {
    const { chain, book, url } = world;
    await chain.setBalance({ address: await walletOf(chain, alice), value: parseEther('10') });
    await fund(world, owner, 'USDT', '1000');
    const log = keepLog();
    const { sender: real } = await openKeeper({
      ...sendingOn(connectChain(url), log),
      book,
      rescuers: [],
      // Anvil's second account. The key is public.
      account: privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
      chainId: localChainId,
      gasBounds: {
        maxGasPriceWei: parseGwei('5'),
        rescueMaxGasPriceWei: parseGwei('20'),
        maxDayWei: parseEther('100'),
      },
    });
    const sender = watched(real);
    const tickets = createTicketSigner(signer, localChainId, book.own.planRegistry);
    const previewer = createBatchPreviewer(connectChain(url), sender.address);
    const tick = async () =>
      (await executorTick(executorDeps(world, { sender, previewer, log, tickets: [tickets] }))(going)).counts;
    const alone = await createPlan(world);
    expect(await tick()).toMatchObject({ executed: 1 });
    const together = [await createPlan(world), await createPlan(world, { verdictSigner: signer.address })];
    expect(await tick()).toMatchObject({ executed: 2 });
    expect(sender.sent).toHaveLength(2);
    await expectTheVerdictsFloor(world, [alone, ...together], sender.sent, log.lines);
  });
});
