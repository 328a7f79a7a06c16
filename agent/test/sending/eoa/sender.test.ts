import { setTimeout as sleep } from 'node:timers/promises';
import { connectChain } from '@bowline/chain/chain-client';
import { createPlanReader } from '@bowline/chain/plan-reader';
import type { Log } from '@bowline/core/domain/log';
import type { Plan } from '@bowline/core/domain/permissions';
import { pathOf } from '@bowline/core/domain/route';
import type { Call, Calls } from '@bowline/core/domain/sending';
import {
  encodeFunctionData,
  keccak256,
  parseEther,
  parseTransaction,
  TransactionReceiptNotFoundError,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planRegistryAbi, swapExecutorAbi } from '../../../../abis/index.ts';
import { localChainId } from '../../../../lab/world/fork.ts';
import { createPlan, type DeployedChain, startDeployedChain } from '../../../../packages/chain/test/deployed-chain.ts';
import { type RpcProxy, refuse, startRpcProxy } from '../../../../packages/chain/test/rpc-proxy.ts';
import { alice, approve, carol, give } from '../../../../test/local/accounts.ts';
import { createCalls, type GasBounds, keeperCalls } from '../../../src/sending/calls.ts';
import { createSender, type SenderOptions } from '../../../src/sending/eoa/sender.ts';
import type { NonceQueue } from '../../../src/sending/nonce-queue.ts';
import type { SigningPolicy } from '../../../src/sending/signing-policy.ts';
import { unsigned, unsignedGo } from '../../unsigned.ts';
import { broadcastsEnded, sendingOn } from '../sending.ts';

// Anvil's second account, alice, which operates the executor on a local chain. The key is public.
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const hash = `0x${'5e'.repeat(32)}` as const;

let deployed: DeployedChain;
let proxy: RpcProxy;
let calls: Calls;
let clean: `0x${string}`;
let plans: readonly Plan[];
let senders: NonceQueue[] = [];
let events: { event: string; [field: string]: unknown }[];
beforeAll(async () => {
  deployed = await startDeployedChain();
  proxy = await startRpcProxy(deployed.url);
  const { chain, book, url } = deployed;
  calls = createCalls(book.own);
  await give(chain, carol, 'USDT', '1000');
  await approve(chain, carol, 'USDT', book.own.planRegistry, parseEther('1000'));
  for (let each = 0; each < 3; each++) await createPlan(deployed);
  plans = (await createPlanReader(connectChain(url), book.own, book.assets).plans()).plans;
});
afterAll(async () => {
  await proxy?.stop();
  await deployed?.stop();
});
beforeEach(async () => {
  clean = await deployed.chain.snapshot();
  proxy.fate = () => 'answered';
  proxy.tell = () => {};
  proxy.methods.length = 0;
  events = [];
});
afterEach(async () => {
  for (const sender of senders) sender.stop();
  await broadcastsEnded();
  senders = [];
  // Pending transactions would be mined as soon as blocks resume, or right after the state is restored.
  await deployed.chain.request({ method: 'anvil_dropAllTransactions' } as never);
  await deployed.chain.setAutomine(true);
  await deployed.chain.revert({ id: clean });
});

function newSender({ client = connectChain(proxy.url), ...changes }: Partial<SenderOptions> = {}): NonceQueue {
  const keep = (event: string, fields: Record<string, unknown> = {}) => void events.push({ event, ...fields });
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
  const options = { ...sendingOn(client, log), account, policy: bounded(), receiptSeconds: 30n, ...changes };
  const sender = createSender(options);
  senders.push(sender);
  return sender;
}

/** For calls that should be cancelled; the others get as long as a busy machine needs. */
const hasty = { receiptSeconds: 3n } as const;

const gwei = 1_000_000_000n;
const generous = { maxGasPriceWei: 5n * gwei, rescueMaxGasPriceWei: 20n * gwei, maxDayWei: parseEther('100') };

/** The agent's own signing policy. */
const bounded = (bounds: Partial<GasBounds> = {}): SigningPolicy => ({
  chainId: localChainId,
  calls: keeperCalls(deployed.book.own, { ...generous, ...bounds }),
});

const planAt = (at: number): Plan => {
  const plan = plans[at];
  if (plan === undefined) throw new Error('no plan');
  return plan;
};
const executed = (at = 0): Call => {
  const plan = planAt(at);
  const path = pathOf(plan.tokenIn, [{ feeMillionths: 500, tokenOut: plan.tokenOut }]);
  return calls.execute({ plan, path, ticket: unsignedGo(hash), signature: '0x' });
};
const deferred = (at = 0, reason = 5): Call => calls.defer(planAt(at), reason, unsigned('NO_GO', hash), '0x');

