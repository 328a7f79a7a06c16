import { connectChain } from '@bowline/chain/chain-client';
import { createMarketReader } from '@bowline/chain/market-reader';
import { networkCost } from '@bowline/chain/network-cost';
import { toBarePlan } from '@bowline/chain/plan';
import { createPublicClient, encodeFunctionData, type Hex, http, parseEther, zeroHash } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { planRegistryAbi, swapExecutorAbi } from '../../abis/index.ts';
import { unsignedGo } from '../../agent/test/unsigned.ts';
import { keeper } from '../../lab/world/deployment.ts';
import { localChainId } from '../../lab/world/fork.ts';
import { type DeployedChain, startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { approve, balance, carol, give } from '../../test/local/accounts.ts';
import { approveStep } from '../app/chain/approve.ts';
import { type RunSimulation, simulateRun } from '../app/chain/simulate-run.ts';
import { createCall, type PlanDraft, termsOf } from '../app/plans/draft-plan.ts';
import { readCost } from '../app/plans/own-cost.ts';
import { failureOf } from '../app/words/contract-errors.ts';
import { pageOf } from '../server/page.ts';
import { pathOver } from '../validate-offer.ts';
import type { PageConfig } from '../wire.ts';

// The simulation that the page shows before a plan is signed, compared with the same run made for real. Real chain and
// contracts, no browser.

let world: DeployedChain;
let settings: PageConfig;
let clean: Hex;

beforeAll(async () => {
  world = await startDeployedChain();
  settings = pageOf(world.book, { chainId: localChainId, rpcUrl: world.url } as never);
}, 180_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  clean = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: clean }));

const client = () => createPublicClient({ transport: http(world.url), cacheTime: 0 });
const asset = (symbol: string) => {
  const found = settings.assets.find((each) => each.symbol === symbol);
  if (found === undefined) throw new Error(`no ${symbol}`);
  return found;
};

const drafted = (changes: Partial<PlanDraft> & { readonly symbol?: string } = {}): PlanDraft => {
  const { symbol = 'BTCB', ...rest } = changes;
  return {
    ...{ pay: asset('USDT'), buy: asset(symbol), amountPerRun: parseEther('100'), periodSeconds: 3_600n, maxRuns: 3n },
    ...{ maxSlippageBps: 100n, limitPrice: undefined, stopPrice: undefined, hasSpareTime: true, isSale: false },
    ...{ validSeconds: undefined, ...rest },
  };
};

/** What the page would ask the wallet for, and its simulation. */
async function simulated(draft: PlanDraft) {
  const { timestamp } = await world.chain.getBlock();
  const terms = termsOf(draft, settings, carol, timestamp);
  const total = draft.amountPerRun * draft.maxRuns;
  const steps = [
    approveStep('Approve', draft.pay.address, settings.contracts.planRegistry, total),
    createCall(settings, terms),
  ];
  return { steps, told: await simulateRun(client(), settings, { terms, before: steps, plan: undefined }) };
}

/** The route that the agent itself chooses. */
async function agentsPath({ pay, buy, isSale, amountPerRun }: PlanDraft): Promise<Hex> {
  const { chain, book } = world;
  const seconds = (await chain.getBlock()).timestamp;
  const reader = createMarketReader(connectChain(world.url, true), book, { now: () => Number(seconds) * 1_000 });
  const [paid, bought] = [pay, buy].map((token) => book.assets.find(({ symbol }) => symbol === token.symbol) as never);
  const [full, quote] = isSale ? [paid, bought] : [bought, paid];
  const facts = await reader.facts(full as never, quote as never, isSale ? 'sell' : 'buy', { paid: amountPerRun });
  const found = 'route' in facts ? facts.route : undefined;
  if (found === undefined) throw new Error(`the agent found no route: ${JSON.stringify(facts, (_, v) => String(v))}`);
  const hop = (tokenOut: string, feeMillionths: number) => ({
    feeMillionths,
    token: settings.assets.find(
      ({ address }) => address.toLowerCase() === tokenOut.toLowerCase(),
    ) as PageConfig['assets'][0],
  });
  return pathOver(
    pay,
    found.map(({ tokenOut, feeMillionths }) => hop(tokenOut, feeMillionths)),
  );
}

