import type { Payment } from '@bowline/core/domain/payment';
import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { transfersIn } from '../../src/payments/transfers.ts';
import {
  direct,
  FINAL,
  hashOf,
  type Logged,
  moved,
  type NodeOptions,
  nodeOf,
  packed,
  paid,
  paidAt,
  payment,
  settled,
  since,
  standingOf,
  type Transaction,
  thief,
  used,
  voided,
} from './written-chain.ts';

// What nodes that lag, forget or lie can have the agent believe of a permit.

test('AG-233: that a node shows no transfer is no outcome before the payment is final, and then only from two nodes', async () => {
  const unclear = { state: 'unclear', waiting: false };
  const blind = { hidesLogs: true };
  const late = { timestamp: FINAL };
  const elsewhere: Transaction = { block: paidAt, logs: [] };
  // One node answers "none", though it was paid.
  expect(await standingOf([nodeOf([settled], blind)])).toEqual({ ...unclear, isFinal: false });
  expect(await standingOf([nodeOf([settled], { ...blind, head: 9_000n })])).toEqual({ ...unclear, isFinal: false });
  // At the end another node may show it.
  const blindAndLate = nodeOf([settled], { ...blind, ...late });
  expect(await standingOf([blindAndLate])).toEqual({ ...unclear, isFinal: true });
  expect(await standingOf([blindAndLate, nodeOf([settled], late)])).toEqual(paid);
  // It was not paid: that takes two that have all logs until that block.
  const honest = nodeOf([elsewhere], late);
  const second = (options: NodeOptions) => standingOf([honest, nodeOf([elsewhere], { ...late, ...options })]);
  expect(await standingOf([honest])).toEqual({ ...unclear, isFinal: true });
  for (const failing of [
    { isDown: true },
    { refusesLogs: true },
    { head: 5_099n },
    { head: 5_099n, clamps: true },
    { usedFrom: 9_999n },
    { stateFrom: 9_999n },
  ]) {
    expect(await second(failing), JSON.stringify(Object.keys(failing))).toEqual({ ...unclear, isFinal: true });
  }
  expect(await second({})).toEqual({ state: 'used_elsewhere', isFinal: true });
  expect(await second({ head: 6_000n })).toEqual({ state: 'used_elsewhere', isFinal: true });
  // A transaction that the facilitator named may come still.
  const named = [hashOf(9)];
  expect(await standingOf([honest, honest], { named })).toEqual({ state: 'unclear', waiting: true, isFinal: true });
  // A second before, nothing is concluded.
  const early = nodeOf([elsewhere], { timestamp: FINAL - 1n });
  expect(await standingOf([early, early])).toEqual({ ...unclear, isFinal: false });
});

test('AG-234: a transfer proves no permit whose nonce its payer made void in the same block, in any order of asking', async () => {
  const voiding: Transaction = { block: paidAt, logs: [voided()] };
  for (const transfer of [settled, packed]) {
    const node = nodeOf([voiding, transfer]);
    const cancelled = { state: 'cancelled', isFinal: false };
    expect(await standingOf([node])).toEqual(cancelled);
    expect(await standingOf([node], { named: [hashOf(1)] })).toEqual(cancelled);
  }
  // Another nonce made void says nothing, nor does this one after it has paid.
  const other: Transaction = { block: paidAt, logs: [voided(8n)] };
  for (const transfer of [settled, packed]) expect(await standingOf([nodeOf([transfer, other])])).toEqual(paid);
  expect(await standingOf([nodeOf([settled, voiding])])).toEqual(paid);
  // If nothing but the block binds transfer and permit, it cannot be told which came of which.
  expect((await standingOf([nodeOf([packed, voiding])])).state).toBe('unclear');
  // Nor may the node keep silent about that block.
  expect((await standingOf([nodeOf([packed], { hidesLogs: true })], { named: [hashOf(0)] })).state).toBe('unclear');
});

test('AG-234: a nonce made void after it has paid ends no payment at a node that shows that alone', async () => {
  const voiding: Transaction = { block: paidAt + 5n, logs: [voided()] };
  const node = (options: NodeOptions) => nodeOf([settled, voiding], options);
  expect(await standingOf([node({ timestamp: FINAL })])).toEqual(paid);
  const partial = { refusesTransfers: true };
  expect((await standingOf([node(partial)])) as object).toMatchObject({ isFinal: false });
  const late = node({ ...partial, timestamp: FINAL });
  expect(await standingOf([late, late])).toEqual({ state: 'unclear', waiting: false, isFinal: true });
  expect(await standingOf([late, node({ timestamp: FINAL })])).toEqual(paid);
});

test('AG-239: of a payment whose validity is over, all blocks of the longest validity are searched', async () => {
  const own: Payment = { ...payment, method: 'eip3009' };
  const block = since + 9_000n;
  const logs = [used(7n), moved()];
  const node = (timestamp: bigint) => nodeOf([{ block, logs }], { usedFrom: block, head: since + 40_000n, timestamp });
  expect((await standingOf([node(FINAL - 1n)], { of: own })).state).toBe('unclear');
  expect(await standingOf([node(FINAL)], { of: own })).toEqual(paid);
});