const nonce = () => deployed.chain.getTransactionCount({ address: alice });
const records = async (at = 0) => {
  const plan = { address: deployed.book.own.planRegistry, abi: planRegistryAbi, functionName: 'plan' } as const;
  return (await deployed.chain.readContract({ ...plan, args: [planAt(at).id] })).state.records;
};
/** Loses the first transaction whenever it is broadcast. */
function loseFirst(): void {
  let first: unknown;
  proxy.fate = (method, body) => {
    if (method !== 'eth_sendRawTransaction') return 'answered';
    const [raw] = JSON.parse(body).params;
    first ??= raw;
    return raw === first ? 'lost' : 'answered';
  };
}
const broadcasts = () => proxy.methods.filter((method) => method === 'eth_sendRawTransaction').length;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

/** Sends as another process with the keeper's key would, `ahead` of the next nonce. */
async function signedElsewhere({
  to,
  data,
  gas,
  gasPrice,
  ahead = 0,
}: Pick<Call, 'to' | 'data' | 'gas'> & { gasPrice: bigint; ahead?: number }) {
  const transaction = { type: 'legacy', chainId: localChainId, to, data, gas, gasPrice } as const;
  const serializedTransaction = await account.signTransaction({ ...transaction, nonce: (await nonce()) + ahead });
  return deployed.chain.sendRawTransaction({ serializedTransaction });
}

// AG-9
describe('a call', () => {
  it('is confirmed with the bytes that were wanted, at the gas that was computed', async () => {
    const sender = newSender();
    expect(sender.address).toBe(alice);
    const call = executed();
    const sent = await sender.send(call);
    const { chain } = deployed;
    if (sent.outcome !== 'confirmed') throw new Error(sent.outcome);
    const transaction = await chain.getTransaction({ hash: sent.hash });
    expect(transaction).toMatchObject({ from: alice.toLowerCase(), gas: call.gas, input: call.data, value: 0n });
    expect(transaction.to?.toLowerCase()).toBe(call.to.toLowerCase());
    expect(transaction.chainId).toBe(localChainId);
    const receipt = await chain.getTransactionReceipt({ hash: sent.hash });
    expect(sent).toMatchObject({ block: receipt.blockNumber, gasUsed: receipt.gasUsed });
    expect(await records()).toBe(1);
    // The limit leaves headroom, but not so much that a mistake could burn a fortune.
    expect(receipt.gasUsed * 2n).toBeLessThan(call.gas);
    expect(receipt.gasUsed * 8n).toBeGreaterThan(call.gas);
  });

  it.each(['answer_lost', 'called_known'] as const)('is confirmed, once, when its broadcast is %s', async (fate) => {
    let broadcast = 0;
    proxy.fate = (method) => (method === 'eth_sendRawTransaction' && ++broadcast === 1 ? fate : 'answered');
    const before = await nonce();
    expect(await newSender().send(executed())).toMatchObject({ outcome: 'confirmed' });
    expect([await nonce(), await records()]).toEqual([before + 1, 1]);
  });

  it('is simulated first: the contract’s own reason, and nothing is sent', async () => {
    const sender = newSender();
    expect(await sender.send(executed())).toMatchObject({ outcome: 'confirmed' });
    const before = await nonce();
    expect(await sender.send(executed())).toEqual({ outcome: 'would_revert', error: 'slot_used' });
    expect(await sender.send(calls.defer(planAt(1), 0, unsigned('NO_GO', hash), '0x'))).toEqual({
      outcome: 'would_revert',
      error: 'reason_missing',
    });
    const guard = { id: 77n } as Parameters<Calls['rescue']>[0];
    expect(await sender.send(calls.rescue(guard))).toEqual({ outcome: 'would_revert', error: 'guard_unknown' });
    expect(await nonce()).toBe(before);
    expect(broadcasts()).toBe(1);
  });

  it('that would run out of its gas is not sent', async () => {
    const sent = await newSender().send({ ...executed(), gas: 200_000n });
    expect(sent).toMatchObject({ outcome: 'would_revert', error: 'unknown_error' });
    expect(await newSender().send({ ...executed(), gas: 21_000n })).toMatchObject({ outcome: 'would_revert' });
    expect(broadcasts()).toBe(0);
  });

  it('that the node has no time to simulate is neither refused nor sent', async () => {
    proxy.tell = ({ method }, answer) => {
      if (method === 'eth_call') refuse(answer, -32_005, 'limit exceeded');
    };
    expect(await newSender().send(executed())).toEqual({ outcome: 'not_sent' });
    expect(broadcasts()).toBe(0);
  });

  it('that the chain overtakes is reverted: gas is paid, and nothing else happens', async () => {
    const { chain, book } = deployed;
    await chain.setAutomine(false);
    const sending = newSender({ receiptSeconds: 5n }).send(deferred());
    await until(() => broadcasts() === 1);
    // The owner pauses the plan in the same block, ahead of it.
    const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'pause', args: [planAt(0).id] });
    const pause = { from: carol, to: book.own.planRegistry, data, gasPrice: toHex(100_000_000_000n) };
    await chain.request({ method: 'eth_sendTransaction', params: [pause] } as never);
    await chain.mine({ blocks: 1 });
    const block = await chain.getBlockNumber();
    expect(await sending).toMatchObject({ outcome: 'reverted', hash: expect.stringMatching(/^0x/), block });
    expect(await records()).toBe(0);
  });
});

