import type { Log } from '@bowline/core/domain/log';
import type { Call, Sent } from '@bowline/core/domain/sending';
import {
  type AbiFunction,
  encodeFunctionResult,
  getAbiItem,
  type Hex,
  RpcRequestError,
  toFunctionSelector,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { swapExecutorAbi } from '../../../abis/index.ts';
import { createBroadcast, createSender } from '../../src/sending/eoa/sender.ts';
import { openKeeper, patience } from '../../src/sending/keeper.ts';
import { createKeyPool } from '../../src/sending/key-pool.ts';
import type { NonceQueue } from '../../src/sending/nonce-queue.ts';
import { type FakeNode, lostLine, startFakeNode } from './fake-node.ts';

// A plain key's queue in virtual time, against a node that misbehaves.

const chainId = 56;
const to = `0x${'c0'.repeat(20)}` as const;
const selector = toFunctionSelector('act()');
const gwei = 1_000_000_000n;
const gas = 100_000n;

let node: FakeNode;
let events: { event: string; level: keyof Log; [field: string]: unknown }[];
const keep =
  (level: keyof Log) =>
  (event: string, fields: Record<string, unknown> = {}) =>
    void events.push({ event, level, ...fields });
const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };

beforeEach(() => {
  events = [];
  node = startFakeNode(chainId);
});

const parts = () => {
  const { client, heads, clock, timers } = node;
  return { client, heads, clock, timers, log, broadcast: createBroadcast([client], log) };
};
function newQueue(maxDayWei = 10n ** 20n, idleMs = 4_000): NonceQueue {
  const account = privateKeyToAccount(generatePrivateKey());
  const policy = { chainId, calls: [{ to, selector, maxGas: gas, maxGasPriceWei: 5n * gwei, maxDayWei }] };
  return createSender({ ...parts(), ...patience, idleMs, account, policy });
}
let serial = 0;
/** Each has different bytes. */
const run = (): Call => ({
  to,
  data: `${selector}${toHex(serial++, { size: 32 }).slice(2)}`,
  value: 0n,
  gas,
  label: 'act',
});
const rescue = (): Call => ({ ...run(), mayActLate: true });

/** Sends, and records the outcome as soon as it is known. */
function sending(queue: Pick<NonceQueue, 'send'>, call: Call) {
  const state: { sent?: Sent; block?: bigint } = {};
  void queue.send(call).then((sent) => Object.assign(state, { sent, block: node.newest() }));
  return state;
}
const executions = ({ data }: Call): number => node.mined.filter((each) => each.data === data).length;
const told = (event: string) => events.filter((each) => each.event === event);
/** Lines that an operator sees. */
const lines = () => events.filter(({ level }) => level !== 'debug').map(({ event }) => event);
/** What the node answers to a transaction that it does not want. */
const underpriced = (): never => {
  const error = { code: -32_000, message: 'replacement transaction underpriced' };
  throw new RpcRequestError({ body: {}, url: 'fake', error });
};
/** Refuses every transaction of this key. */
const refuseFrom = (queue: NonceQueue) => (method: string) =>
  method === 'eth_sendRawTransaction' && node.broadcasts.at(-1)?.from === queue.address.toLowerCase()
    ? underpriced()
    : undefined;