test('AG-235: a transaction that may be the payment keeps it open, whatever logs two nodes lack', async () => {
  const pruned = nodeOf([packed], { timestamp: FINAL, hidesLogs: true, stateFrom: paidAt + 50n });
  expect((await standingOf([pruned, pruned], { named: [hashOf(0)] })).state).toBe('unclear');
  expect((await standingOf([pruned, pruned])).state).toBe('used_elsewhere');
});

test('AG-235: what a node does not have proves nothing: without the old state, the signature in the transaction has to', async () => {
  const named = [hashOf(0)];
  const pruned = { stateFrom: 5_090n };
  expect(await standingOf([nodeOf([packed], pruned)], { named })).toMatchObject({ state: 'unclear' });
  expect(await standingOf([nodeOf([settled], pruned)], { named })).toEqual(paid);
  expect(await standingOf([nodeOf([settled], { ...pruned, refusesLogs: true })], { named })).toEqual(paid);
  // Nor does it prove the contrary, though all nodes have all logs.
  const forgetful = nodeOf([packed], { ...pruned, timestamp: FINAL });
  expect(await standingOf([forgetful, forgetful])).toEqual({ state: 'unclear', waiting: false, isFinal: true });
  // A transfer of long before, which the facilitator names.
  for (const transfer of [settled, packed]) {
    const old = { ...transfer, block: since - 17n };
    expect(await standingOf([nodeOf([old], pruned)], { named })).toMatchObject({ state: 'unclear' });
  }
  // A reorganisation may have put it before the block in which the nonce was seen unused.
  const reorganised = { ...settled, block: since - 16n };
  expect(await standingOf([nodeOf([reorganised], { usedFrom: since - 16n })], { named })).toEqual(paid);
  // An unused nonce has paid nothing, whatever else there is.
  const unused = nodeOf([settled], { ...pruned, usedFrom: 9_999n });
  expect(await standingOf([unused], { named })).toMatchObject({ state: 'unused', waiting: false });
  // The node that was asked for its newest block lags behind the one that has the receipt.
  const behind = nodeOf([settled], { head: paidAt - 1n });
  const ahead = nodeOf([settled], {});
  const mixed = Object.assign(behind, { getTransactionReceipt: ahead.getTransactionReceipt });
  expect(await standingOf([mixed], { named })).toMatchObject({ state: 'unused', waiting: true });
  // Used before, or after: not by this transfer.
  for (const usedFrom of [paidAt - 1n, paidAt + 1n]) {
    for (const transfer of [settled, packed]) {
      expect(await standingOf([nodeOf([transfer], { usedFrom })], { named })).toMatchObject({ state: 'unclear' });
    }
  }
});

test('AG-236: in a batch each transfer belongs to what made it, and none to two', async () => {
  const of = (logs: readonly Logged[]) => {
    const { isPaidBy, others } = transfersIn(logs as never, payment);
    return [[1n, 2n].filter((nonce) => isPaidBy(numberToHex(nonce, { size: 32 }))).map(Number), others];
  };
  expect(of([moved()])).toEqual([[], [0]]);
  // Two payments of one payer: one by an authorisation, one by a permit, in either order of the token's logs.
  expect(of([used(1n), moved(), moved()])).toEqual([[1], [2]]);
  expect(of([moved(), used(1n), moved()])).toEqual([[1], [0]]);
  expect(of([moved(), moved(), used(1n)])).toEqual([[1], [0]]);
  expect(of([used(1n), moved(thief), moved()])).toEqual([[], [2]]);
  expect(of([moved(), moved(thief), used(1n)])).toEqual([[], [0]]);
  expect(of([used(1n), moved(), used(2n), moved(), moved()])).toEqual([[1, 2], [4]]);
  // One transfer and two that might have made it: no permit.
  expect(of([moved(), used(1n), moved(thief)])).toEqual([[1], []]);
  expect(of([moved(), used(1n), used(2n)])[1]).toEqual([]);
  // Whatever the order, there are no more payments than transfers.
  for (const logs of orders([used(1n), used(2n), moved(), moved(), moved(thief)])) {
    const [paidBy, others] = of(logs);
    expect((paidBy?.length ?? 0) + (others?.length ?? 0), JSON.stringify(logs)).toBeLessThanOrEqual(2);
  }
  // On the chain of a facilitator that settles several at once.
  const batch: Transaction = { block: paidAt, logs: [used(1n), moved(), moved()], input: direct };
  expect(await standingOf([nodeOf([batch])], { named: [hashOf(0)] })).toEqual(paid);
  // Where the logs leave it open which transfer the authorisation made, the permit stays open, too.
  const open: Transaction = { block: paidAt, logs: [moved(), used(1n), moved(thief)], input: direct };
  const node = nodeOf([open], { timestamp: FINAL });
  expect((await standingOf([node, node])).state).toBe('unclear');
});

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