// AG-9
describe('the signing policy', () => {
  const other = '0x000000000000000000000000000000000000dEaD';
  it.each([
    ['target', { to: other }],
    ['selector', { data: '0x12345678' }],
    ['selector', { data: '0x' }],
    ['value', { value: 1n }],
    ['gas', { gas: 30_000_000n }],
  ] as const)('refuses by %s: %o', async (rule, changes) => {
    expect(await newSender().send({ ...executed(), ...changes })).toEqual({ outcome: 'not_allowed', rule });
    expect(proxy.methods).not.toContain('eth_call');
    expect(broadcasts()).toBe(0);
  });

  it('has a gas limit for each function of its own', async () => {
    const call = { ...deferred(), gas: executed().gas };
    expect(await newSender().send(call)).toEqual({ outcome: 'not_allowed', rule: 'gas' });
  });

  it('refuses the function of one contract at another', async () => {
    const { own } = deployed.book;
    expect(bounded().calls).toHaveLength(7);
    const rescue = calls.rescue({ id: 1n } as never);
    expect(await newSender().send({ ...rescue, to: own.swapExecutor })).toMatchObject({ rule: 'selector' });
    expect(await newSender().send({ ...executed(), to: own.loanGuard })).toMatchObject({ rule: 'selector' });
    // This function would make the proposed account the operator.
    const data = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'acceptOperator' });
    expect(await newSender().send({ ...executed(), data })).toMatchObject({ rule: 'selector' });
  });

  it('refuses another chain than its own', async () => {
    expect(await newSender({ policy: { ...bounded(), chainId: 56 } }).send(executed())).toEqual({
      outcome: 'not_allowed',
      rule: 'chain_id',
    });
  });

  it('refuses a gas price above its limit', async () => {
    const policy = bounded({ maxGasPriceWei: 1n, rescueMaxGasPriceWei: 1n });
    const price = { askedWei: await deployed.chain.getGasPrice(), maxWei: 1n };
    expect(await newSender({ policy }).send(executed())).toEqual({ outcome: 'not_allowed', rule: 'gas_price', price });
  });

  // AG-18
  it('lets a rescue pay more than a run', async () => {
    const askedWei = await deployed.chain.getGasPrice();
    const maxWei = askedWei / 2n;
    const sender = newSender({ policy: bounded({ maxGasPriceWei: maxWei, rescueMaxGasPriceWei: 2n * askedWei }) });
    const dear = { outcome: 'not_allowed', rule: 'gas_price', price: { askedWei, maxWei } };
    expect(await sender.send(executed())).toEqual(dear);
    expect(await sender.send(deferred())).toEqual(dear);
    // Allowed: it gets as far as the simulation, where there is no such guard.
    const rescue = calls.rescue({ id: 77n } as Parameters<Calls['rescue']>[0]);
    expect(await sender.send(rescue)).toEqual({ outcome: 'would_revert', error: 'guard_unknown' });
  });

  it('refuses what the keeper cannot pay for', async () => {
    await deployed.chain.setBalance({ address: alice, value: 1n });
    expect(await newSender().send(executed())).toEqual({ outcome: 'not_allowed', rule: 'balance' });
  });
});