describe('a rescue', () => {
  // WA-6; used to take 31 s
  it.each<[string, (times: number) => unknown]>([
    ['swallowed once', (times) => (times === 1 ? `0x${'00'.repeat(32)}` : undefined)],
    ['answered with an error for three seconds', (times) => (times < 8 ? lostLine() : undefined)],
  ])('that is %s is broadcast again at the next blocks', async (_, fate) => {
    let times = 0;
    node.meddle = (method) => (method === 'eth_sendRawTransaction' ? fate(++times) : undefined);
    const call = rescue();
    const state = sending(newQueue(), call);
    await node.passBlocks(1);
    while (state.sent === undefined && node.newest() < 120n) await node.passBlocks(1);
    expect(state.sent).toMatchObject({ outcome: 'confirmed' });
    expect(executions(call)).toBe(1);
    // The node took it in the block before.
    expect(Number((state.block ?? 0n) - 101n)).toBeLessThanOrEqual(times + 1);
    expect(told('sender.cancelling')).toEqual([]);
  });

  // WA-6
  it('is signed again an eighth higher after every two blocks that pass it over, up to its maximum', async () => {
    node.minGasPrice = 2n * gwei;
    const state = sending(newQueue(), rescue());
    await node.passBlocks(30);
    expect(state.sent).toMatchObject({ outcome: 'confirmed' });
    const prices = [...new Set(node.broadcasts.map(({ gasPrice }) => gasPrice))];
    expect(prices.length).toBeGreaterThan(5);
    for (const [at, price] of prices.slice(1).entries()) {
      expect(price * 8n).toBeGreaterThanOrEqual((prices[at] ?? 0n) * 9n);
    }

    node.minGasPrice = 100n * gwei;
    const never = sending(newQueue(), rescue());
    await node.passBlocks(200);
    expect(never.sent).toBeUndefined();
    expect(node.broadcasts.every(({ gasPrice }) => gasPrice <= 5n * gwei)).toBe(true);
    node.minGasPrice = 0n;
    await node.passBlocks(2);
    expect(never.sent).toMatchObject({ outcome: 'confirmed' });
  });

  it('waits for no other one: twenty of one block are in the next', async () => {
    const queue = newQueue();
    const pool = createKeyPool([newQueue(), queue], undefined, parts());
    const states = Array.from({ length: 20 }, () => sending(pool, rescue()));
    await node.passBlocks(2);
    expect(states.map(({ sent }) => sent?.outcome)).toEqual(Array(20).fill('confirmed'));
    expect(new Set(node.mined.map(({ block }) => block)).size).toBe(1);
  });

  it('has a nonce of its own, and a key keeps thirty-two of them open at most', async () => {
    const queue = newQueue();
    const states = Array.from({ length: 36 }, () => sending(queue, rescue()));
    await node.passBlocks(4);
    expect(states.map(({ sent }) => sent?.outcome)).toEqual(Array(36).fill('confirmed'));
    const inBlocks = [...Map.groupBy(node.mined, ({ block }) => block).values()];
    expect(inBlocks.map(({ length }) => length)).toEqual([32, 4]);
    expect(node.broadcasts.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 36 }, (_, at) => at));
  });

  it('has one request before its broadcast: its simulation', async () => {
    const queue = newQueue();
    sending(queue, rescue());
    // The queue refreshes what it knows without any call.
    await node.passBlocks(40);
    const asked: string[] = [];
    node.meddle = (method) => void asked.push(method);
    sending(queue, rescue());
    await node.passBlocks(1);
    expect(asked.slice(0, 2)).toEqual(['eth_call', 'eth_sendRawTransaction']);
  });

  it('finds what it needs read while it was simulated, and at rest nothing is read', async () => {
    const queue = newQueue(undefined, patience.idleMs);
    await node.passBlocks(2);
    const asked: string[] = [];
    node.meddle = (method) => void asked.push(method);
    await node.passBlocks(100);
    expect(asked).toEqual([]);
    queue.prepare?.();
    await node.passBlocks(1);
    expect(asked).toContain('eth_getTransactionCount');
    asked.length = 0;
    sending(queue, { ...rescue(), isSimulated: true });
    await node.passBlocks(1);
    expect(asked[0]).toBe('eth_sendRawTransaction');
  });

  it('is simulated by nobody twice, unless it had to wait for a free nonce', async () => {
    const asked: string[] = [];
    node.meddle = (method) => void asked.push(method);
    const queue = newQueue();
    const states = Array.from({ length: 33 }, () => sending(queue, { ...rescue(), isSimulated: true }));
    await node.passBlocks(4);
    expect(states.map(({ sent }) => sent?.outcome)).toEqual(Array(33).fill('confirmed'));
    // Only the last one: a key keeps thirty-two open.
    expect(asked.filter((method) => method === 'eth_call')).toHaveLength(1);
  });

  // WA-6; used to take 10 minutes
  it('of an outage in which the node forgot everything holds up nothing', async () => {
    const queue = newQueue();
    let isCut = false;
    node.meddle = (method) => {
      if (isCut) return lostLine();
      isCut = method === 'eth_sendRawTransaction';
      return undefined;
    };
    const first = sending(queue, rescue());
    await node.passBlocks(250);
    expect(executions(rescue())).toBe(0);
    expect(node.mined).toHaveLength(1);
    node.meddle = () => undefined;
    await node.passBlocks(1);
    const next = sending(queue, rescue());
    await node.passBlocks(2);
    expect(next.sent).toMatchObject({ outcome: 'confirmed' });
    await node.passBlocks(10);
    expect(first.sent).toMatchObject({ outcome: 'consumed' });
  });

  // WA-6
  it('is never cancelled, however long the outage', async () => {
    let isCut = false;
    node.meddle = (method) => {
      isCut ||= method === 'eth_sendRawTransaction';
      return isCut ? lostLine() : undefined;
    };
    const call = rescue();
    const state = sending(newQueue(), call);
    await node.passBlocks(1_500);
    expect(state.sent).toBeUndefined();
    node.meddle = () => undefined;
    await node.passBlocks(4);
    expect(state.sent).toMatchObject({ outcome: 'confirmed' });
    expect(executions(call)).toBe(1);
  });
});

