import { connectChain } from '@bowline/chain/chain-client';
import type { Payment } from '@bowline/core/domain/payment';
import { custom, type Hex, numberToHex, pad } from 'viem';
import { expect, test, vi } from 'vitest';
import { createLost, mayBeLost, recall } from '../../src/payments/lost.ts';
import type { Standing } from '../../src/payments/standing.ts';

const hash: Hex = pad('0x0a');
const payment = (validBefore: bigint) => ({ authorization: { validBefore } }) as Payment;

/** A chain with a block each second since 1,000,000, whose 50,000th is the newest. Transaction `hash` is in `block`. */
function chainWith(block: bigint) {
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method === 'eth_getTransactionReceipt') {
      const place = { blockNumber: numberToHex(block), transactionHash: hash, transactionIndex: '0x0' };
      return { ...place, status: '0x1', gasUsed: '0x1', effectiveGasPrice: '0x1', logs: [], type: '0x2' };
    }
    const [asked] = params as [Hex | 'latest'];
    const number = asked === 'latest' ? 50_000n : BigInt(asked);
    return { number: numberToHex(number), timestamp: numberToHex(1_000_000n + number), transactions: [] };
  };
  return connectChain(custom({ request }, { retryCount: 0 }));
}

test('AG-239: what paid in the lost time is recalled, and nothing of before or after it', async () => {
  const lost = { from: 1_010_000n, until: 1_020_000n };
  const paid: Standing = { state: 'paid', transaction: hash };
  const searched: bigint[] = [];
  const find = (block: bigint, validBefore: bigint, standing: Standing = paid, now = lost.until) => {
    const proof = {
      standing: async (_: Payment, since: bigint) => {
        searched.push(since);
        return standing;
      },
    };
    return recall(chainWith(block), proof, payment(validBefore), lost, now);
  };
  // The search begins before the longest validity, or before the backup.
  expect(await find(12_000n, 1_012_100n)).toEqual({ since: 9_999n, transactions: [hash] });
  expect(await find(18_000n, 1_018_100n)).toEqual({ since: 13_899n, transactions: [hash] });
  expect(searched).toEqual([9_999n, 13_899n]);
  // In the files of the backup, and in those of now.
  expect(await find(9_999n, 1_012_100n)).toBeUndefined();
  expect(await find(20_001n, 1_020_100n)).toBeUndefined();
  for (const [validBefore, expected] of [
    [1_010_000n, false],
    [1_010_001n, true],
    [1_024_200n, true],
    [1_024_201n, false],
  ] as const) {
    expect(mayBeLost(payment(validBefore), lost, lost.until), `${validBefore}`).toBe(expected);
  }
  // What was answered anew is kept for a week: later it is not recalled a second time.
  const week = 7n * 86_400n;
  expect(await find(12_000n, 1_012_100n, paid, lost.until + week)).toBeDefined();
  const before = searched.length;
  expect(await find(12_000n, 1_012_100n, paid, lost.until + week + 1n)).toBeUndefined();
  expect(await find(30_000n, 1_030_000n)).toBeUndefined();
  expect(searched).toHaveLength(before);
  // Used, and no payment to us.
  for (const standing of [
    { state: 'cancelled', isFinal: true },
    { state: 'used_elsewhere', isFinal: true },
  ] as const) {
    expect(await find(12_000n, 1_012_100n, standing)).toBeUndefined();
  }
  // What a node does not show is no answer.
  const unclear = { state: 'unclear', waiting: false, isFinal: true } as const;
  await expect(find(12_000n, 1_012_100n, unclear)).rejects.toThrow('does not show what the payment did');
});

test('AG-263: a crowd with recalls has two looked up at a time, and one caller leaves places for others', async () => {
  const time = { from: 1_010_000n, until: 1_020_000n };
  const gate = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const proof = {
    standing: async (): Promise<Standing> => {
      most = Math.max(most, ++running);
      await gate.promise;
      running -= 1;
      return { state: 'paid', transaction: hash };
    },
  };
  let caller = 'crowd';
  const callerNow = () => (caller === '' ? [] : [{ key: caller, weight: 1 }]);
  const lost = createLost({ client: chainWith(12_000n), proof, time, callerNow, clock: () => time.until });
  const ask = (validBefore: bigint) => lost.recall(payment(validBefore));
  const crowd = Array.from({ length: 500 }, () => ask(1_012_100n)).filter((each) => each !== undefined);
  expect(crowd).toHaveLength(9);
  // What cannot be of the lost time takes no place.
  expect(await ask(1_030_000n)).toBeUndefined();
  caller = 'honest';
  const honest = ask(1_012_100n);
  expect(honest).toBeDefined();
  caller = '';
  const others = Array.from({ length: 500 }, () => ask(1_012_100n)).filter((each) => each !== undefined);
  expect(others).toHaveLength(18 - 10);
  await vi.waitUntil(() => running === 2);
  gate.resolve();
  expect(await honest).toMatchObject({ transactions: [hash] });
  await Promise.all([...crowd, ...others]);
  expect(most).toBe(2);
  expect(ask(1_012_100n)).toBeDefined();
});
