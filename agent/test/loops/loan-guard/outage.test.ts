import { setTimeout as sleep } from 'node:timers/promises';
import { connectChain } from '@bowline/chain/chain-client';
import { createPlanReader } from '@bowline/chain/plan-reader';
import { pathOf } from '@bowline/core/domain/route';
import type { Call } from '@bowline/core/domain/sending';
import { type Address, getAddress, parseEther } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { accountAbstraction } from '../../../../lab/world/addresses.ts';
import { startLocalChain } from '../../../../lab/world/fork.ts';
import { mineEvery } from '../../../../lab/world/miner.ts';
import { feedsOf, setPrice } from '../../../../lab/world/oracle.ts';
import { type RpcProxy, startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { approve, bob, carol, give } from '../../../../test/local/accounts.ts';
import { createCalls } from '../../../src/sending/calls.ts';
import { openAccount } from '../../../src/sending/wallet/account.ts';
import { borrow, setGuard } from '../../loans.ts';
import { unsignedGo } from '../../unsigned.ts';
import { createPlan, type DeployedChain, type keepLog, startDeployedChain } from '../world.ts';
import { dave } from './guarded.ts';
import { keeperKey, startRescuing } from './rescuing.ts';

// The whole path of a rescue, composed as in main.ts, on a chain that remembers 30 blocks, over a line that can be cut.

const changesOf = ({ lines }: ReturnType<typeof keepLog>) =>
  lines.filter(({ event }) => /^sender\.can(not)?_pay$/.test(event));

type Operator = 'wallet' | 'key';

describe('the agent acts by its wallet', () => actsBy('wallet'));
describe('the agent acts by its key', { tags: 'long' }, () => actsBy('key'));

function actsBy(operator: Operator): void {
  let world: DeployedChain;
  let clean: `0x${string}`;
  let line: RpcProxy;
  let stops: (() => unknown)[];

  beforeAll(async () => {
    const wallet = operator === 'wallet' ? await walletBefore() : undefined;
    world = await startDeployedChain({ forgets: true, ...(wallet && { operator: wallet }) });
    const { chain, book } = world;
    if (operator === 'wallet') {
      const { address } = await openAccount(connectChain(world.url), keeperKey, book.accountAbstraction);
      await chain.setBalance({ address, value: parseEther('10') });
    }
    await give(chain, carol, 'USDT', '1000');
    await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('1000'));
    await createPlan(world);
    for (const borrower of [bob, dave]) await guardedLoan(borrower);
    // Two chains start here; the first only tells the wallet's address.
  }, 120_000);
  afterAll(() => world?.stop());
  beforeEach(async () => {
    clean = await world.chain.snapshot();
    line = await startRpcProxy(world.url);
    stops = [() => line.stop()];
  });
  afterEach(async () => {
    for (const stop of stops.toReversed()) await stop();
    await world.chain.request({ method: 'anvil_dropAllTransactions' } as never);
    await world.chain.setAutomine(true);
    await world.chain.revert({ id: clean });
  });

  /** The account is the same on every chain, and known before anything of ours is deployed. */
  async function walletBefore(): Promise<Address> {
    const local = await startLocalChain();
    try {
      const { entryPoint, simpleAccountFactory: accountFactory } = accountAbstraction;
      return (await openAccount(connectChain(local.url), keeperKey, { entryPoint, accountFactory })).address;
    } finally {
      await local.stop();
    }
  }

  /** One BTCB of collateral and this many USDT of debt; the guard triggers below 1.1 and targets 1.25. */
  async function guardedLoan(borrower: Address, debt = '70000'): Promise<void> {
    await borrow(world.chain, borrower, debt);
    // One of them is read through its own price source as well.
    await setGuard(world, borrower, borrower === dave ? { priceSource: world.book.own.chainlinkPriceSource } : {});
  }

  const startAgent = ({ rescuer }: { rescuer?: PrivateKeyAccount } = {}) =>
    startRescuing({ url: line.url, book: world.book, rescuers: rescuer ? [rescuer] : [], stops });

  async function startMining(seconds: number): Promise<void> {
    await world.chain.setAutomine(false);
    stops.push(mineEvery(world.url, seconds));
  }

  const fall = (usd = 93_000n) => setPrice(world.chain, bob, 'BTCB', usd * 10n ** 8n);
  const fill = ({ address }: PrivateKeyAccount) => world.chain.setBalance({ address, value: parseEther('1') });
  const rescuesOf = async (...ids: bigint[]) => {
    const { loanGuard: address } = world.book.own;
    const of = (id: bigint) =>
      world.chain.readContract({ address, abi: loanGuardAbi, functionName: 'rescues', args: [id, 0n, 9n] });
    return (await Promise.all(ids.map(of))).map((records) => records.length);
  };
  const rescued = () => rescuesOf(1n, 2n);

  // WA-6, CH-2, AG-39
  test('after an outage in which the node forgot the block of a rescue, the next comes within 5 s', async () => {
    await guardedLoan(carol, '60000');
    const { log, readiness } = await startAgent();
    await startMining(0.45);
    let isCut = false;
    line.fate = (method) => {
      if (isCut) return 'lost';
      isCut = method === 'eth_sendRawTransaction';
      return isCut ? 'answer_lost' : 'answered';
    };
    await fall();
    await expect.poll(() => isCut, { timeout: 30_000 }).toBe(true);
    await expect.poll(rescued, { timeout: 10_000 }).toEqual([1, 1]);
    await world.chain.mine({ blocks: 40 });
    await fall(80_000n);
    await sleep(11_000);
    const { ready, dependencies } = await readiness();
    expect(ready).toBe(false);
    expect(dependencies.rescues?.detail).toMatch(/^A rescue has waited 1\d s\.$/);
    expect(await rescuesOf(3n)).toEqual([0]);

    line.fate = () => 'answered';
    await expect.poll(() => rescuesOf(3n), { timeout: 15_000, interval: 50 }).toEqual([1]);
    await expect.poll(async () => (await readiness()).ready, { timeout: 15_000 }).toBe(true);
    const told = () => log.lines.filter(({ event }) => event === 'rescue.done').length;
    await expect.poll(told, { timeout: 15_000 }).toBe(3);
    expect(log.lines.filter(({ event }) => event === 'tick.failed')).toEqual([]);
  });

  // AG-38
  test('a run whose transaction got lost holds up no rescue that has a key of its own', async () => {
    const rescuer = privateKeyToAccount(generatePrivateKey());
    await fill(rescuer);
    const { sender } = await startAgent({ rescuer });
    await startMining(2);
    let lost: unknown;
    line.fate = (method, body) => {
      if (method !== 'eth_sendRawTransaction') return 'answered';
      const [raw] = JSON.parse(body).params;
      lost ??= raw;
      return raw === lost ? 'lost' : 'answered';
    };
    const running = sender.send(await run());
    await expect.poll(() => lost).toBeDefined();
    await fall();
    const from = await world.chain.getBlockNumber();
    await expect.poll(rescued, { timeout: 20_000, interval: 100 }).toContain(1);
    expect((await world.chain.getBlockNumber()) - from).toBeLessThanOrEqual(2n);
    line.fate = () => 'answered';
    // By its next broadcast the market has fallen.
    expect((await running).outcome).toMatch(/cancelled|confirmed|reverted/);
  });

  // AG-38
  test('an empty rescue key loses no rescue: the keeper makes it, once, until that key is filled', async () => {
    const { chain } = world;
    await guardedLoan(carol, '60000');
    const rescuer = privateKeyToAccount(generatePrivateKey());
    const { log, readiness } = await startAgent({ rescuer });
    const sent = () => chain.getTransactionCount({ address: rescuer.address });
    const payer = async (guardId: bigint) => {
      const done = log.lines.find((each) => each.event === 'rescue.done' && each.guardId === guardId);
      const { from, to, gasPrice = 0n } = await chain.getTransaction({ hash: done?.hash as `0x${string}` });
      expect(gasPrice).toBeGreaterThan(0n);
      // A plain call even next to a wallet: never an operation.
      expect(to).toBe(world.book.own.loanGuard.toLowerCase());
      return getAddress(from);
    };
    const changes = () => changesOf(log);
    await startMining(0.45);
    await fall();
    await expect.poll(rescued, { timeout: 10_000 }).toEqual([1, 1]);
    const told = () => log.lines.filter(({ event }) => event === 'rescue.done').length;
    await expect.poll(told).toBe(2);
    expect([await payer(1n), await payer(2n), await sent()]).toEqual([keeperKey.address, keeperKey.address, 0]);
    expect(changes()).toMatchObject([
      { event: 'sender.cannot_pay', address: rescuer.address, rule: 'balance', instead: keeperKey.address },
    ]);
    expect((await readiness()).ready).toBe(true);

    await fill(rescuer);
    await fall(80_000n);
    await expect.poll(() => rescuesOf(1n, 2n, 3n), { timeout: 10_000 }).toEqual([1, 1, 1]);
    await expect.poll(told).toBe(3);
    expect([await payer(3n), await sent()]).toEqual([rescuer.address, 1]);
    expect(changes().map(({ event }) => event)).toEqual(['sender.cannot_pay', 'sender.can_pay']);
    expect(log.lines.filter(({ event }) => /^call\./.test(event))).toEqual([]);
  });

  // AG-38
  test('a rescue whose outcome is unknown is never made by the keeper, too', async () => {
    const { chain } = world;
    const rescuer = privateKeyToAccount(generatePrivateKey());
    await fill(rescuer);
    const { log } = await startAgent({ rescuer });
    const keeperSent = await chain.getTransactionCount({ address: keeperKey.address });
    await chain.setAutomine(false);
    let isCut = false;
    line.fate = (method) => {
      if (isCut) return 'lost';
      isCut = method === 'eth_sendRawTransaction';
      return isCut ? 'answer_lost' : 'answered';
    };
    const falling = fall();
    const answers = feedsOf('BTCB').length;
    await expect.poll(async () => (await chain.getTxpoolStatus()).pending, { interval: 5 }).toBe(answers);
    await chain.mine({ blocks: 1 });
    await falling;
    await expect.poll(() => isCut, { timeout: 30_000 }).toBe(true);
    await sleep(3_000);
    line.fate = (method) => (method === 'eth_getTransactionReceipt' ? 'lost' : 'answered');
    await sleep(3_000);
    const pending = { address: keeperKey.address, blockTag: 'pending' } as const;
    expect(await chain.getTransactionCount(pending)).toBe(keeperSent);
    line.fate = () => 'answered';
    stops.push(mineEvery(world.url, 0.45));
    await expect.poll(rescued, { timeout: 40_000 }).toEqual([1, 1]);
    expect(await chain.getTransactionCount({ address: keeperKey.address })).toBe(keeperSent);
    expect(await chain.getTransactionCount({ address: rescuer.address })).toBeGreaterThanOrEqual(1);
    expect(changesOf(log)).toEqual([]);
  });

  async function run(): Promise<Call> {
    const { book, url } = world;
    const [plan] = (await createPlanReader(connectChain(url), book.own, book.assets).plans()).plans;
    if (plan === undefined) throw new Error('no plan');
    const path = pathOf(plan.tokenIn, [{ feeMillionths: 500, tokenOut: plan.tokenOut }]);
    const ticket = unsignedGo(`0x${'5e'.repeat(32)}`);
    return createCalls(book.own).execute({ plan, path, ticket, signature: '0x' });
  }
}