describe('the nonce cursor', () => {
  it('takes calls one after the other, however many come at once', async () => {
    const sender = newSender();
    const before = await nonce();
    const sent = await Promise.all([sender.send(executed(0)), sender.send(executed(1)), sender.send(executed(2))]);
    expect(sent.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await nonce()).toBe(before + 3);
  });

  it('runs a slot once when it is asked twice at once', async () => {
    const sender = newSender();
    const sent = await Promise.all([sender.send(executed()), sender.send(executed())]);
    expect(sent).toMatchObject([{ outcome: 'confirmed' }, { outcome: 'would_revert', error: 'slot_used' }]);
  });

  it('waits for what an earlier life of this key has in flight', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    await signedElsewhere({ ...executed(), gasPrice: 2n * gwei });
    const reborn = newSender();
    expect(await reborn.send(deferred())).toEqual({ outcome: 'not_sent' });
    expect(events.at(-1)).toMatchObject({ event: 'sender.in_flight' });
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    expect(await records()).toBe(1);
    expect(await reborn.send(executed())).toEqual({ outcome: 'would_revert', error: 'slot_used' });
  });

  // nonce-queue.test.ts covers a node that keeps lagging: it is believed after a minute.
  it('WA-6: submits again what an undone block held, and makes it once', async () => {
    const { chain } = deployed;
    const sender = newSender();
    expect(await sender.send(executed(0))).toMatchObject({ outcome: 'confirmed' });
    // Now the node answers as one that has undone the block.
    await chain.revert({ id: clean });
    clean = await chain.snapshot();
    // Its own bytes are in a block before the new call is simulated; otherwise the new call waits for them.
    const { outcome } = await sender.send(executed(0));
    expect(['not_sent', 'would_revert']).toContain(outcome);
    await expect.poll(() => records()).toBe(1);
    expect(await sender.send(executed(0))).toEqual({ outcome: 'would_revert', error: 'slot_used' });
    expect(await records()).toBe(1);
  });
});

/** The most that a run can cost. */
const worstNow = async () => executed().gas * (await deployed.chain.getGasPrice());

/** Keeps the signed bytes, as anybody who sees a transaction in flight could. */
function watchedAccount() {
  const signed: `0x${string}`[] = [];
  const watched = {
    ...account,
    signTransaction: async (...args: Parameters<typeof account.signTransaction>) => {
      const serialized = await account.signTransaction(...args);
      signed.push(serialized);
      return serialized;
    },
  } as typeof account;
  return { watched, signed };
}

