import { setTimeout as sleep } from 'node:timers/promises';
import { connectChain } from '@bowline/chain/chain-client';
import type { Head, Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import { readinessOf } from '@bowline/core/domain/readiness';
import type { Call, ChainEvent, Sent } from '@bowline/core/domain/sending';
import { timers } from '@bowline/http/clock';
import { encodeFunctionData, parseEther, parseGwei, toFunctionSelector } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { erc20Abi } from '../../../lab/world/abis.ts';
import { tokens } from '../../../lab/world/addresses.ts';
import { type Chain, connect } from '../../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../../lab/world/fork.ts';
import { type RpcProxy, startRpcProxy } from '../../../packages/chain/test/rpc-proxy.ts';
import { listed } from '../../src/process/conditions.ts';
import { createMetrics } from '../../src/process/metrics.ts';
import { createSender } from '../../src/sending/eoa/sender.ts';
import { gasLooks } from '../../src/sending/keeper.ts';
import { createKeyPool } from '../../src/sending/key-pool.ts';
import type { NonceQueue } from '../../src/sending/nonce-queue.ts';
import { noHeads, sendingOn } from './sending.ts';

// AG-38, by two keys on a real chain, behind a line that can be cut.

let local: LocalChain;
let chain: Chain;
let line: RpcProxy;
let events: { event: string; level: string; [field: string]: unknown }[];
let queues: NonceQueue[] = [];
let preferred: PrivateKeyAccount;
let spare: PrivateKeyAccount;

beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
  line = await startRpcProxy(local.url);
});
afterAll(async () => {
  await line?.stop();
  await local?.stop();
});
beforeEach(async () => {
  line.fate = () => 'answered';
  events = [];
  preferred = privateKeyToAccount(generatePrivateKey());
  spare = privateKeyToAccount(generatePrivateKey());
  await fill(spare);
});
afterEach(async () => {
  for (const queue of queues) queue.stop();
  queues = [];
  await chain.request({ method: 'anvil_dropAllTransactions' } as never);
  await chain.setAutomine(true);
});

const told =
  (level: string) =>
  (event: string, fields: Record<string, unknown> = {}): void =>
    void events.push({ event, level, ...fields });
const log: Log = { debug: told('debug'), info: told('info'), warn: told('warn'), error: told('error') };
const fill = ({ address }: PrivateKeyAccount, ether = '1') => chain.setBalance({ address, value: parseEther(ether) });
const changes = () =>
  events.filter(({ event }) => /^sender\.can(not)?_pay$/.test(event)).map(({ event, rule }) => [event, rule]);

const [transfer, approval] = [
  toFunctionSelector('transfer(address,uint256)'),
  toFunctionSelector('approve(address,uint256)'),
];

function senderOf(account: PrivateKeyAccount, change: { dayWei?: bigint; priceWei?: bigint } = {}): NonceQueue {
  const client = connectChain(line.url);
  const allowed = {
    to: tokens.USDT,
    maxGas: 200_000n,
    maxGasPriceWei: change.priceWei ?? parseGwei('20'),
    maxDayWei: change.dayWei ?? parseEther('1'),
  };
  const policy = { chainId: localChainId, calls: [transfer, approval].map((selector) => ({ ...allowed, selector })) };
  const queue = createSender({ ...sendingOn(client, log), account, policy, receiptSeconds: 10n });
  queues.push(queue);
  return queue;
}

/** Moves nothing, and fails where `amount` is above 0. */
const call = (amount = 0n): Call => ({
  to: tokens.USDT,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [spare.address, amount] }),
  value: 0n,
  gas: 200_000n,
  label: 'transfer',
});
/** Approves `amount` for somebody, whoever calls. */
const amounting = (amount: bigint): Call => ({
  ...call(),
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spare.address, amount] }),
});
const sentBy = async () =>
  Promise.all([preferred, spare].map(({ address }) => chain.getTransactionCount({ address, blockTag: 'pending' })));