// AG-9, WA-6
test('a run is cancelled once its verdict is old, and its bytes are never broadcast again', async () => {
  node.minGasPrice = 50n * gwei;
  const call = run();
  const state = sending(newQueue(), call);
  await node.passBlocks(80);
  const from = node.broadcasts.findIndex(({ data }) => data === '0x');
  expect(from).toBeGreaterThan(0);
  expect(node.broadcasts.slice(from).every(({ data }) => data === '0x')).toBe(true);
  node.minGasPrice = 0n;
  await node.passBlocks(3);
  expect(state.sent).toMatchObject({ outcome: 'cancelled' });
  expect(executions(call)).toBe(0);
});

test('a run that got lost holds up no rescue of another key, and none of its own for longer than a block', async () => {
  const queue = newQueue();
  const pool = createKeyPool([newQueue()], queue, parts());
  let first: unknown;
  node.meddle = (method, [raw]) => {
    if (method !== 'eth_sendRawTransaction' || first !== undefined) return undefined;
    first = raw;
    return `0x${'00'.repeat(32)}`;
  };
  const lost = sending(queue, run());
  await node.passBlocks(1);
  const [own, other] = [sending(queue, rescue()), sending(pool, rescue())];
  await node.passBlocks(1);
  expect(other.sent).toMatchObject({ outcome: 'confirmed' });
  await node.passBlocks(1);
  expect([lost.sent, own.sent]).toMatchObject([{ outcome: 'confirmed' }, { outcome: 'confirmed' }]);
});

// AG-38
test('a key whose nonce an earlier process holds leaves rescues to the others', async () => {
  const [held, free] = [newQueue(), newQueue()];
  const own = held.address.toLowerCase();
  node.meddle = (method, [from, tag]) =>
    method === 'eth_getTransactionCount' && String(from).toLowerCase() === own && tag === 'pending' ? '0x1' : undefined;
  const pool = createKeyPool([held, free], undefined, parts());
  await node.passBlocks(2);
  const state = sending(pool, rescue());
  await node.passBlocks(2);
  expect(state.sent).toMatchObject({ outcome: 'confirmed' });
  expect(node.broadcasts.map(({ from }) => from)).toEqual([free.address.toLowerCase()]);
});

// AG-38
test('a key that every node refuses rests a minute, in which the others send, and each change is one line', async () => {
  const [refused, other, spare] = [newQueue(), newQueue(), newQueue()];
  const pool = createKeyPool([refused, other], spare, parts());
  node.meddle = refuseFrom(refused);
  const outcomes: ReturnType<typeof sending>[] = [];
  // One a block, for 55 seconds.
  for (let each = 0; each < 122; each++) {
    outcomes.push(sending(pool, rescue()));
    await node.passBlocks(1);
  }
  await node.passBlocks(2);
  expect(outcomes.every(({ sent }) => sent?.outcome === 'confirmed')).toBe(true);
  expect(node.broadcasts.filter(({ from }) => from === refused.address.toLowerCase())).toHaveLength(1);
  expect(lines()).toEqual(['sender.broadcast_failed', 'sender.cannot_send']);
  // It is asked again after a minute; after another minute, the node accepts what it signs.
  const calls = () =>
    node.broadcasts.filter(({ from, data }) => from === refused.address.toLowerCase() && data !== '0x');
  for (const asked of [2, 3]) {
    await node.passBlocks(135);
    if (asked === 3) node.meddle = () => undefined;
    const late = sending(pool, rescue());
    await node.passBlocks(3);
    expect(late.sent).toMatchObject({ outcome: 'confirmed' });
    expect(calls()).toHaveLength(asked);
  }
  const changes = lines().filter((event) => /broadcast|send$/.test(event));
  expect(changes).toEqual([
    ...['sender.broadcast_failed', 'sender.cannot_send'],
    ...['sender.broadcast_taken', 'sender.can_send'],
  ]);
});

