import { setTimeout as sleep } from 'node:timers/promises';
import { connectChain } from '@bowline/chain/chain-client';
import { createPlanReader } from '@bowline/chain/plan-reader';
import type { Log } from '@bowline/core/domain/log';
import type { Plan } from '@bowline/core/domain/permissions';
import { pathOf } from '@bowline/core/domain/route';
import type { Call, Calls, Order, Sender } from '@bowline/core/domain/sending';
import type { Hex } from '@bowline/core/domain/units';
import { clock, timers } from '@bowline/http/clock';
import { encodeFunctionData, keccak256, parseEther, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planRegistryAbi } from '../../../../abis/index.ts';
import { accountAbstraction } from '../../../../lab/world/addresses.ts';
import { type Bundler, startBundler } from '../../../../lab/world/bundler.ts';
import { localChainId, startLocalChain } from '../../../../lab/world/fork.ts';
import { createPlan, type DeployedChain, startDeployedChain } from '../../../../packages/chain/test/deployed-chain.ts';
import { type RpcProxy, startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { alice, approve, carol, give } from '../../../../test/local/accounts.ts';
import { freePort } from '../../../../test/local/free-port.ts';
import { createCalls, type GasBounds, keeperCalls } from '../../../src/sending/calls.ts';
import { createSender } from '../../../src/sending/eoa/sender.ts';
import { carrying, openKeeper } from '../../../src/sending/keeper.ts';
import { createKeyPool } from '../../../src/sending/key-pool.ts';
import type { NonceQueue } from '../../../src/sending/nonce-queue.ts';
import { createGasDay } from '../../../src/sending/signing-policy.ts';
import { type Account, maxWei, type Operation, openAccount } from '../../../src/sending/wallet/account.ts';
import { connectBundler } from '../../../src/sending/wallet/bundler.ts';
import { connectEntryPoint } from '../../../src/sending/wallet/entry-point.ts';
import { createWalletSender, type WalletOptions } from '../../../src/sending/wallet/sender.ts';
import { unsignedGo } from '../../unsigned.ts';
import { headsOf, noHeads, queueWith, sendingOn } from '../sending.ts';

// The agent's ERC-4337 account on a fork, with the real EntryPoint and a real bundler behind a line that can be cut.

// Anvil's second account, alice. The key is public.
const owner = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const contracts = {
  entryPoint: accountAbstraction.entryPoint,
  accountFactory: accountAbstraction.simpleAccountFactory,
};
const hash = `0x${'5e'.repeat(32)}` as const;

let deployed: DeployedChain;
let bundler: Bundler;
let line: RpcProxy;
let account: Account;
let heads: ReturnType<typeof headsOf>;
let queues: NonceQueue[] = [];
let calls: Calls;
let plans: readonly Plan[];
let events: { event: string; [field: string]: unknown }[];

beforeAll(async () => {
  account = await addressBefore();
  deployed = await startDeployedChain({ operator: account.address });
  const { chain, book, url } = deployed;
  bundler = await startBundler(url, await freePort());
  line = await startRpcProxy(bundler.url);
  heads = headsOf(connectChain(url), log);
  calls = createCalls(book.own);
  await give(chain, carol, 'USDT', '8000');
  await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('8000'));
  await createPlan(deployed);
  const to = book.own.planRegistry;
  const { terms } = await chain.readContract({ address: to, abi: planRegistryAbi, functionName: 'plan', args: [1n] });
  const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] });
  await chain.sendTogether(
    carol,
    Array.from({ length: 74 }, () => ({ to, data })),
  );
  plans = (await createPlanReader(connectChain(url), book.own, book.assets).plans()).plans;
}, 60_000);
afterAll(async () => {
  heads?.stop();
  await line?.stop();
  await bundler?.stop();
  await deployed?.stop();
});
beforeEach(async () => {
  // The chain is not reset between tests, because a bundler would not notice.
  await deployed.chain.setBalance({ address: account.address, value: parseEther('10') });
  line.fate = () => 'answered';
  line.methods.length = 0;
  events = [];
});
afterEach(async () => {
  for (const queue of queues) queue.stop();
  queues = [];
  await deployed.chain.setAutomine(true);
});

