import type { Payment } from '@bowline/core/domain/payment';
import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import {
  cancelled,
  FINAL,
  hashOf,
  type Logged,
  lookAt,
  moved,
  type NodeOptions,
  nodeOf,
  paid,
  paidAt,
  payment,
  settled,
  since,
  type Transaction,
  thief,
  used,
  validBefore,
} from './written-chain.ts';

// What the chain shows of a payment, according to nodes that lag, forget, hide or lie.

const [never, early] = [1_000_000n, validBefore - 1n];
const elsewhere = { state: 'void', reason: 'used_elsewhere', isFinal: false };
const permit: Payment = { ...payment, method: 'permit2-exact' };

const logged = (logs: readonly Logged[], options: NodeOptions = {}) => nodeOf([{ block: paidAt, logs }], options);

test('PY-9: the authorisation used and the transfer to us, in either order, with whatever else around', async () => {
  for (const logs of [
    [used(7n), moved()],
    [moved(), used(7n)],
    [used(7n), moved(undefined, 101n)],
    [moved(thief), used(9n), used(7n), moved(), moved(thief)],
  ]) {
    expect(await lookAt([logged(logs)], { now: early })).toEqual(paid);
    expect(await lookAt([logged(logs, { hidesLogs: true })], { now: early, named: [hashOf(0)] })).toEqual(paid);
  }
});

test('PY-9: anything less is no proof', async () => {
  const elsewhereToken = { ...moved(), address: thief };
  for (const [name, logs] of Object.entries({
    'use alone': [used(7n)],
    'another payee': [used(7n), moved(thief)],
    'too little': [used(7n), moved(undefined, 99n)],
    'in pieces': [used(7n), moved(undefined, 60n), moved(undefined, 40n)],
    'another token moved': [used(7n), elsewhereToken],
  })) {
    expect(await lookAt([logged(logs)], { now: early }), name).toEqual(elsewhere);
  }
  expect(await lookAt([logged([cancelled(), moved()])], { now: early })).toEqual({ ...elsewhere, reason: 'cancelled' });
  const named = { now: early, named: [hashOf(0)] };
  for (const logs of [[moved()], [used(8n), moved()], [{ ...used(7n), address: thief }, moved()]]) {
    expect(await lookAt([logged(logs, { usedFrom: never })], named)).toEqual({ state: 'unused', isPending: false });
  }
  const reverted = nodeOf([{ block: paidAt, logs: [used(7n), moved()], status: 'reverted' }], { usedFrom: never });
  expect(await lookAt([reverted], named)).toEqual({ state: 'unused', isPending: false });
});

test('PY-9: no transfer proves two payments, whatever is used in its transaction', async () => {
  const owners = new Map<string, string>();
  const claim = async (transfer: string, key: string) => {
    if (!owners.has(transfer)) owners.set(transfer, key);
    return owners.get(transfer) === key;
  };
  const signed = [7n, 8n, 9n].map((nonce): Payment => {
    const hex: Hex = `0x${nonce.toString(16).padStart(64, '0')}`;
    return { ...payment, key: `${nonce}`, authorization: { ...payment.authorization, nonce: hex } };
  });
  const told = async (...logs: Logged[]) => {
    const states = [];
    for (const of of [...signed, ...signed]) {
      states.push((await lookAt([logged(logs)], { of, claim, now: early })).state);
    }
    owners.clear();
    return states;
  };
  const [paid, none] = ['paid', 'void'];
  // In the token's event order, whichever it is, each nonce gets the transfer that it made.
  expect(await told(used(7n), moved(), used(8n), moved(thief), used(9n), moved())).toEqual([
    paid,
    none,
    paid,
    paid,
    none,
    paid,
  ]);
  expect(await told(moved(thief), used(7n), moved(), used(8n), moved(), used(9n))).toEqual([
    none,
    paid,
    paid,
    none,
    paid,
    paid,
  ]);
  // Where the order cannot be told, each transfer counts once.
  const mixed = [used(7n), moved(), used(8n), moved(thief), moved(), used(9n)] as const;
  expect(await told(...mixed)).toEqual([paid, paid, none, paid, paid, none]);
  for (const nonce of [7n, 8n, 9n]) {
    const of = signed.find(({ key }) => key === `${nonce}`) as Payment;
    await lookAt([logged(mixed)], { of, claim, now: early });
  }
  expect([...owners.keys()]).toEqual([`${hashOf(0)}/1`, `${hashOf(0)}/4`]);
});

test('PY-9: a transaction that is named and has no receipt is pending; what a node does not show is unclear', async () => {
  const unused = nodeOf([], { usedFrom: never });
  expect(await lookAt([unused], { now: early, named: [hashOf(5)] })).toEqual({ state: 'unused', isPending: true });
  expect(await lookAt([unused], { now: early })).toEqual({ state: 'unused', isPending: false });
  for (const options of [{ hidesLogs: true }, { refusesLogs: true }, { stripsReceipts: true }]) {
    expect(await lookAt([nodeOf([settled], options)], { now: early })).toEqual({ state: 'unclear' });
  }
  await expect(lookAt([nodeOf([settled], { isDown: true })], { now: early })).rejects.toThrow();
});