test('a key that is alone and refused climbs through its cancellations once a minute, and says so once', async () => {
  const queue = newQueue();
  node.meddle = refuseFrom(queue);
  let state = sending(queue, rescue());
  // Two minutes and a quarter, in which the call is tried again and again.
  for (let each = 0; each < 75; each++) {
    await node.passBlocks(4);
    if (state.sent === undefined) continue;
    expect(state.sent).toMatchObject({ outcome: 'not_sent' });
    state = sending(queue, rescue());
  }
  const cancellations = new Set<Hex>(node.broadcasts.flatMap(({ data, raw }) => (data === '0x' ? [raw] : [])));
  // 1, 2, 4 and 5 gwei, which is the maximum here.
  expect(cancellations.size).toBe(4);
  expect(node.broadcasts.filter(({ data }) => data === '0x').length).toBeLessThanOrEqual(2 * 4);
  const counts = Object.fromEntries(
    [...new Set(lines())].map((event) => [event, lines().filter((each) => each === event).length]),
  );
  expect(counts).toEqual({
    ...{ 'sender.broadcast_failed': 1, 'sender.stuck': 2 },
    ...{ 'sender.cancelling': 2, 'sender.not_cancelled': 2 },
  });
});

// AG-38
describe('a rescue that a node takes and does not pass on', () => {
  const swallowFrom = (queue: NonceQueue) => (method: string) =>
    method === 'eth_sendRawTransaction' && node.broadcasts.at(-1)?.from === queue.address.toLowerCase()
      ? toHex(1, { size: 32 })
      : undefined;
  const anybodys = (): Call => ({ ...rescue(), byAnybody: true });

  it('is sent by a second key after three blocks, and by no third one', async () => {
    const queues = [newQueue(), newQueue(), newQueue()] as const;
    const pool = createKeyPool(queues, undefined, parts());
    node.meddle = (method) => swallowFrom(queues[0])(method) ?? swallowFrom(queues[1])(method);
    const state = sending(pool, anybodys());
    await node.passBlocks(2);
    const senders = () => [...new Set(node.broadcasts.map(({ from }) => from))];
    expect(senders()).toHaveLength(1);
    await node.passBlocks(2);
    expect(senders()).toHaveLength(2);
    await node.passBlocks(30);
    expect(senders()).toHaveLength(2);
    expect(state.sent).toBeUndefined();
    expect(told('sender.cannot_send')).toMatchObject([{ address: queues[0].address, rule: 'not_mined' }]);
    // The next one goes to the key with no known fault.
    const next = sending(pool, anybodys());
    await node.passBlocks(2);
    expect(next.sent).toMatchObject({ outcome: 'confirmed' });
  });

  it('is not sent twice where anybody else but a rescue would be executed twice', async () => {
    const [first, second] = [newQueue(), newQueue()];
    const pool = createKeyPool([first, second], undefined, parts());
    node.meddle = swallowFrom(first);
    const state = sending(pool, run());
    await node.passBlocks(60);
    expect(node.broadcasts.every(({ from }) => from === first.address.toLowerCase())).toBe(true);
    expect(state.sent).toBeUndefined();
  });

  it('is not sent again where its block is known and its receipt is not', async () => {
    const [first, second] = [newQueue(), newQueue()];
    const pool = createKeyPool([first, second], undefined, parts());
    node.meddle = (method) => (method === 'eth_getTransactionReceipt' ? lostLine() : undefined);
    sending(pool, anybodys());
    await node.passBlocks(6);
    expect(node.broadcasts.every(({ from }) => from === first.address.toLowerCase())).toBe(true);
  });
});