/** The same run for real: the owner's transactions, then the operator's. */
async function real(draft: PlanDraft, steps: readonly { readonly to: Hex; readonly data: Hex }[], path: Hex) {
  const { chain, book } = world;
  for (const { to, data } of steps) await chain.sendRaw(carol, to, data);
  const { planRegistry, swapExecutor } = book.own;
  const registry = { address: planRegistry, abi: planRegistryAbi } as const;
  const id = await chain.readContract({ ...registry, functionName: 'planCount' });
  const ticket = { ...unsignedGo(zeroHash), tokenIn: draft.pay.address, tokenOut: draft.buy.address };
  const data = encodeFunctionData({
    ...{ abi: swapExecutorAbi, functionName: 'execute', args: [id, 1n, ticket, '0x', path] },
  });
  const failure = await chain.call({ account: keeper, to: swapExecutor, data }).then(() => undefined, failureOf);
  if (failure) return { failure };
  await chain.sendRaw(keeper, swapExecutor, data);
  const [record] = await chain.readContract({ ...registry, functionName: 'runs', args: [id, 0n, 1n] });
  return { record, held: await balance(chain, carol, draft.pay.address) };
}

/** A plan with these terms behaves as it was simulated, whether its run happens or not. */
async function matches(draft: PlanDraft): Promise<RunSimulation['state']> {
  const { steps, told } = await simulated(draft);
  if (told.state === 'refused') {
    await expect(real(draft, steps, '0x')).rejects.toThrow('reverted');
    return told.state;
  }
  const path = await agentsPath(draft);
  const { record, held, failure } = await real(draft, steps, path);
  if (told.state === 'no_run') {
    expect(failure).toEqual(told.failure);
    return told.state;
  }
  expect(pathOver(draft.pay, told.route)).toBe(path);
  expect({ amountIn: told.amountIn, amountOut: told.amountOut, floor: told.floor, held: told.held }).toEqual({
    ...{ amountIn: record?.amountIn, amountOut: record?.amountOut, floor: record?.floor, held },
  });
  return told.state;
}

test('WB-40: a plan’s next run is simulated to the unit: what it pays, receives and leaves', async () => {
  await give(world.chain, carol, 'USDT', '10000');
  const { steps, told } = await simulated(drafted());
  expect(told).toMatchObject({
    ...{ state: 'run', amountIn: parseEther('100'), held: parseEther('9900'), allowed: parseEther('200') },
  });
  expect(await matches(drafted({ symbol: 'ETH', amountPerRun: parseEther('123.456') }))).toBe('run');
  // The simulation changed nothing on chain.
  const cost = await networkCost(client(), carol, steps);
  expect(cost?.gas).toBeGreaterThan(100_000n);
  expect(cost?.wei).toBeGreaterThan(0n);
});

test('WB-40, WB-300: so is a sale’s, and one below its limit price does not happen', async () => {
  await give(world.chain, carol, 'BTCB', '1');
  const sale = { pay: asset('BTCB'), buy: asset('USDT'), isSale: true, amountPerRun: parseEther('0.01') };
  expect(await matches(drafted({ ...sale, limitPrice: parseEther('50000') }))).toBe('run');
  expect(await matches(drafted({ ...sale, limitPrice: parseEther('200000') }))).toBe('no_run');
  expect(await matches(drafted({ ...sale, stopPrice: parseEther('200000') }))).toBe('run');
  expect(await matches(drafted({ ...sale, stopPrice: parseEther('50000') }))).toBe('no_run');
});