describe('a nonce that another process holds', () => {
  /** Waits until every pending transaction of the keeper's does nothing. */
  const onlyNothingWaits = () =>
    expect
      .poll(async () => {
        const { pending } = await deployed.chain.getTxpoolContent();
        return Object.values(pending[alice.toLowerCase() as typeof alice] ?? pending[alice] ?? {}).map(
          ({ input }) => input,
        );
      })
      .toSatisfy((inputs: string[]) => inputs.length > 0 && inputs.every((input) => input === '0x'));

  it('is freed after twice the receipt time, and no sooner; the one that held it never counts', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    const stuck = await signedElsewhere({ ...executed(0), gasPrice: gwei / 4n });
    const before = await nonce();
    let now = 1_000n;
    const sender = newSender({ clock: () => now });
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_sent' });
    now += 59n;
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_sent' });
    expect([await nonce(), broadcasts()]).toEqual([before, 0]);
    now += 1n;
    const sending = sender.send(executed(1));
    await onlyNothingWaits();
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    expect(await sending).toMatchObject({ outcome: 'confirmed' });
    expect(await nonce()).toBe(before + 2);
    expect([await records(0), await records(1)]).toEqual([0, 1]);
    expect(events.filter(({ event }) => event === 'sender.stuck')).toEqual([
      { event: 'sender.stuck', queue: alice, nonces: [BigInt(before)], seconds: 60n },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'sender.reconciled', nonce: BigInt(before), outcome: 'cancelled' }),
    );
    await expect(chain.getTransactionReceipt({ hash: stuck })).rejects.toThrow(/could not be found/);
  });

  it('is bid for step by step, however many there are', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    await signedElsewhere({ ...executed(0), gasPrice: 7n * gwei });
    await signedElsewhere({ ...executed(1), gasPrice: 3n * gwei, ahead: 1 });
    await signedElsewhere({ ...executed(2), gasPrice: 2n * gwei, ahead: 2 });
    const before = await nonce();
    let now = 1_000n;
    const sender = newSender({ clock: () => now });
    expect(await sender.send(deferred(0))).toEqual({ outcome: 'not_sent' });
    now += 60n;
    const sending = sender.send(deferred(0));
    await onlyNothingWaits();
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    expect(await sending).toMatchObject({ outcome: 'confirmed' });
    expect(await nonce()).toBe(before + 4);
    // A deferral is a record, too.
    expect([await records(0), await records(1), await records(2)]).toEqual([1, 0, 0]);
    const paid = events.filter(({ event }) => event === 'sender.cancelling').map(({ gasPrice }) => gasPrice as bigint);
    expect(Math.max(...paid.map(Number))).toBeLessThan(16 * Number(gwei));
  });

  it('is left to what offers more than the ceiling, which is said each time; then that counts', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    await signedElsewhere({ ...executed(0), gasPrice: 20n * gwei });
    let now = 1_000n;
    const sender = newSender({
      clock: () => now,
      policy: bounded({ maxGasPriceWei: 20n * gwei }),
    });
    await sender.send(executed(1));
    for (let time = 0; time < 2; time++) {
      now += 60n;
      events.length = 0;
      expect(await sender.send(executed(1))).toEqual({ outcome: 'not_sent' });
      expect(events.at(-1)).toMatchObject({ event: 'sender.not_cancelled', rule: 'gas_price' });
    }
    await chain.mine({ blocks: 1 });
    await chain.setAutomine(true);
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'confirmed' });
    expect([await records(0), await records(1)]).toEqual([1, 1]);
  });

  it('is left alone when the day bears no more', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    await signedElsewhere({ ...executed(0), gasPrice: gwei });
    let now = 1_000n;
    const sender = newSender({ clock: () => now, policy: bounded({ maxDayWei: gwei }) });
    await sender.send(executed(1));
    now += 60n;
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_sent' });
    expect(events.at(-1)).toMatchObject({ event: 'sender.not_cancelled', rule: 'gas_day' });
  });

  it('is not touched when its transactions go on', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    let now = 1_000n;
    const sender = newSender({ clock: () => now });
    await signedElsewhere({ ...executed(0), gasPrice: 2n * gwei });
    expect(await sender.send(deferred(0))).toEqual({ outcome: 'not_sent' });
    now += 60n;
    await chain.mine({ blocks: 1 });
    await signedElsewhere({ ...executed(1), gasPrice: 2n * gwei });
    expect(await sender.send(deferred(0))).toEqual({ outcome: 'not_sent' });
    await chain.mine({ blocks: 1 });
    expect([await records(0), await records(1), broadcasts()]).toEqual([1, 1, 0]);
  });

  it('is waited for anew when what held it has gone and something else comes', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    let now = 1_000n;
    const sender = newSender({ clock: () => now });
    const first = await signedElsewhere({ ...executed(0), gasPrice: 2n * gwei });
    expect(await sender.send(deferred(0))).toEqual({ outcome: 'not_sent' });
    await chain.dropTransaction({ hash: first });
    // Nothing holds it: the call gets as far as the simulation.
    expect(await sender.send(deferred(0, 0))).toMatchObject({ outcome: 'would_revert' });
    now += 3_600n;
    await signedElsewhere({ ...executed(0), gasPrice: 2n * gwei });
    expect(await sender.send(deferred(0))).toEqual({ outcome: 'not_sent' });
    expect(broadcasts()).toBe(0);
  });

  it('is freed, too, when the node that counts does not know of it', async () => {
    const { chain } = deployed;
    await chain.setAutomine(false);
    await signedElsewhere({ ...executed(0), gasPrice: 2n * gwei });
    let now = 1_000n;
    const client = connectChain(proxy.url);
    const counting: typeof client = {
      ...client,
      getTransactionCount: ({ address }) => client.getTransactionCount({ address, blockTag: 'latest' }),
    };
    const sender = newSender({ client: counting, clock: () => now });
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_sent', isRefused: true });
    expect(events.filter(({ event }) => event === 'sender.cancelling')).toEqual([]);
    now += 60n;
    const sending = sender.send(executed(1));
    await until(() => events.some(({ event }) => event === 'sender.cancelling'));
    await onlyNothingWaits();
    await chain.setAutomine(true);
    await chain.mine({ blocks: 1 });
    // A verdict that has waited this long must be reached again.
    expect(await sending).toEqual({ outcome: 'not_sent', isRefused: true });
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'confirmed' });
    expect([await records(0), await records(1)]).toEqual([0, 1]);
  });
});

