import { readFileSync } from 'node:fs';
import EntryPoint08 from '@account-abstraction/contracts-08/artifacts/EntryPoint.json' with { type: 'json' };
import AccountFactory08 from '@account-abstraction/contracts-08/artifacts/SimpleAccountFactory.json' with {
  type: 'json',
};
import { connectChain } from '@bowline/chain/chain-client';
import { createBatchPreviewer } from '@bowline/chain/rescue-calls';
import {
  type Abi,
  type Address,
  custom,
  encodeFunctionData,
  type Hex,
  maxUint128,
  parseAbi,
  parseEther,
  parseGwei,
  type Transport,
  toHex,
  zeroAddress,
} from 'viem';
import {
  entryPoint08Abi,
  formatUserOperation,
  type RpcUserOperation,
  toPackedUserOperation,
} from 'viem/account-abstraction';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { swapExecutorAbi } from '../../../../abis/index.ts';
import type { Artifact } from '../../../../lab/world/artifacts.ts';
import { localChainId } from '../../../../lab/world/fork.ts';
import { bob } from '../../../../test/local/accounts.ts';
import { executorTick } from '../../../src/loops/executor/tick.ts';
import { type Keeper, openKeeper } from '../../../src/sending/keeper.ts';
import type { Operation } from '../../../src/sending/wallet/account.ts';
import { headsOf, sendingOn } from '../../sending/sending.ts';
import { createPlan, type DeployedChain, executorDeps, fund, keepLog, owner, startDeployedChain } from '../world.ts';

// AG-41, AG-18: a stranger who submits the wallet's operations in the middle of runs of their own, as EntryPoint 0.8 lets
// anybody do. Its authors' code, with the agent's own sending and executor: the agent must survive what 0.9 prevents.

/** Anvil's second account, which owns the wallet, and its third, which may name the operator. */
const key = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const rotator: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const stranger = bob;
/** Receives the payment for the stranger's work, and nothing else. */
const beneficiary: Address = '0x00000000000000000000000000000000000bEEf1';
const entryPoint: Address = '0x0000000000000000000000000000000000433708';
const accountFactory: Address = '0x0000000000000000000000000000000000433709';
const going = new AbortController().signal;

const artifactOf = (name: string): Artifact => {
  const file = new URL(`../../../../out/${name}.sol/${name}.json`, import.meta.url);
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8'));
  return { abi, bytecode: bytecode.object };
};

let world: DeployedChain;
let clean: Hex;
let wallet: Address;
let keeper: Keeper;
let heads: ReturnType<typeof headsOf>;
/** Every operation is captured while this is true. */
let isHostile: boolean;
let captured: number;
let maxDayWei: bigint;
let log: ReturnType<typeof keepLog>;

beforeAll(async () => {
  world = await startDeployedChain();
  const { chain, book } = world;
  await chain.place(entryPoint, EntryPoint08 as unknown as Artifact, [], stranger);
  await chain.place(accountFactory, AccountFactory08 as unknown as Artifact, [entryPoint], stranger);
  const abi = parseAbi(['function getAddress(address owner, uint256 salt) view returns (address)']);
  wallet = await chain.readContract({
    address: accountFactory,
    abi,
    functionName: 'getAddress',
    args: [key.address, 0n],
  });
  await chain.setBalance({ address: wallet, value: parseEther('10') });
  const executor = book.own.swapExecutor;
  await chain.send(rotator, executor, { abi: swapExecutorAbi, functionName: 'proposeOperator', args: [wallet] });
  await chain.impersonateAccount({ address: wallet });
  await chain.send(wallet, executor, { abi: swapExecutorAbi, functionName: 'acceptOperator', args: [] });
  // An account that has sent anything could no longer be created.
  await chain.setNonce({ address: wallet, nonce: 0 });
  await fund(world, owner, 'USDT', '5000000');
});
afterAll(() => world?.stop());

beforeEach(async () => {
  const { chain } = world;
  clean = await chain.snapshot();
  isHostile = true;
  captured = 0;
  log = keepLog();
  maxDayWei = parseEther('100');
  return async () => {
    await keeper?.stop();
    heads?.stop();
    await chain.revert({ id: clean });
  };
});

async function started(changes: object = {}) {
  const { book, url } = world;
  const client = connectChain(url);
  heads = headsOf(client, log);
  keeper = await openKeeper({
    ...sendingOn(client, log),
    heads,
    book: { ...book, accountAbstraction: { entryPoint, accountFactory } },
    rescuers: [],
    account: key,
    chainId: localChainId,
    gasBounds: { maxGasPriceWei: parseGwei('5'), rescueMaxGasPriceWei: parseGwei('20'), maxDayWei },
    bundlerUrls: [bundler],
  });
  const previewer = createBatchPreviewer(client, wallet);
  const next = executorTick(executorDeps(world, { sender: keeper.sender, previewer, log, ...changes }));
  return () => next(going);
}

/** Takes operations as a bundler does, and includes them honestly or not. */
const bundler: Transport = custom(
  {
    async request({ method, params }: { method: string; params: readonly [RpcUserOperation] }) {
      if (method !== 'eth_sendUserOperation') throw new Error('It keeps nothing.');
      const operation = formatUserOperation(params[0]) as unknown as Operation;
      const args = [[toPackedUserOperation(operation)], beneficiary] as const;
      const data = encodeFunctionData({ abi: entryPoint08Abi, functionName: 'handleOps', args });
      if (isHostile) await capture(data);
      else await world.chain.sendRaw(stranger, entryPoint, data);
      return toHex(0, { size: 32 });
    },
  },
  { retryCount: 0 },
);