test('the budget of a day has in it what is open', async () => {
  const queue = newQueue(2n * gas * gwei);
  node.minGasPrice = 50n * gwei;
  const [first, second] = [sending(queue, rescue()), sending(queue, rescue())];
  await node.passBlocks(1);
  const third = sending(queue, rescue());
  await node.passBlocks(10);
  expect(third.sent).toEqual({ outcome: 'not_allowed', rule: 'gas_day' });
  // The day's gas is not spent on a higher price either.
  expect(new Set(node.broadcasts.map(({ gasPrice }) => gasPrice))).toEqual(new Set([gwei]));
  node.minGasPrice = 0n;
  await node.passBlocks(2);
  expect([first.sent, second.sent]).toMatchObject([{ outcome: 'confirmed' }, { outcome: 'confirmed' }]);
});

test('a call of which nobody tells what it cost counts towards the day at its maximum', async () => {
  const queue = newQueue(2n * gas * gwei - 1n);
  node.memory = 0n;
  const first = sending(queue, rescue());
  await node.passBlocks(20);
  expect(first.sent).toMatchObject({ outcome: 'consumed' });
  const second = sending(queue, rescue());
  await node.passBlocks(2);
  expect(second.sent).toEqual({ outcome: 'not_allowed', rule: 'gas_day' });
});

describe('a node that lags or lies', () => {
  const counts = (from: string, fewer: number) => (method: string, params: readonly unknown[]) =>
    method === 'eth_getTransactionCount'
      ? toHex(Math.max(0, node.mined.filter((each) => each.from === from).length - fewer))
      : params.length < 0 || undefined;

  // WA-6
  it('makes it reuse no nonce', async () => {
    const queue = newQueue();
    sending(queue, rescue());
    await node.passBlocks(3);
    node.meddle = counts(queue.address.toLowerCase(), 1);
    await node.passBlocks(15);
    const state = sending(queue, rescue());
    await node.passBlocks(2);
    expect(state.sent).toEqual({ outcome: 'not_sent' });
    expect(told('sender.node_behind').length).toBeGreaterThan(0);
    node.meddle = () => undefined;
    await node.passBlocks(1);
    const next = sending(queue, rescue());
    await node.passBlocks(2);
    expect(next.sent).toMatchObject({ outcome: 'confirmed' });
  });

  it('and counts a nonce as used that is not frees nothing for good', async () => {
    const queue = newQueue();
    node.minGasPrice = 50n * gwei;
    const call = rescue();
    const state = sending(queue, call);
    await node.passBlocks(1);
    node.meddle = (method) => (method === 'eth_getTransactionCount' ? '0x1' : undefined);
    await node.passBlocks(2);
    node.meddle = () => undefined;
    node.minGasPrice = 0n;
    await node.passBlocks(3);
    expect(state.sent).toMatchObject({ outcome: 'confirmed' });
    expect(executions(call)).toBe(1);
  });

  it('and forges a receipt is not believed before the nonce is used', async () => {
    node.minGasPrice = 50n * gwei;
    node.meddle = (method) => (method === 'eth_getTransactionReceipt' ? { status: '0x1' } : undefined);
    const state = sending(newQueue(), rescue());
    await node.passBlocks(20);
    expect(state.sent).toBeUndefined();
  });
});

// WA-6
test('what an undone block held is broadcast again', async () => {
  const queue = newQueue();
  const first = rescue();
  sending(queue, first);
  await node.passBlocks(2);
  node.undo(queue.address.toLowerCase());
  const next = sending(queue, rescue());
  await node.passBlocks(3);
  expect(executions(first)).toBe(1);
  const later = sending(queue, rescue());
  await node.passBlocks(2);
  expect([next, later].map(({ sent }) => sent?.outcome)).toContain('confirmed');
});