test('WB-298: the size that would pass does, and half as much more does not', async () => {
  const { timestamp } = await world.chain.getBlock();
  const costOf = (amountPerRun: bigint) => {
    const terms = termsOf(drafted({ amountPerRun }), settings, carol, timestamp);
    const state = { status: 1, cursor: 0, runs: 0, records: 0, deferrals: 0, lastReason: 0, version: 1, epoch: 0n };
    return readCost(client(), settings, toBarePlan(1n, { terms, state, isRevoked: false }));
  };
  const large = await costOf(parseEther('20000000'));
  expect(large?.bps).toBeGreaterThan(40n);
  expect(large?.limitBps).toBe(40n);
  const passes = large?.passes ?? 0n;
  expect(passes).toBeGreaterThan(parseEther('1000'));
  expect(await costOf(passes)).toMatchObject({ passes: undefined });
  expect((await costOf(passes))?.bps).toBeLessThanOrEqual(40n);
  expect((await costOf((passes * 3n) / 2n))?.bps).toBeGreaterThan(40n);
});

test('WB-40: why the run would not happen is what the contracts would say', async () => {
  await give(world.chain, carol, 'USDT', '10000');
  const tooDear = drafted({ limitPrice: parseEther('1000') });
  expect(await matches(tooDear)).toBe('no_run');
  const unpaid = drafted({ amountPerRun: parseEther('10001'), maxRuns: 1n });
  const { told } = await simulated(unpaid);
  expect(told).toMatchObject({ state: 'no_run', failure: { kind: 'refused' } });
  // Refused by the registry itself: a plan that has ended before it begins.
  const ended = drafted({ periodSeconds: 30n });
  expect(await matches(ended)).toBe('refused');
});

test('WB-40: a plan that stands is simulated with the approval that its owner has left', async () => {
  const { chain, book } = world;
  await give(chain, carol, 'USDT', '10000');
  const { steps } = await simulated(drafted());
  for (const { to, data } of steps) await chain.sendRaw(carol, to, data);
  const { timestamp } = await chain.getBlock();
  const terms = { ...termsOf(drafted(), settings, carol, timestamp) };
  const plan = { id: 1n, version: 1, records: 0 };
  const again = () => simulateRun(client(), settings, { terms, before: [], plan });
  expect(await again()).toMatchObject({ state: 'run', allowed: parseEther('200') });
  await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('99'));
  expect(await again()).toMatchObject({ state: 'no_run', failure: { kind: 'refused' } });
});

test('WB-40: a node that takes no state overrides gives no simulation', async () => {
  const { timestamp } = await world.chain.getBlock();
  const terms = termsOf(drafted(), settings, carol, timestamp);
  const deaf = client().extend(() => ({}));
  const call = deaf.call.bind(deaf);
  deaf.call = ({ stateOverride: _, ...asked }) => call(asked as never);
  await expect(simulateRun(deaf, settings, { terms, before: [], plan: undefined })).rejects.toThrow();
});

/** Seeded, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state / 2 ** 32;
  }
}

test('WB-40: 100 plans at random are simulated as they then run', { tags: 'long', timeout: 600_000 }, async () => {
  const random = numbers(20_261_123);
  const next = () => random.next().value as number;
  const states: Record<string, number> = {};
  for (let plan = 0; plan < 100; plan++) {
    const before = await world.chain.snapshot();
    await give(world.chain, carol, 'USDT', String(Math.ceil(next() * 200_000)));
    // From a dollar to a hundred thousand, evenly by magnitude.
    const amountPerRun = parseEther((10 ** (next() * 5)).toFixed(6));
    const symbol = ['BTCB', 'ETH', 'WBNB', 'USDC'][Math.floor(next() * 4)] as string;
    const price = { BTCB: 100_000, ETH: 4_000, WBNB: 800, USDC: 1 }[symbol] as number;
    const limitPrice = next() < 0.3 ? parseEther((price * (0.97 + next() * 0.06)).toFixed(6)) : undefined;
    const maxSlippageBps = [50n, 100n, 200n][Math.floor(next() * 3)] as bigint;
    const state = await matches(drafted({ symbol, amountPerRun, maxSlippageBps, limitPrice })).catch((cause) => {
      throw new Error(`plan ${plan}: ${amountPerRun} for ${symbol}`, { cause });
    });
    states[state] = (states[state] ?? 0) + 1;
    await world.chain.revert({ id: before });
  }
  expect(states.run).toBeGreaterThan(40);
  expect(states.no_run).toBeGreaterThan(5);
});