describe('a key that cannot pay', () => {
  it('is passed over in the same attempt, and the call is done once', async () => {
    const keys = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log, timers });
    expect(await keys.send(call())).toMatchObject({ outcome: 'confirmed' });
    expect(await sentBy()).toEqual([0, 1]);
    expect(await keys.send(call())).toMatchObject({ outcome: 'confirmed' });
    expect(await sentBy()).toEqual([0, 2]);
    const { address } = preferred;
    expect(events.filter(({ level }) => level !== 'debug')).toEqual([
      { event: 'sender.cannot_pay', level: 'warn', address, rule: 'balance', instead: spare.address },
    ]);
  });

  it('has the call again as soon as it can pay, and each change is logged once', async () => {
    const keys = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log, timers });
    await keys.send(call());
    await fill(preferred);
    await keys.send(call());
    await keys.send(call());
    expect(await sentBy()).toEqual([2, 1]);
    // Too little for this call's gas counts as nothing.
    await fill(preferred, '0.000000001');
    await keys.send(call());
    await keys.send(call());
    expect(await sentBy()).toEqual([2, 3]);
    const [emptied, filled] = [
      ['sender.cannot_pay', 'balance'],
      ['sender.can_pay', undefined],
    ];
    expect(changes()).toEqual([emptied, filled, emptied]);
  });

  it('may have spent what it may spend in a day', async () => {
    await fill(preferred);
    const keys = createKeyPool([senderOf(preferred, { dayWei: 1n })], senderOf(spare), { heads: noHeads, log, timers });
    expect(await keys.send(call())).toMatchObject({ outcome: 'confirmed' });
    expect(await sentBy()).toEqual([0, 1]);
    expect(changes()).toEqual([['sender.cannot_pay', 'gas_day']]);
  });

  it('is said to have no money when no other key has any either', async () => {
    await fill(spare, '0');
    const keys = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log, timers });
    expect(keys.canSend()).toBe(true);
    expect(await keys.send(call())).toEqual({ outcome: 'not_allowed', rule: 'balance' });
    expect(await sentBy()).toEqual([0, 0]);
    // Nobody waits for it then.
    expect(keys.canSend()).toBe(false);
    await fill(spare);
    await keys.send(call());
    expect(keys.canSend()).toBe(true);
  });

  it('shows in the counters of /metrics, each call', async () => {
    const metrics = createMetrics(log);
    const keys = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log: metrics.log, timers });
    await keys.send(call());
    await keys.send(call());
    const { text } = await metrics.expose();
    expect(text).toMatch(/^bowline_events_total\{event="sender\.cannot_pay",level="warn"\} 1$/m);
    expect(text).toMatch(/^bowline_events_total\{event="sender\.fell_back",level="debug"\} 2$/m);
  });
});

// AG-38
describe('calls are spread', () => {
  it('over the keys that can pay, so that many are in the next block', async () => {
    const [third, fourth] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())];
    await Promise.all([fill(preferred), fill(third)]);
    await chain.setAutomine(false);
    const keys = createKeyPool([senderOf(fourth), senderOf(preferred), senderOf(third)], senderOf(spare), {
      heads: noHeads,
      log,
      timers,
    });
    const sending = Array.from({ length: 6 }, (_, at) => keys.send({ ...amounting(BigInt(at)), mayActLate: true }));
    const waiting = async () => (await chain.getTxpoolStatus()).pending;
    await expect.poll(waiting).toBe(6);
    await chain.mine({ blocks: 1 });
    expect((await Promise.all(sending)).map(({ outcome }) => outcome)).toEqual(Array(6).fill('confirmed'));
    const counts = await Promise.all(
      [fourth, preferred, third, spare].map(({ address }) => chain.getTransactionCount({ address })),
    );
    expect(counts).toEqual([0, 3, 3, 0]);
  });
});

// AG-38
describe('a rescue that three blocks have passed over', () => {
  const event = (data: `0x${string}`): ChainEvent => ({ address: tokens.USDT, topics: [], data });
  const confirmed = (block: bigint, data: `0x${string}`): Sent => ({
    ...{ outcome: 'confirmed', hash: data, block, gasUsed: 1n },
    events: [event(data)],
  });

  /** Two keys that answer when they are told to, after four blocks. */
  async function passedOver(doubt: Pick<Call, 'isDoubtful'>) {
    const listeners = new Set<(head: Head) => void>();
    const heads: Heads = {
      newest: () => undefined,
      onHead(listen) {
        listeners.add(listen);
        return () => void listeners.delete(listen);
      },
    };
    const answers = [Promise.withResolvers<Sent>(), Promise.withResolvers<Sent>()] as const;
    const asked = new Set<0 | 1>();
    const queueOf = (at: 0 | 1): NonceQueue => ({
      ...{ address: spare.address, underWay: () => at, isHeld: () => false, isShared: () => false },
      ...{ isOpen: async () => true, open: () => [], stop() {} },
      send: () => asked.add(at) && answers[at].promise,
    });
    const pool = createKeyPool([queueOf(0), queueOf(1)], undefined, { heads, log, timers });
    const sending = pool.send({ ...call(), byAnybody: true, ...doubt });
    for (const number of [1n, 2n, 3n, 4n]) {
      for (const listen of listeners) listen({ number, timestamp: 0n, hash: '0x' });
    }
    await sleep(10);
    return { answers, asked: [...asked], sending };
  }

  it('is sent by a second key, and each that was made in either counts', async () => {
    const { answers, asked, sending } = await passedOver({});
    expect(asked).toEqual([0, 1]);
    // Both are in one block, in which the first key's came first.
    answers[1].resolve(confirmed(5n, '0x02'));
    await sleep(10);
    answers[0].resolve(confirmed(5n, '0x01'));
    expect(await sending).toMatchObject({ block: 5n, events: expect.arrayContaining([event('0x01'), event('0x02')]) });
  });

  it('is sent by one key alone if nodes contradict each other on it: a second one would pay for the same revert', async () => {
    const { answers, asked, sending } = await passedOver({ isDoubtful: true });
    expect(asked).toEqual([0]);
    answers[0].resolve(confirmed(5n, '0x01'));
    expect(await sending).toMatchObject({ block: 5n });
  });
});