// WA-6
test('a nonce whose block was undone is freed after a minute, so that later ones go on', async () => {
  const queue = newQueue();
  const own = queue.address.toLowerCase();
  sending(queue, rescue());
  await node.passBlocks(2);
  node.undo(own);
  const next = sending(queue, rescue());
  const isUndone = () => told('sender.block_undone').length === 0;
  // The node accepts a broadcast and forgets it.
  node.meddle = (method) => (method === 'eth_sendRawTransaction' && isUndone() ? toHex(1, { size: 32 }) : undefined);
  await node.passBlocks(200);
  expect(told('sender.block_undone')).toHaveLength(1);
  expect(next.sent).toMatchObject({ outcome: 'confirmed' });
});

// WA-6
test('a node that counts a million nonces too many costs a minute, and nothing else', async () => {
  const queue = newQueue();
  node.meddle = (method) => (method === 'eth_getTransactionCount' ? toHex(1_000_000) : undefined);
  const misled = sending(queue, rescue());
  await node.passBlocks(1);
  node.meddle = () => undefined;
  await node.passBlocks(150);
  expect(misled.sent).toEqual({ outcome: 'not_sent' });
  const next = sending(queue, rescue());
  await node.passBlocks(2);
  expect(next.sent).toMatchObject({ outcome: 'confirmed' });
  expect(node.mined).toHaveLength(1);
});

// WA-6: D6 and similar faults
test('whatever fails at random, each call has one outcome, and it is what the chain says', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    node = startFakeNode(chainId);
    let state = seed * 7_919;
    const chance = (percent: number): boolean => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state / 2 ** 32) * 100 < percent;
    };
    let isFaulty = true;
    node.meddle = (method) => {
      if (!isFaulty || !chance(20)) return undefined;
      return method === 'eth_sendRawTransaction' && chance(50) ? `0x${'00'.repeat(32)}` : lostLine();
    };
    const queues = [newQueue(), newQueue()];
    const open: { readonly call: Call; readonly state: ReturnType<typeof sending> }[] = [];
    for (let each = 0; each < 24; each++) {
      node.minGasPrice = chance(30) ? 3n * gwei : 0n;
      const call = chance(50) ? run() : rescue();
      open.push({ call, state: sending(queues[each % 2] as NonceQueue, call) });
      await node.passBlocks(each % 3);
    }
    await node.passBlocks(90);
    isFaulty = false;
    node.minGasPrice = 0n;
    await node.passBlocks(30);
    for (const {
      call,
      state: { sent },
    } of open) {
      const times = executions(call);
      const expected = { confirmed: [1], cancelled: [0], not_sent: [0], consumed: [0, 1] }[
        sent?.outcome as 'confirmed'
      ];
      expect({ seed, sent, isTrue: expected?.includes(times) }).toMatchObject({ isTrue: true });
    }
    expect(queues.flatMap((queue) => queue.open())).toEqual([]);
  }
});

// AG-71; used to take 94 s
test('SIGTERM: what is open is accounted for within five seconds', async () => {
  const own = { loanGuard: to, swapExecutor: to };
  const book = { own, accountAbstraction: { entryPoint: to } } as never;
  const gasBounds = { maxGasPriceWei: gwei, rescueMaxGasPriceWei: 5n * gwei, maxDayWei: 10n ** 20n };
  const rescuers = [privateKeyToAccount(generatePrivateKey())];
  const keeper = await openKeeper({ ...parts(), book, rescuers, chainId, gasBounds });
  const data = `${toFunctionSelector('rescue(uint256)')}${toHex(7, { size: 32 }).slice(2)}` as const;
  node.meddle = (method) => (method === 'eth_sendRawTransaction' ? lostLine() : undefined);
  const state = sending(keeper.sender, { ...rescue(), data, byAnybody: true });
  await node.passBlocks(4);
  const [open] = keeper.open();
  expect(open).toMatchObject({ label: 'act' });
  let isStopped = false;
  void keeper.stop().then(() => {
    isStopped = true;
  });
  await node.passBlocks(10);
  expect([isStopped, state.sent]).toMatchObject([true, { outcome: 'unknown' }]);
  const { hash } = state.sent as { hash: string };
  expect(told('sender.left_open')).toMatchObject([{ hash, nonce: 0n, mayActLate: true }]);
  const before = node.broadcasts.length;
  await node.passBlocks(5);
  expect(node.broadcasts).toHaveLength(before);
});

