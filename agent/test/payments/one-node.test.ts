import type { Payment } from '@bowline/core/domain/payment';
import { describe, expect, test } from 'vitest';
import {
  cancelled,
  FINAL,
  moved,
  type NodeOptions,
  nodeOf,
  paid,
  paidAt,
  payment,
  settled,
  standingOf,
  type Transaction,
  thief,
  used,
  validBefore,
  voided,
} from './written-chain.ts';

// What one node can have the agent believe, which lags, answers from an old state, or lies.

const authorization: Payment = { ...payment, method: 'eip3009' };
const [never, head] = [1_000_000n, 5_100n];

describe.each([
  { name: 'an authorisation', of: authorization, paying: { block: paidAt, logs: [used(7n), moved()] } },
  { name: 'a permit', of: payment, paying: settled },
])('AG-261: of $name', ({ of, paying }) => {
  const unusedAt = (timestamp: bigint, options: NodeOptions = {}) =>
    nodeOf([paying], { usedFrom: never, timestamp, ...options });
  const unused = { state: 'unused', block: head, waiting: false };

  test('one node’s word that it is unused counts five minutes after its validity, and is never final', async () => {
    for (const [timestamp, over] of [
      [validBefore - 1n, false],
      [validBefore, false],
      [FINAL - 1n, false],
      [FINAL, true],
      [FINAL + 1_000_000n, true],
    ] as const) {
      const node = unusedAt(timestamp);
      expect(await standingOf([node], { of }), `${timestamp}`).toEqual({ ...unused, over, isFinal: false });
    }
  });

  test('two nodes’ word counts at the end of its validity, and is final five minutes later', async () => {
    const standing = (...timestamps: bigint[]) =>
      standingOf(
        timestamps.map((timestamp) => unusedAt(timestamp)),
        { of },
      );
    expect(await standing(validBefore - 1n, FINAL)).toEqual({ ...unused, over: false, isFinal: false });
    expect(await standing(validBefore, validBefore - 1n)).toEqual({ ...unused, over: false, isFinal: false });
    expect(await standing(validBefore, validBefore)).toEqual({ ...unused, over: true, isFinal: false });
    expect(await standing(FINAL, FINAL - 1n)).toEqual({ ...unused, over: true, isFinal: false });
    expect(await standing(FINAL, FINAL)).toEqual({ ...unused, over: true, isFinal: true });
    // The second one is down, or has no state.
    for (const failing of [{ isDown: true }, { stateFrom: never }]) {
      const nodes = [unusedAt(validBefore), unusedAt(validBefore, failing)];
      expect(await standingOf(nodes, { of })).toEqual({ ...unused, over: false, isFinal: false });
      expect(await standingOf([unusedAt(FINAL), unusedAt(FINAL, failing)], { of })).toMatchObject({ isFinal: false });
    }
  });

  test('a node that lies or lags is found out by another one, in whichever order, before and after it is final', async () => {
    for (const timestamp of [validBefore, FINAL]) {
      const liar = unusedAt(timestamp);
      const honest = nodeOf([paying], { timestamp });
      expect(await standingOf([liar, honest], { of })).toEqual(paid);
      expect(await standingOf([honest, liar], { of })).toEqual(paid);
      expect(await standingOf([liar, liar, honest], { of })).toEqual(paid);
      // It has the use and not the logs: that is no lapse.
      const blind = nodeOf([paying], { timestamp, hidesLogs: true });
      const mute = unusedAt(timestamp, { hidesLogs: true });
      expect(await standingOf([mute, mute, blind], { of })).toMatchObject({ state: 'unclear' });
    }
  });
});

test('AG-261: that a payment was cancelled or used otherwise is final by two nodes', async () => {
  const cases: [state: string, of: Payment, Transaction][] = [
    ['cancelled', authorization, { block: paidAt, logs: [cancelled()] }],
    ['cancelled', payment, { block: paidAt, logs: [voided()] }],
    ['used_elsewhere', authorization, { block: paidAt, logs: [used(7n), moved(thief)] }],
  ];
  for (const [state, of, transaction] of cases) {
    const node = (options: NodeOptions = {}) => nodeOf([transaction], { timestamp: FINAL, ...options });
    expect(await standingOf([node()], { of })).toEqual({ state, isFinal: false });
    expect(await standingOf([node(), node({ isDown: true })], { of })).toEqual({ state, isFinal: false });
    expect(await standingOf([node(), node({ hidesLogs: true })], { of })).toEqual({ state, isFinal: false });
    expect(await standingOf([node(), node()], { of })).toEqual({ state, isFinal: true });
    const early = node({ timestamp: FINAL - 1n });
    expect(await standingOf([early, early], { of })).toEqual({ state, isFinal: false });
  }
  // One node invents the cancellation of what another one shows as paid.
  const paying: Transaction = { block: paidAt, logs: [used(7n), moved()] };
  const late = { timestamp: FINAL };
  const liar = nodeOf([{ block: paidAt, logs: [cancelled()] }], late);
  expect(await standingOf([liar, nodeOf([paying], late)], { of: authorization })).toEqual(paid);
  expect(await standingOf([nodeOf([paying], late), liar], { of: authorization })).toEqual(paid);
});