// AG-18
describe('the gas of a day', () => {
  const rescue = () => calls.rescue({ id: 77n } as Parameters<Calls['rescue']>[0]);

  it('bounds runs at half and rescues at all of it, in what they can cost at most; midnight begins anew', async () => {
    const price = await deployed.chain.getGasPrice();
    const worst = executed().gas * price;
    // The node may ask for a little less in the next block, and never for more than twice.
    let now = 86_400n * 20_000n + 10n;
    const policy = bounded({ maxDayWei: 2n * worst + worst / 10n });
    const sender = newSender({ policy, clock: () => now });
    expect(await sender.send(executed(0))).toMatchObject({ outcome: 'confirmed' });
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_allowed', rule: 'gas_day' });
    // Its maximum cost is lower.
    expect(await sender.send(deferred(1))).toMatchObject({ outcome: 'confirmed' });
    // Allowed: it gets as far as the simulation, where there is no such guard.
    expect(await sender.send({ ...rescue(), gas: 1_500_000n })).toMatchObject({ outcome: 'would_revert' });
    now += 86_390n;
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'confirmed' });
  });

  /** Its day's gas covers a run at its maximum cost plus 15,000 gas, at a constant gas price. */
  async function tightSender(changes: Partial<SenderOptions> = {}) {
    const client = connectChain(proxy.url);
    const gasPrice = await client.getGasPrice();
    const maxDayWei = 2n * (executed().gas + 15_000n) * gasPrice;
    const steady = { ...client, getGasPrice: async () => gasPrice };
    return newSender({ client: steady, policy: bounded({ maxDayWei }), ...changes });
  }

  it('bears that run, whatever was only simulated before', async () => {
    const sender = await tightSender();
    expect(await sender.send(calls.defer(planAt(1), 0, unsigned('NO_GO', hash), '0x'))).toMatchObject({
      outcome: 'would_revert',
    });
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'confirmed' });
  });

  it('has in it what reverted', async () => {
    const { chain, book } = deployed;
    const sender = await tightSender();
    await chain.setAutomine(false);
    const sending = sender.send(deferred(0));
    await until(() => broadcasts() === 1);
    const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'pause', args: [planAt(0).id] });
    const pause = { from: carol, to: book.own.planRegistry, data, gasPrice: toHex(100n * gwei) };
    await chain.request({ method: 'eth_sendTransaction', params: [pause] } as never);
    await chain.mine({ blocks: 1 });
    await chain.setAutomine(true);
    expect(await sending).toMatchObject({ outcome: 'reverted' });
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_allowed', rule: 'gas_day' });
  });

  it('has in it what was cancelled', async () => {
    const sender = await tightSender(hasty);
    loseFirst();
    expect(await sender.send(deferred(0))).toMatchObject({ outcome: 'cancelled' });
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_allowed', rule: 'gas_day' });
  });

  it('forgets what an earlier process has paid', async () => {
    const policy = bounded({ maxDayWei: 3n * (await worstNow()) });
    expect(await newSender({ policy }).send(executed(0))).toMatchObject({ outcome: 'confirmed' });
    expect(await newSender({ policy }).send(executed(1))).toMatchObject({ outcome: 'confirmed' });
  });
});