// AG-67
test('a key with which somebody else sends is told of for ten minutes, but not what an earlier process has left open', async () => {
  const queue = newQueue();
  const used = { of: 0 };
  node.meddle = (method) => (method === 'eth_getTransactionCount' ? toHex(used.of) : undefined);
  await queue.isOpen(run());
  // Mined in the first minute.
  used.of = 1;
  await node.passBlocks(100);
  expect([queue.isShared(), told('sender.key_shared')]).toEqual([false, []]);
  await node.passBlocks(60);
  used.of = 2;
  await node.passBlocks(20);
  used.of = 3;
  await node.passBlocks(20);
  expect([queue.isShared(), told('sender.key_shared').map(({ nonce }) => nonce)]).toEqual([true, [1n]]);
  await node.passBlocks(1_400);
  expect(queue.isShared()).toBe(false);
});

// AG-67
test('its own transactions, and those of a block that is undone, are nobody else’s', async () => {
  const queue = newQueue();
  await node.passBlocks(200);
  for (let count = 0; count < 3; count += 1) {
    const { sent } = await untilSent(queue);
    expect(sent).toMatchObject({ outcome: 'confirmed' });
  }
  node.undo(queue.address.toLowerCase());
  // Until the undone block is believed.
  node.minGasPrice = 100n * gwei;
  await node.passBlocks(200);
  expect(told('sender.block_undone')).toHaveLength(1);
  node.minGasPrice = 0n;
  await node.passBlocks(100);
  expect(node.mined.filter(({ from }) => from === queue.address.toLowerCase())).toHaveLength(3);
  expect([queue.isShared(), told('sender.key_shared')]).toEqual([false, []]);
});

async function untilSent(queue: NonceQueue) {
  const state = sending(queue, rescue());
  for (let blocks = 0; blocks < 20 && state.sent === undefined; blocks += 1) await node.passBlocks(1);
  return state;
}

// AG-67
test('a keeper knows that the day’s gas is too little for a run, until midnight or a run that is made', async () => {
  const swapExecutor = `0x${'5e'.repeat(20)}` as const;
  const own = { loanGuard: to, swapExecutor };
  const account = privateKeyToAccount(generatePrivateKey());
  const operator = encodeFunctionResult({ abi: swapExecutorAbi, functionName: 'operator', result: account.address });
  const selectorOf = (name: 'operator' | 'execute' | 'defer') =>
    toFunctionSelector(getAbiItem({ abi: swapExecutorAbi, name }) as AbiFunction);
  node.meddle = (method, params) => {
    const { data } = (params[0] ?? {}) as { data?: string };
    return method === 'eth_call' && data === selectorOf('operator') ? operator : undefined;
  };
  const price = await node.client.getGasPrice();
  // Half of the day's gas is what one run may cost at most.
  const gasBounds = { maxGasPriceWei: 5n * gwei, rescueMaxGasPriceWei: 5n * gwei, maxDayWei: 400_000n * price };
  const book = { own, accountAbstraction: { entryPoint: to } } as never;
  const keeper = await openKeeper({ ...parts(), book, account, rescuers: [], chainId, gasBounds });
  const call = (name: 'execute' | 'defer', gas: bigint): Call => {
    return { ...run(), to: swapExecutor, data: `${selectorOf(name)}${toHex(serial, { size: 32 }).slice(2)}`, gas };
  };
  const large = sending(keeper.sender, call('execute', 200_001n));
  await node.passBlocks(2);
  expect([large.sent, keeper.isGasDayUsed()]).toEqual([{ outcome: 'not_allowed', rule: 'gas_day' }, true]);
  // A refused deferral says nothing about runs; a run that is made shows that there is enough gas.
  const small = sending(keeper.sender, call('execute', 100_000n));
  await node.passBlocks(4);
  expect([small.sent, keeper.isGasDayUsed()]).toMatchObject([{ outcome: 'confirmed' }, false]);
  const deferral = sending(keeper.sender, call('defer', 250_000n));
  await node.passBlocks(2);
  expect([deferral.sent, keeper.isGasDayUsed()]).toEqual([{ outcome: 'not_allowed', rule: 'gas_day' }, false]);
  await keeper.stop();
});