/** The address is the same on every chain, and known before anything of ours is deployed. */
async function addressBefore(): Promise<Account> {
  const local = await startLocalChain();
  try {
    return await openAccount(connectChain(local.url), owner, contracts);
  } finally {
    await local.stop();
  }
}

const generous = {
  maxGasPriceWei: parseGwei('5'),
  rescueMaxGasPriceWei: parseGwei('20'),
  maxDayWei: parseEther('100'),
};
const keep = (event: string, fields: Record<string, unknown> = {}) => void events.push({ event, ...fields });
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

interface Changes extends Partial<WalletOptions> {
  readonly carrier?: NonceQueue;
  readonly urgentCarrier?: NonceQueue;
}

function wallet({ carrier = newCarrier(), urgentCarrier, ...changes }: Changes = {}, bounds: Partial<GasBounds> = {}) {
  const client = connectChain(deployed.url);
  const { own } = deployed.book;
  const allowed = keeperCalls(own, { ...generous, ...bounds });
  const sender = createWalletSender({
    ...sendingOn(client, log),
    heads,
    account,
    entryPoint: connectEntryPoint(client, contracts.entryPoint),
    policy: { account: account.address, creation: account.creation, calls: { chainId: localChainId, calls: allowed } },
    carriers: createKeyPool([carrier], undefined, { heads: noHeads, log, timers }),
    urgentCarriers: createKeyPool(urgentCarrier ? [urgentCarrier] : [], carrier, { heads: noHeads, log, timers }),
    gasDay: createGasDay(clock),
    receiptSeconds: 10n,
    isUrgent: ({ to }) => to === own.loanGuard,
    bundler: connectBundler(line.url, contracts.entryPoint, log),
    bundlerSeconds: 3n,
    ...changes,
  });
  queues.push(...sender.queues);
  return sender;
}

/** Our own key's queue, as every wallet here has it. */
function newCarrier(): NonceQueue {
  const calls = [carrying(contracts.entryPoint, keeperCalls(deployed.book.own, generous))];
  const options = { ...sendingOn(connectChain(deployed.url), log), heads, receiptSeconds: 10n };
  const carrier = createSender({ ...options, account: owner, policy: { chainId: localChainId, calls } });
  queues.push(carrier);
  return carrier;
}

/** Throws at the first call. */
function failingOnce(sender: Sender): Sender['send'] {
  let calls = 0;
  return (call) => {
    calls += 1;
    return calls === 1 ? Promise.reject(new TypeError('no')) : sender.send(call);
  };
}

const planAt = (at: number): Plan => {
  const plan = plans[at];
  if (plan === undefined) throw new Error('no plan');
  return plan;
};
const orderOf = (at: number): Order => {
  const plan = planAt(at);
  const path = pathOf(plan.tokenIn, [{ feeMillionths: 500, tokenOut: plan.tokenOut }]);
  return { plan, path, ticket: unsignedGo(hash), signature: '0x' };
};
const executed = (at: number): Call => calls.execute(orderOf(at));
const pausing = (at: number) =>
  deployed.chain.send(carol, deployed.book.own.planRegistry, {
    abi: planRegistryAbi,
    functionName: 'pause',
    args: [planAt(at).id],
  });
const records = async (at: number) => {
  const plan = { address: deployed.book.own.planRegistry, abi: planRegistryAbi, functionName: 'plan' } as const;
  return (await deployed.chain.readContract({ ...plan, args: [planAt(at).id] })).state.records;
};
const told = (event: string) => events.filter((each) => each.event === event);