describe('the next key is not tried', () => {
  beforeEach(() => fill(preferred));

  it('while the call is open, whatever the key holds by then', async () => {
    await chain.setAutomine(false);
    let isCut = false;
    line.fate = (method) => {
      if (isCut) return 'lost';
      isCut = method === 'eth_sendRawTransaction';
      return isCut ? 'answer_lost' : 'answered';
    };
    const keys = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log, timers });
    const sending = keys.send({ ...call(), mayActLate: true });
    await expect.poll(sentBy).toEqual([1, 0]);
    // A call that an emptied key has signed may still be mined, because the key may be refilled.
    line.fate = () => 'answered';
    await fill(preferred, '0');
    await sleep(500);
    expect(await sentBy()).toEqual([1, 0]);
    await fill(preferred);
    await chain.mine({ blocks: 1 });
    expect(await sending).toMatchObject({ outcome: 'confirmed' });
    expect(await sentBy()).toEqual([1, 0]);
  });

  it('where what was signed got lost, or the node did not answer', async () => {
    const keys = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log, timers });
    let first: unknown;
    line.fate = (method, body) => {
      if (method !== 'eth_sendRawTransaction') return 'answered';
      const [raw] = JSON.parse(body).params;
      first ??= raw;
      return raw === first ? 'lost' : 'answered';
    };
    expect(await keys.send(call())).toMatchObject({ outcome: 'cancelled' });
    // New keys that have read nothing: the old ones may still have an earlier reading under way.
    const others = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log, timers });
    line.fate = (method) => (method === 'eth_getBalance' ? 'lost' : 'answered');
    expect(await others.send(call())).toEqual({ outcome: 'not_sent' });
    // The first of them does nothing.
    expect(await sentBy()).toEqual([1, 0]);
    expect(changes()).toEqual([]);
  });

  it.each<Sent>([
    { outcome: 'consumed', hash: '0x01' },
    { outcome: 'unknown', hash: '0x01' },
  ])('after $outcome: the call may have been executed', async (sent) => {
    const asked: number[] = [];
    const queueOf = (at: number): NonceQueue => ({
      ...{
        address: spare.address,
        underWay: () => at,
        isHeld: () => false,
        isShared: () => false,
        isOpen: async () => true,
      },
      ...{ open: () => [], stop() {} },
      send: async () => {
        asked.push(at);
        return sent;
      },
    });
    const pool = createKeyPool([queueOf(0), queueOf(1)], undefined, { heads: noHeads, log, timers });
    expect(await pool.send(call())).toEqual(sent);
    expect(asked).toEqual([0]);
  });

  it('where the call would fail, or another rule forbids it', async () => {
    const keys = createKeyPool([senderOf(preferred)], senderOf(spare), { heads: noHeads, log, timers });
    expect(await keys.send(call(1n))).toMatchObject({ outcome: 'would_revert' });
    expect(await keys.send({ ...call(), gas: 300_000n })).toEqual({ outcome: 'not_allowed', rule: 'gas' });
    const dear = createKeyPool([senderOf(preferred, { priceWei: 1n })], senderOf(spare), {
      heads: noHeads,
      log,
      timers,
    });
    expect(await dear.send(call())).toEqual({
      ...{ outcome: 'not_allowed', rule: 'gas_price' },
      price: { askedWei: expect.any(BigInt), maxWei: 1n },
    });
    expect(await sentBy()).toEqual([0, 0]);
  });
});

describe('/ready', () => {
  const rescuer = async () => {
    const keeper = { payers: { rescuer: preferred.address }, minGas: { rescuer: 5_000_000n } };
    const { ready, dependencies } = await readinessOf(gasLooks(connectChain(line.url), keeper).map(listed));
    return { ready, ...dependencies.rescuer };
  };

  it('lists a key that cannot pay for one rescue as without money, and is ready all the same', async () => {
    const detail = expect.stringMatching(
      /^0x\w{40} holds 0 BNB, too little to pay for gas: one call may take 0\.\d+ BNB/,
    );
    expect(await rescuer()).toEqual({ ready: true, ok: false, reason: 'balance_too_low', needed: false, detail });
    await fill(preferred, '0.000001');
    expect(await rescuer()).toMatchObject({ ready: true, ok: false });
    await fill(preferred);
    expect(await rescuer()).toEqual({
      ready: true,
      ok: true,
      needed: false,
      detail: `${preferred.address} holds 1 BNB`,
    });
  });
});