describe('PY-9: a permit is proved by the transaction that B402 names alone', () => {
  const named = { of: permit, now: early, named: [hashOf(0)] };
  test('by a transfer from the payer to us, once', async () => {
    expect(await lookAt([logged([moved()])], named)).toEqual(paid);
    expect(await lookAt([logged([moved()])], { ...named, claim: async () => false })).toEqual({
      state: 'unused',
      isPending: false,
    });
    expect(await lookAt([logged([moved(thief)])], named)).toEqual({ state: 'unused', isPending: false });
    expect(await lookAt([logged([moved()])], { ...named, named: [] })).toEqual({ state: 'unused', isPending: false });
  });
  test('not by one of before the work', async () => {
    const old = nodeOf([{ block: since - 17n, logs: [moved()] }]);
    expect(await lookAt([old], named)).toEqual({ state: 'unused', isPending: false });
    expect(await lookAt([nodeOf([{ block: since - 16n, logs: [moved()] }])], named)).toEqual(paid);
  });
  test('its end is no node’s word', async () => {
    const late = logged([moved(thief)], { timestamp: FINAL });
    expect(await lookAt([late, late], { ...named, now: FINAL })).toEqual({ state: 'lapsed', isFinal: false });
  });
});

describe('PY-5: that nothing paid us is final by two nodes, five minutes after the validity', () => {
  const unusedAt = (timestamp: bigint, options: NodeOptions = {}) =>
    nodeOf([settled], { usedFrom: never, timestamp, ...options });
  const lapsed = (isFinal: boolean) => ({ state: 'lapsed', isFinal });

  test('of an unused one', async () => {
    expect(await lookAt([unusedAt(FINAL - 1n)])).toEqual({ state: 'unused', isPending: false });
    expect(await lookAt([unusedAt(FINAL)])).toEqual(lapsed(false));
    expect(await lookAt([unusedAt(FINAL), unusedAt(FINAL - 1n)])).toEqual(lapsed(false));
    expect(await lookAt([unusedAt(FINAL), unusedAt(FINAL)])).toEqual(lapsed(true));
    // A node could name a block of the future.
    const early = { now: FINAL - 1n };
    expect(await lookAt([unusedAt(FINAL), unusedAt(FINAL)], early)).toEqual({ state: 'unused', isPending: false });
    // The second one is down, or has no state.
    for (const failing of [{ isDown: true }, { stateFrom: never }]) {
      expect(await lookAt([unusedAt(FINAL), unusedAt(FINAL, failing)])).toEqual(lapsed(false));
    }
  });

  test('of one that was cancelled or used otherwise', async () => {
    const cases: [reason: string, Transaction][] = [
      ['cancelled', { block: paidAt, logs: [cancelled()] }],
      ['used_elsewhere', { block: paidAt, logs: [used(7n), moved(thief)] }],
    ];
    for (const [reason, transaction] of cases) {
      const node = (options: NodeOptions = {}) => nodeOf([transaction], { timestamp: FINAL, ...options });
      const ended = (isFinal: boolean) => ({ state: 'void', reason, isFinal });
      expect(await lookAt([node()])).toEqual(ended(false));
      expect(await lookAt([node(), node({ isDown: true })])).toEqual(ended(false));
      expect(await lookAt([node(), node({ hidesLogs: true })])).toEqual(ended(false));
      expect(await lookAt([node(), node()])).toEqual(ended(true));
      const soon = node({ timestamp: FINAL - 1n });
      expect(await lookAt([soon, soon])).toEqual(ended(false));
    }
  });

  test('a node that lies or lags is found out by another one, in whichever order', async () => {
    const honest = nodeOf([settled], { timestamp: FINAL });
    for (const liar of [unusedAt(FINAL), logged([cancelled()], { timestamp: FINAL })]) {
      expect(await lookAt([liar, honest])).toEqual(paid);
      expect(await lookAt([honest, liar])).toEqual(paid);
      expect(await lookAt([liar, liar, honest])).toEqual(paid);
    }
  });
});

test('a transfer in a block that was undone proves nothing, and the same transfer in another block proves the same payment', async () => {
  const claimed: string[] = [];
  const claim = async (transfer: string) => claimed.push(transfer) > 0;
  const before = nodeOf([settled]);
  const undone = nodeOf([], { usedFrom: never });
  const after = nodeOf([{ ...settled, block: since - 3n }], { usedFrom: since - 3n });
  const told = [];
  for (const node of [before, undone, after])
    told.push((await lookAt([node], { now: early, named: [hashOf(0)], claim })).state);
  expect(told).toEqual(['paid', 'unused', 'paid']);
  expect(new Set(claimed).size).toBe(1);
});