describe('the account', () => {
  it('is made once, by an operation that does nothing else, and then acts', async () => {
    expect(await deployed.chain.getCode({ address: account.address })).toBeUndefined();
    const sender = wallet();
    expect(sender.address).toBe(account.address);
    expect(await sender.create()).toMatchObject({ outcome: 'confirmed' });
    expect(await deployed.chain.getCode({ address: account.address })).toBeDefined();
    expect(await sender.send(executed(0))).toMatchObject({ outcome: 'confirmed' });
    expect(await records(0)).toBe(1);
  });
});

describe('once it is made', () => {
  it('a run goes by the bundler, which our key pays nothing for', async () => {
    const before = await deployed.chain.getBalance({ address: alice });
    const sent = await wallet().send(executed(1));
    expect(sent).toMatchObject({ outcome: 'confirmed' });
    expect(told('wallet.bundler_failed').map(({ error }) => error)).toEqual([]);
    // The bundler is asked where the operation went; its answer is only a hint.
    expect(line.methods).toEqual(['eth_sendUserOperation', 'eth_getUserOperationReceipt']);
    expect(await records(1)).toBe(1);
    expect(await deployed.chain.getBalance({ address: alice })).toBe(before);
    const transaction = await deployed.chain.getTransaction({ hash: (sent as { hash: `0x${string}` }).hash });
    expect(transaction.from.toLowerCase()).not.toBe(alice.toLowerCase());
  });

  it('what is urgent is carried by our own key at once', async () => {
    const sender = wallet({ isUrgent: () => true });
    const sent = await sender.send(executed(2));
    expect(sent).toMatchObject({ outcome: 'confirmed' });
    expect(line.methods).toEqual([]);
    const transaction = await deployed.chain.getTransaction({ hash: (sent as { hash: `0x${string}` }).hash });
    expect(transaction).toMatchObject({ from: alice.toLowerCase() });
    expect(await records(2)).toBe(1);
  });

  it('WA-6: a bundler that is away, refuses or only says yes cannot stop a run, and makes none twice', async () => {
    for (const [at, fate] of (['lost', 'answer_lost', 'called_known'] as const).entries()) {
      line.fate = () => fate;
      expect(await wallet().send(executed(3 + at)), fate).toMatchObject({ outcome: 'confirmed' });
      await sleep(500);
      expect(await records(3 + at), fate).toBe(1);
    }
    expect(told('wallet.bundler_failed').length).toBeGreaterThan(0);
    expect(told('wallet.not_carried')).toEqual([]);
  });

  it('WA-6: nor one that says yes and does nothing', async () => {
    const idle = wallet({ bundler: { take: async () => true }, bundlerSeconds: 1n });
    expect(await idle.send(executed(6))).toMatchObject({ outcome: 'confirmed' });
    expect(told('wallet.bundler_late')).toHaveLength(1);
    expect(await records(6)).toBe(1);
  });

  it('WA-6: an operation that a bundler may have stays open, though our own key cannot carry it', async () => {
    const poor = queueWith(newCarrier(), async () => ({ outcome: 'not_allowed', rule: 'balance' }));
    const sender = wallet({ bundler: { take: async () => false }, carrier: poor });
    let outcome: string | undefined;
    void sender.send(executed(13)).then((sent) => {
      outcome = sent.outcome;
    });
    await expect.poll(() => sender.queues.flatMap((queue) => queue.open())).toHaveLength(1);
    await sleep(500);
    expect(outcome).toBeUndefined();
  });

  it('a call that would fail is not signed; one that fails in a block is reverted', async () => {
    const sender = wallet();
    const unknownPlan = calls.execute({ ...orderOf(7), plan: { ...planAt(7), id: 99n } });
    expect(await sender.send(unknownPlan)).toMatchObject({ outcome: 'would_revert', error: 'plan_unknown' });
    expect(line.methods).toEqual([]);

    // Cancelled between the simulation and the block.
    const { chain, book } = deployed;
    const racing = wallet({
      bundler: {
        take: async () => {
          const cancel = { abi: planRegistryAbi, functionName: 'cancel', args: [planAt(7).id] } as const;
          await chain.send(carol, book.own.planRegistry, cancel);
          return false;
        },
      },
    });
    expect(await racing.send(executed(7))).toMatchObject({ outcome: 'reverted' });
    expect(await records(7)).toBe(0);
    expect(await racing.send(executed(8))).toMatchObject({ outcome: 'confirmed' });
  });

  it('WA-6: what comes of an operation that nobody carries is known before the next is signed', async () => {
    const { chain } = deployed;
    const stuck = wallet({ bundler: { take: async () => true }, bundlerSeconds: 0n, receiptSeconds: 2n });
    await chain.setAutomine(false);
    const lost = stuck.send(executed(9));
    await expect.poll(() => told('sender.cancelling').length).toBeGreaterThan(0);
    const next = stuck.send(executed(10));
    await sleep(500);
    expect(stuck.queues.flatMap((queue) => queue.open()).map(({ label }) => label)).toEqual([executed(9).label]);
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    expect((await lost).outcome).toMatch(/confirmed|cancelled/);
    const first = await records(9);
    expect(await next).toMatchObject({ outcome: 'confirmed' });
    expect([await records(9), await records(10)]).toEqual([first, 1]);
  });

  it('WA-6: an operation that comes in after its process is gone counts, and its successor’s does not count twice', async () => {
    // It signs, hands over and is killed: only the bundler still has the operation.
    let kept: Parameters<NonNullable<WalletOptions['bundler']>['take']>[0] | undefined;
    const dying = wallet({
      bundler: {
        take: (operation) => {
          kept = operation;
          return new Promise(() => {});
        },
      },
    });
    void dying.send(executed(11));
    await expect.poll(() => kept).toBeDefined();
    if (kept === undefined) throw new Error('nothing was signed');
    const old = kept;
    const next = wallet({
      bundler: {
        take: async () => {
          // The bundler chooses the old one, which has the same number.
          return connectBundler(bundler.url, contracts.entryPoint, log).take(old);
        },
      },
      bundlerSeconds: 5n,
    });
    expect(await next.send(executed(12))).toMatchObject({ outcome: 'cancelled' });
    expect([await records(11), await records(12)]).toEqual([1, 0]);
    expect(await wallet().send(executed(12))).toMatchObject({ outcome: 'confirmed' });
    expect([await records(11), await records(12)]).toEqual([1, 1]);
  });

  it.each([
    [
      'names the transaction',
      'confirmed',
      (_, hash) => connectBundler(bundler.url, contracts.entryPoint, log).carrierOf?.(hash),
    ],
    ['says nothing', 'consumed', undefined],
    ['names another transaction', 'consumed', async (other) => other],
  ] satisfies [string, string, ((other: Hex, hash: Hex) => Promise<Hex | undefined> | undefined) | undefined][])(
    'WA-6: a nonce that is used frees its queue at once, though the node has forgotten the block; the bundler %s: %s',
    async (words, outcome, carrierOf) => {
      const at = { 'names the transaction': 59, 'says nothing': 62, 'names another transaction': 65 }[words] ?? 0;
      const { chain } = deployed;
      const other = await wallet({ isUrgent: () => true }).send(executed(at + 2));
      if (other.outcome !== 'confirmed') throw new Error(other.outcome);
      const node = await startRpcProxy(deployed.url);
      const client = connectChain(node.url);
      const gasDay = createGasDay(clock);
      const nodeHeads = headsOf(client, log);
      let kept: Operation | undefined;
      const sender = wallet({
        client,
        entryPoint: connectEntryPoint(client, contracts.entryPoint),
        gasDay,
        bundler: {
          take: async (operation) => {
            kept ??= operation;
            return operation === kept;
          },
          ...(carrierOf && { carrierOf: async (hash) => carrierOf(other.hash, hash) }),
        },
        bundlerSeconds: 10_000n,
        receiptSeconds: 10_000n,
        // A clock that runs ten times as fast.
        clock: () => BigInt(Math.floor(Date.now() / 100)),
        heads: nodeHeads,
      });
      const sending = sender.send(executed(at));
      await expect.poll(() => kept).toBeDefined();
      if (kept === undefined) throw new Error('nothing was signed');
      await expect.poll(() => sender.queues.flatMap((queue) => queue.open())).toHaveLength(1);
      node.fate = () => 'lost';
      await connectBundler(bundler.url, contracts.entryPoint, log).take(kept);
      await expect.poll(() => records(at), { timeout: 10_000 }).toBe(1);
      await chain.mine({ blocks: 40 });
      const newest = await chain.getBlockNumber();
      node.fate = (method, body) => {
        const { params } = JSON.parse(body);
        const block = method === 'eth_call' ? params[1] : method === 'eth_getBlockByNumber' ? params[0] : 'latest';
        return /^0x/.test(block) && BigInt(block) < newest ? 'batch_refused' : 'answered';
      };
      const asked = performance.now();
      const next = sender.send(executed(at + 1));
      expect(await sending).toMatchObject({ outcome });
      expect(await next).toMatchObject({ outcome: 'confirmed' });
      expect(performance.now() - asked).toBeLessThan(5_000);
      expect([await records(at), await records(at + 1)]).toEqual([1, 1]);
      // Where nobody knows what it did, its maximum cost is counted.
      if (outcome === 'consumed') expect(gasDay.paidWei()).toBeGreaterThanOrEqual(maxWei(kept));
      else expect(gasDay.paidWei()).toBeLessThan(maxWei(kept));
      nodeHeads.stop();
      await node.stop();
    },
  );

  it('WA-6: what was signed is not lost when the node falls silent, and is found when it is back', async () => {
    const node = await startRpcProxy(deployed.url);
    const client = connectChain(node.url);
    const carrier = newCarrier();
    const sender = wallet({
      client,
      entryPoint: connectEntryPoint(client, contracts.entryPoint),
      isUrgent: () => true,
      carrier: queueWith(carrier, (call) => {
        node.fate = () => 'lost';
        return carrier.send(call);
      }),
    });
    const sending = sender.send(executed(68));
    await expect.poll(() => records(68)).toBe(1);
    await sleep(1_000);
    expect(sender.queues.flatMap((queue) => queue.open())).toHaveLength(1);
    node.fate = () => 'answered';
    expect(await sending).toMatchObject({ outcome: 'confirmed' });
    await node.stop();
  });

  it('WA-6: no exception leaves a queue without an outcome', async () => {
    const failing = () => Promise.reject(new TypeError('no'));
    const unsigned = wallet({ account: { ...account, sign: failing } });
    expect(await unsigned.send(executed(69))).toEqual({ outcome: 'not_sent' });
    expect(await wallet({ bundler: { take: failing } }).send(executed(69))).toMatchObject({ outcome: 'confirmed' });

    let isFailing = true;
    const carrier = newCarrier();
    const uncarried = wallet({
      isUrgent: () => true,
      receiptSeconds: 1n,
      carrier: queueWith(carrier, (call) => (isFailing ? failing() : carrier.send(call))),
    });
    const sending = uncarried.send(executed(70));
    await expect.poll(() => told('sender.cancelling').length).toBeGreaterThan(0);
    isFailing = false;
    expect(await sending).toMatchObject({ outcome: 'cancelled' });
    expect(await uncarried.send(executed(70))).toMatchObject({ outcome: 'confirmed' });
  });

  it('AG-38: what is urgent has a carrier of its own, and its outcome waits in no other queue', async () => {
    let release = () => {};
    const stuck = new Promise<void>((resolve) => {
      release = resolve;
    });
    const carrier = newCarrier();
    const isUrgent = ({ label }: Call) => label === `execute plan ${planAt(72).id}`;
    const sender = wallet({
      isUrgent,
      bundler: { take: async () => false },
      carrier: queueWith(carrier, (call) => stuck.then(() => carrier.send(call))),
      urgentCarrier: queueWith(carrier, failingOnce(carrier)),
    });
    const calm = sender.send(executed(71));
    // The second attempt starts on its own.
    expect(await sender.send(executed(72))).toMatchObject({ outcome: 'confirmed' });
    release();
    expect(await calm).toMatchObject({ outcome: 'confirmed' });
  });

  it('AG-9: nothing is signed that the policy does not name, or that costs too much', async () => {
    const bad = (changes: Partial<Call>) => wallet().send({ ...executed(13), ...changes });
    expect(await bad({ to: carol })).toEqual({ outcome: 'not_allowed', rule: 'target' });
    expect(await bad({ data: '0x12345678' })).toEqual({ outcome: 'not_allowed', rule: 'selector' });
    expect(await bad({ gas: 50_000_000n })).toEqual({ outcome: 'not_allowed', rule: 'gas' });
    expect(await wallet({}, { maxGasPriceWei: 1n }).send(executed(13))).toEqual({
      outcome: 'not_allowed',
      rule: 'gas_price',
      price: { askedWei: expect.any(BigInt), maxWei: 1n },
    });
    expect(await wallet({}, { maxDayWei: 1n }).send(executed(13))).toEqual({
      outcome: 'not_allowed',
      rule: 'gas_day',
    });
    await deployed.chain.setBalance({ address: account.address, value: 1n });
    expect(await wallet().send(executed(13))).toEqual({ outcome: 'not_allowed', rule: 'balance' });
    expect(line.methods).toEqual([]);
  });

  it('AG-38: urgent and calm operations are numbered apart', async () => {
    const { chain } = deployed;
    const slow = wallet({
      bundler: { take: () => sleep(2_000).then(() => false) },
      isUrgent: ({ label }) => label === `execute plan ${planAt(15).id}`,
    });
    const [calm, urgent] = [slow.send(executed(14)), slow.send(executed(15))];
    expect(await Promise.race([calm.then(() => 'calm'), urgent.then(() => 'urgent')])).toBe('urgent');
    expect(await urgent).toMatchObject({ outcome: 'confirmed' });
    expect(await calm).toMatchObject({ outcome: 'confirmed' });
    const entryPoint = connectEntryPoint(connectChain(chain.transport.url ?? deployed.url), contracts.entryPoint);
    expect((await entryPoint.nonce(account.address, 1n)) >> 64n).toBe(1n);
  });

  it('a batch goes by the bundler, and says of each run what became of it', async () => {
    const chosen = connectBundler(line.url, contracts.entryPoint, log);
    const racing = wallet({ bundler: { take: (operation) => pausing(17).then(() => chosen.take(operation)) } });
    const sent = await racing.send(calls.executeBatch([16, 17, 18].map(orderOf)));
    if (sent.outcome !== 'confirmed') throw new Error(sent.outcome);
    expect(told('wallet.bundler_failed')).toEqual([]);
    expect(calls.failedRuns(sent.events)).toEqual(new Map([[planAt(17).id, 'plan_not_active']]));
    expect(await Promise.all([16, 17, 18].map(records))).toEqual([1, 0, 1]);
    const transaction = await deployed.chain.getTransaction({ hash: sent.hash });
    expect(transaction.from.toLowerCase()).not.toBe(alice.toLowerCase());
  });

  it.each(['bundler', 'own key'])('as many runs as fit in a batch fit into an operation by the %s', async (way) => {
    const first = way === 'bundler' ? 19 : 19 + calls.maxOrders;
    const ours = Array.from({ length: calls.maxOrders }, (_, at) => first + at);
    const before = await deployed.chain.getBalance({ address: alice });
    const sent = await wallet({ isUrgent: () => way === 'own key' }).send(calls.executeBatch(ours.map(orderOf)));
    if (sent.outcome !== 'confirmed') throw new Error(sent.outcome);
    expect(told('wallet.bundler_failed')).toEqual([]);
    expect(calls.failedRuns(sent.events)).toEqual(new Map());
    expect(await Promise.all(ours.map(records))).toEqual(ours.map(() => 1));
    // The carrier is not out of pocket.
    expect(await deployed.chain.getBalance({ address: alice })).toBeGreaterThanOrEqual(before);
    const { gas } = await deployed.chain.getTransaction({ hash: sent.hash });
    expect(gas).toBeLessThan(2n ** 24n);
  });

  it('a batch that was lost is found later, and what became of each run with it', async () => {
    const first = 19 + 2 * calls.maxOrders;
    let kept: Parameters<NonNullable<WalletOptions['bundler']>['take']>[0] | undefined;
    const stuck = wallet({
      bundler: {
        take: async (operation) => {
          kept = operation;
          return true;
        },
      },
      bundlerSeconds: 0n,
      carrier: queueWith(newCarrier(), async () => ({ outcome: 'not_sent' })),
    });
    const sending = stuck.send(calls.executeBatch([first, first + 1].map(orderOf)));
    await expect.poll(() => kept).toBeDefined();
    if (kept === undefined) throw new Error('nothing was signed');
    await pausing(first);
    await connectBundler(bundler.url, contracts.entryPoint, log).take(kept);
    await expect.poll(() => records(first + 1)).toBe(1);
    const found = await sending;
    if (found.outcome !== 'confirmed') throw new Error(found.outcome);
    expect(calls.failedRuns(found.events)).toEqual(new Map([[planAt(first).id, 'plan_not_active']]));
  });
});