// AG-9, WA-6
describe('a call that is in no block in time', () => {
  it('is cancelled in the same attempt: its nonce is used up by nothing, and its bytes are worthless', async () => {
    const { chain } = deployed;
    const { watched, signed } = watchedAccount();
    const sender = newSender({ account: watched, ...hasty });
    loseFirst();
    const before = await nonce();
    const sent = await sender.send(executed(0));
    expect(sent).toEqual({ outcome: 'cancelled', hash: keccak256(signed[0] ?? '0x') });
    expect(await nonce()).toBe(before + 1);
    expect(events.find(({ event }) => event === 'sender.reconciled')).toMatchObject({ outcome: 'cancelled' });
    // A node that has the lost one must still prefer its replacement.
    const { gasPrice: offered = 0n } = parseTransaction(signed[0] ?? '0x');
    const { gasPrice: bid = 0n } = parseTransaction(signed[1] ?? '0x');
    expect(bid * 10n).toBeGreaterThanOrEqual(offered * 11n);

    const late = chain.sendRawTransaction({ serializedTransaction: signed[0] as `0x${string}` });
    await expect(late).rejects.toThrow(/nonce/i);
    expect(await records(0)).toBe(0);
    expect(await sender.send(executed(0))).toMatchObject({ outcome: 'confirmed' });
    expect([await nonce(), await records(0)]).toEqual([before + 2, 1]);
  });

  it('and wins after all is confirmed, though one node knows of its nonce before another of its receipt', async () => {
    const client = connectChain(proxy.url);
    const from = Date.now() + 1_500;
    const lagging: typeof client = {
      ...client,
      getTransactionReceipt: (wanted) => {
        if (Date.now() < from) throw new TransactionReceiptNotFoundError(wanted);
        return client.getTransactionReceipt(wanted);
      },
    };
    const before = await nonce();
    expect(await newSender({ client: lagging }).send(executed(0))).toMatchObject({ outcome: 'confirmed' });
    expect([await nonce(), await records(0), broadcasts()]).toEqual([before + 1, 1, 1]);
  });

  it('is over soon when its nonce is used and its receipt is forgotten', async () => {
    const client = connectChain(proxy.url);
    const forgetful: typeof client = {
      ...client,
      getTransactionReceipt: (wanted) => Promise.reject(new TransactionReceiptNotFoundError(wanted)),
    };
    // A second passes with each look at the clock, so that a busy machine changes nothing.
    let now = 0n;
    const sender = newSender({ client: forgetful, receiptSeconds: 1_000n, clock: () => ++now });
    expect(await sender.send(executed(0))).toMatchObject({ outcome: 'consumed' });
    expect(await records(0)).toBe(1);
    // A busy machine looks more often.
    expect(now).toBeLessThan(100n);
  });

  it('is over when somebody else with the key has used its nonce', async () => {
    const sender = newSender({ policy: bounded({ maxDayWei: 3n * (await worstNow()) }) });
    proxy.fate = (method) => (method === 'eth_sendRawTransaction' ? 'lost' : 'answered');
    const lost = sender.send(executed(0));
    await until(() => broadcasts() > 0);
    await signedElsewhere({ to: carol, data: '0x', gas: 21_000n, gasPrice: 2n * gwei });
    // No receipt proves that it was another one: ours may have been mined and its receipt forgotten.
    expect(await lost).toMatchObject({ outcome: 'consumed' });
    expect(events.at(-1)).toMatchObject({ event: 'sender.reconciled', outcome: 'consumed' });
    proxy.fate = () => 'answered';
    // Nobody knows whose it was, so the day is charged all that ours could have cost.
    expect(await sender.send(executed(0))).toEqual({ outcome: 'not_allowed', rule: 'gas_day' });
    expect(await records(0)).toBe(0);
  });

  it('is told of when the line is back, and nothing is signed meanwhile', async () => {
    const sender = newSender();
    // The node takes the transaction, then the line is dead.
    let cut = false;
    proxy.fate = (method) => {
      cut ||= method === 'eth_sendRawTransaction';
      return method === 'eth_sendRawTransaction' ? 'answer_lost' : cut ? 'lost' : 'answered';
    };
    const before = await nonce();
    const sending = sender.send(executed(0));
    await expect.poll(() => records()).toBe(1);
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_sent' });
    expect(sender.open()).toMatchObject([{ label: executed(0).label }]);
    proxy.fate = () => 'answered';
    expect(await sending).toMatchObject({ outcome: 'confirmed' });
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'confirmed' });
    expect(await nonce()).toBe(before + 2);
    expect([await records(0), await records(1)]).toEqual([1, 1]);
    expect(sender.open()).toEqual([]);
  });

  it('holds up no other one, and is cancelled as soon as the line is back', async () => {
    let now = 1_000n;
    const sender = newSender({ clock: () => now });
    loseFirst();
    const before = await nonce();
    const lost = sender.send(executed(0));
    await until(() => broadcasts() > 0);
    now += 20n;
    const other = sender.send(deferred(1));
    await until(() => sender.open().length === 2);
    // The first one's time is over, the other's is not.
    now += 20n;
    expect(await lost).toMatchObject({ outcome: 'cancelled' });
    expect(await other).toMatchObject({ outcome: 'confirmed' });
    expect(await nonce()).toBe(before + 2);
    expect([await records(0), await records(1)]).toEqual([0, 1]);
  });

  it('stays open while neither it nor what replaces it is mined; then whichever is, is found', async () => {
    const { chain } = deployed;
    const sender = newSender(hasty);
    await chain.setAutomine(false);
    const sending = sender.send(executed(0));
    await until(() => events.some(({ event }) => event === 'sender.cancelling'));
    // One nonce, so one transaction waits: the newest and dearest.
    await expect.poll(async () => (await chain.getTxpoolStatus()).pending).toBe(1);
    expect(sender.open()).toHaveLength(1);
    await expect
      .poll(async () => (await chain.getTxpoolContent()).pending)
      .toSatisfy((pending: object) => JSON.stringify(pending).includes('"input":"0x"'));
    await chain.mine({ blocks: 1 });
    await chain.setAutomine(true);
    expect(await sending).toMatchObject({ outcome: 'cancelled' });
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'confirmed' });
    expect(await records(0)).toBe(0);
    expect(events.filter(({ event }) => event === 'sender.reconciled')).toMatchObject([{ outcome: 'cancelled' }, {}]);
  });

  it('is not ended at any price, and counts when it is mined', async () => {
    const { chain } = deployed;
    const most = await chain.getGasPrice();
    const sender = newSender({ ...hasty, policy: bounded({ maxGasPriceWei: most, rescueMaxGasPriceWei: most }) });
    await chain.setAutomine(false);
    const sending = sender.send(executed(0));
    await until(() => events.some(({ event }) => event === 'sender.not_cancelled'));
    expect(events.find(({ event }) => event === 'sender.not_cancelled')).toMatchObject({ rule: 'gas_price' });
    await chain.mine({ blocks: 1 });
    await chain.setAutomine(true);
    expect(await sending).toMatchObject({ outcome: 'confirmed' });
    expect(await records(0)).toBe(1);
  });

  // AG-71
  it('is accounted for when the process stops, in no time', async () => {
    const { chain } = deployed;
    const sender = newSender();
    await chain.setAutomine(false);
    const sending = sender.send(executed(0));
    await until(() => broadcasts() === 1 && sender.open().length === 1);
    const [{ hash: open } = { hash }] = sender.open();
    sender.stop();
    expect(await sending).toEqual({ outcome: 'unknown', hash: open });
    expect(events.filter(({ event }) => event === 'sender.left_open')).toMatchObject([
      { hash: open, label: executed(0).label, nonce: BigInt(await nonce()) },
    ]);
    expect(await sender.send(executed(1))).toEqual({ outcome: 'not_sent' });
  });

  it('may be ended at the price that a rescue may pay', async () => {
    const most = await deployed.chain.getGasPrice();
    const sender = newSender({ ...hasty, policy: bounded({ maxGasPriceWei: most, rescueMaxGasPriceWei: 2n * most }) });
    loseFirst();
    expect(await sender.send(executed(0))).toMatchObject({ outcome: 'cancelled' });
  });

  it('is none when the node refuses the bytes', async () => {
    const { chain } = deployed;
    const before = await nonce();
    // Between the simulation and the broadcast the keeper's BNB goes elsewhere.
    const spendthrift = {
      ...account,
      signTransaction: async (...args: Parameters<typeof account.signTransaction>) => {
        await chain.setBalance({ address: alice, value: 1n });
        return account.signTransaction(...args);
      },
    } as typeof account;
    expect(await newSender({ account: spendthrift }).send(executed(0))).toEqual({
      outcome: 'not_sent',
      isRefused: true,
    });
    expect(await nonce()).toBe(before);
    await chain.setBalance({ address: alice, value: parseEther('1') });
    expect(await newSender().send(executed(0))).toMatchObject({ outcome: 'confirmed' });
  });
});