/** Opens a run of a worthless plan of the stranger's, and submits the operation in the middle of it. */
async function capture(submission: Hex): Promise<void> {
  const { chain, book } = world;
  captured += 1;
  const own = (what: number): Address => toHex(0x5000_0000 + 16 * captured + what, { size: 20 });
  const [thief, tokenIn, tokenOut] = [own(1), own(2), own(3)] as const;
  const [scripted, token] = [artifactOf('ScriptedExecutor'), artifactOf('MockERC20')];
  const call = (to: Address, { abi }: { abi: Abi }, functionName: string, ...args: unknown[]) =>
    chain.send(stranger, to, { abi, functionName, args });
  await chain.place(thief, scripted, [book.own.planRegistry], stranger);
  for (const at of [tokenIn, tokenOut]) await chain.place(at, token, ['T', 18], stranger);
  await call(tokenIn, token, 'mint', stranger, 1n);
  await call(tokenIn, token, 'approve', book.own.planRegistry, 1n);
  await call(tokenOut, token, 'mint', thief, 1n);
  await call(thief, scripted, 'setAmountOut', 1n);
  const terms = { owner: stranger, recipient: stranger, executor: thief, tokenIn, tokenOut, amountPerRun: 1n };
  const planId = await createPlan(world, {
    ...terms,
    ...{ priceSource: zeroAddress, limitPriceWad: maxUint128, maxSlippageBps: 0, farLimit: true },
  });
  await call(thief, scripted, 'beforeDelivery', entryPoint, submission);
  const claim = { verdict: 3, evidenceHash: toHex(1, { size: 32 }) };
  await call(thief, scripted, 'run', planId, claim, '0x');
}

const plans = async (count: number, changes: object = {}): Promise<bigint[]> => {
  const ids: bigint[] = [];
  while (ids.length < count) ids.push(await createPlan(world, changes));
  return ids;
};
const runsOf = (id: bigint) => executorDeps(world).reader.runs(id, 0, 100);
const reasons = () => log.lines.filter(({ event }) => event === 'run.failed').map(({ reason }) => reason);
/** One owner's daily gas: exactly this many runs, so none of it may be charged for the stranger's work. */
const gasFor = (count: number) => ({
  policy: { ...executorDeps(world).policy, gasPerOwnerPerDay: 450_000n * BigInt(count) },
});

// AG-41
test.each([
  ['in a batch', 3],
  ['alone', 1],
])('runs that a stranger captures are made in the same slot, and no owner is charged: %s', async (_, count) => {
  const next = await started(gasFor(count));
  const ids = await plans(count);
  for (const round of [1, 2, 3, 4, 5]) {
    const { counts, nextInSeconds } = await next();
    expect(counts).toMatchObject({ due: count, reverted: count });
    expect(nextInSeconds).toBe(15);
    expect(captured).toBe(round);
    for (const id of ids) expect(await runsOf(id)).toEqual([]);
  }
  expect(await world.chain.getBalance({ address: beneficiary })).toBeGreaterThan(0n);
  if (count > 1) expect(reasons()).toEqual(Array(5 * count).fill('run_open'));
  else
    expect(log.lines.filter(({ event }) => event === 'call.reverted')).toMatchObject(
      Array(5).fill({ error: 'run_open' }),
    );
  isHostile = false;
  expect((await next()).counts).toMatchObject({ due: count, executed: count });
  for (const id of ids) expect(await runsOf(id)).toMatchObject([{ outcome: 'executed' }]);
});

// AG-41
test('a deferral that a stranger captures is recorded in the same slot, and not charged', async () => {
  const next = await started();
  // A trade of this size moves the price too far.
  const [id = 0n] = await plans(1, { amountPerRun: parseEther('5000000') });
  expect(await next()).toMatchObject({ counts: { due: 1, reverted: 1 }, nextInSeconds: 15 });
  expect(await runsOf(id)).toEqual([]);
  isHostile = false;
  expect((await next()).counts).toMatchObject({ due: 1, deferred: 1 });
  expect(await runsOf(id)).toMatchObject([{ outcome: 'deferred' }]);
});

// AG-18
test('a stranger who never stops costs the wallet no more than its share of the day', async () => {
  maxDayWei = parseEther('0.01');
  const next = await started();
  await plans(1);
  const before = await world.chain.getBalance({ address: wallet });
  let rounds = 0;
  let counts: Awaited<ReturnType<typeof next>>['counts'] = {};
  for (; counts['not_allowed.gas_day'] === undefined && rounds < 30; rounds++) {
    let nextInSeconds: number | undefined;
    ({ counts, nextInSeconds } = await next());
    expect(nextInSeconds ?? 15).toBeGreaterThanOrEqual(15);
  }
  expect(counts).toMatchObject({ due: 1, 'not_allowed.gas_day': 1 });
  expect(captured).toBe(rounds - 1);
  expect(captured).toBeGreaterThan(0);
  const paid = before - (await world.chain.getBalance({ address: wallet }));
  expect(paid).toBeLessThanOrEqual(maxDayWei / 2n);
});
