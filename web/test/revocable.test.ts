import { type Address, decodeFunctionData, encodeFunctionResult, type Hex, RpcRequestError } from 'viem';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readLensAbi } from '../../abis/index.ts';
import { approveStep } from '../app/chain/approve.ts';
import type { ChainClient } from '../app/chain/client.ts';
import { revocable } from '../app/stop/revoked.ts';
import { createTransactions } from '../app/transactions/store.ts';

// Which of an account's approvals can be revoked, with a node that a test controls.

const at = (digit: string): Address => `0x${digit.repeat(40)}`;
const [owner, registry, paused, usdt, wbnb] = ['1', '2', '3', '4', '5'].map(at) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const steps = [paused, usdt, wbnb].map((token) => approveStep(`Revoke ${token}`, token, registry, 0n));

/** A node at which these tokens refuse an approval. */
function node(refusing: readonly Address[]) {
  const call = async ({ to, data }: { to: Address; data: Hex }) => {
    if (to !== owner) {
      if (refusing.includes(to)) throw new Error('refused');
      return { data: '0x' };
    }
    const { args } = decodeFunctionData({ abi: readLensAbi, data });
    const answers = args[0].map(({ target }) => ({ isOk: !refusing.includes(target), data: '0x' as const }));
    return { data: encodeFunctionResult({ abi: readLensAbi, functionName: 'read', result: [1n, answers] }) };
  };
  return { call } as unknown as ChainClient;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a token that refuses keeps no other approval from being taken back', async () => {
  const client = node([paused]);
  const asked: Address[] = [];
  const acts = createTransactions({
    ...{ chainId: 1, client, tryAll: async () => undefined, readAnew: async () => {}, storage: undefined },
    async send({ to }) {
      asked.push(to);
      throw Object.assign(new Error('declined'), { code: 4001 });
    },
  });
  void acts.start(owner, 'approvals', await revocable(client, owner, steps));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual([usdt]);
  expect(await revocable(client, owner, steps)).toEqual(steps.slice(1));
});

test('if none is taken, or the node cannot or does not tell, all are asked for', async () => {
  expect(await revocable(node([]), owner, steps)).toEqual(steps);
  expect(await revocable(node([paused, usdt, wbnb]), owner, steps)).toEqual(steps);
  const failing = {
    call: () => Promise.reject(new RpcRequestError({ body: {}, url: '', error: { code: 3, message: '' } })),
  };
  expect(await revocable(failing as never, owner, steps)).toEqual(steps);
  const silent = revocable({ call: () => new Promise(() => {}) } as never, owner, steps);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await silent).toEqual(steps);
});