it('goes by the operator that the chain names', async () => {
  const { book, url } = deployed;
  const bounds = { chainId: localChainId, gasBounds: generous };
  const options = { ...sendingOn(connectChain(url), log), heads, book, rescuers: [], ...bounds };
  const opened = await openKeeper({ ...options, account: owner });
  expect(opened.payers).toEqual({ wallet: account.address, keeper: alice });
  expect(opened.sender.address).toBe(account.address);
  const stranger = privateKeyToAccount(keccak256('0x01'));
  await expect(openKeeper({ ...options, account: stranger })).rejects.toThrow(
    /^KEEPER_PRIVATE_KEY belongs to 0x\w+, whose wallet is 0x\w+, but SwapExecutor's operator is 0x\w+\. Set KEEPER_PRIVATE_KEY to the key of the operator/,
  );
});

it('AG-82: processes with rescue keys of their own share the wallet, and use no nonce of its owner', async () => {
  const { book, url, chain } = deployed;
  const carriers = ['1', '2'].map((digit) => privateKeyToAccount(`0x${digit.repeat(64)}`));
  for (const { address } of carriers) await chain.setBalance({ address, value: parseEther('1') });
  const bounds = { chainId: localChainId, gasBounds: generous };
  const options = { ...sendingOn(connectChain(url), log), heads, book, ...bounds, account: owner, isShared: true };
  const ofOwner = () =>
    Promise.all([
      chain.getTransactionCount({ address: alice }),
      connectEntryPoint(connectChain(url), contracts.entryPoint).nonce(account.address, 0n),
    ]);
  // Together they would deploy it twice.
  await (await openKeeper({ ...options, rescuers: [], isShared: false })).stop();
  const before = await ofOwner();
  // One sends through the bundler, the other with its own key.
  const keepers = await Promise.all(
    carriers.map((carrier, at) =>
      openKeeper({ ...options, rescuers: [carrier], bundlerUrls: at === 0 ? [line.url] : [] }),
    ),
  );
  try {
    expect(keepers.map(({ payers }) => payers)).toEqual(
      carriers.map(({ address }) => ({ wallet: account.address, rescuer: address })),
    );
    const sent = await Promise.all(keepers.map(({ sender }, at) => sender.send(executed(73 + at))));
    expect(sent.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
    expect(await Promise.all([73, 74].map(records))).toEqual([1, 1]);
    expect(await ofOwner()).toEqual(before);
    expect(line.methods).toContain('eth_sendUserOperation');
  } finally {
    await Promise.all(keepers.map((each) => each.stop()));
  }
});