it('sends nothing when the node does not answer before the signature', async () => {
  proxy.fate = () => 'lost';
  expect(await newSender().send(executed())).toEqual({ outcome: 'not_sent' });
  proxy.fate = (method) => (method === 'eth_call' ? 'lost' : 'answered');
  expect(await newSender().send(executed())).toEqual({ outcome: 'not_sent' });
  expect(broadcasts()).toBe(0);
});

// WA-6
// WA-6
describe('a nonce that is used while receipts cannot be read', () => {
  it('is free within seconds, and its call is consumed', async () => {
    proxy.fate = (method) => (method === 'eth_getTransactionReceipt' ? 'lost' : 'answered');
    const sender = newSender();
    const startedAt = Date.now();
    expect(await sender.send(executed())).toMatchObject({ outcome: 'consumed' });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
    expect(broadcasts()).toBe(1);
    proxy.fate = () => 'answered';
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'confirmed' });
  });
});

describe('an exception leaves no call without an outcome', () => {
  const failing = () => {
    throw new TypeError('no');
  };

  it('before the signature', async () => {
    const unsigning = { ...account, signTransaction: failing } as unknown as typeof account;
    expect(await newSender({ account: unsigning }).send(executed())).toEqual({ outcome: 'not_sent' });
    const client = { ...connectChain(proxy.url), getGasPrice: failing };
    expect(await newSender({ client }).send(executed())).toEqual({ outcome: 'not_sent' });
    expect(broadcasts()).toBe(0);
  });

  it('at the broadcast', async () => {
    const client = connectChain(proxy.url);
    const odd: typeof client = {
      ...client,
      sendRawTransaction: async (wanted) => {
        await client.sendRawTransaction(wanted);
        return failing();
      },
    };
    expect(await newSender({ client: odd }).send(executed())).toMatchObject({ outcome: 'confirmed' });
  });

  it.each([
    ['nothing in it', {}],
    ['no status', { status: null }],
    ['no price', { effectiveGasPrice: null }],
    ['no block', { blockNumber: null }],
    ['no events', { logs: null }],
    ['another hash', { transactionHash: hash }],
  ])('when the node answers with a receipt that has %s', async (_, changes) => {
    const client = connectChain(proxy.url);
    const odd = {
      ...client,
      getTransactionReceipt: async (wanted: Parameters<typeof client.getTransactionReceipt>[0]) => {
        const receipt = await client.getTransactionReceipt(wanted);
        return Object.keys(changes).length === 0 ? {} : { ...receipt, ...changes };
      },
    } as unknown as typeof client;
    // A clock that runs ten times as fast.
    const clock = () => BigInt(Math.floor(Date.now() / 100));
    const sender = newSender({ client: odd, clock, receiptSeconds: 300n });
    const before = await nonce();
    // Its nonce is used: whatever the node says of receipts, the queue is free.
    expect(await sender.send(executed(0))).toMatchObject({ outcome: 'consumed' });
    expect([await nonce(), await records(0)]).toEqual([before + 1, 1]);
    expect(await sender.send(executed(1))).toMatchObject({ outcome: 'consumed' });
  });
});
