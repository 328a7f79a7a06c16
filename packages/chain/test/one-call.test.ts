import {
  type Address,
  decodeFunctionData,
  encodeFunctionResult,
  type Hex,
  HttpRequestError,
  pad,
  RpcRequestError,
  size,
  toHex,
} from 'viem';
import { expect, test } from 'vitest';
import { readLensAbi } from '../../../abis/index.ts';

import { erc20Abi } from '../erc20-abi.ts';
import { beginReading } from '../one-call.ts';
import type { Calls } from '../reads.ts';

// A reading as one eth_call: what is batched, what is repeated, and what else a refusal affects.

const [good, bad] = ['0xa', '0xbad'].map((each) => pad(each as Hex, { size: 20 })) as [Address, Address];
const url = 'http://127.0.0.1:1';
const refused = new RpcRequestError({ body: {}, error: { code: -32_000, message: 'out of gas' }, url });
const silent = new HttpRequestError({ url });

/** A node that counts its calls. A call that includes `bad` fails as a whole. */
function node(failure: Error, bytes = 32) {
  const asked: number[] = [];
  const answered: number[] = [];
  const client = {
    call: async ({ data }: { data: Hex }) => {
      const [calls] = decodeFunctionData({ abi: readLensAbi, data }).args;
      asked.push(calls.length);
      if (calls.some(({ target }) => target.toLowerCase() === bad)) throw failure;
      const answers = calls.map((_, at) => ({
        isOk: true,
        data: pad(toHex(at, { size: 32 }), { size: bytes, dir: 'right' }),
      }));
      const result = [1_000n, answers] as const;
      const found = encodeFunctionResult({ abi: readLensAbi, functionName: 'read', result });
      answered.push(size(found));
      return { data: found };
    },
  } as unknown as Calls;
  return { client, asked, answered };
}

const balanceOf = (client: Calls, address: Address, of: number) =>
  client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [pad(toHex(of), { size: 20 })] });

test('what is asked at one moment is one call, and the next reading begins with all of it', async () => {
  const { client, asked } = node(refused);
  const first = beginReading(client, []);
  await Promise.all([1, 2, 3].map((of) => balanceOf(first.client, good, of)));
  await balanceOf(first.client, good, 4);
  expect(asked).toEqual([3, 1]);
  expect(first.time()).toBe(1_000n);
  asked.length = 0;
  const second = beginReading(client, first.asked());
  await balanceOf(second.client, good, 1);
  await balanceOf(second.client, good, 4);
  expect(asked).toEqual([4]);
  // The next reading repeats only what this one used.
  expect(second.asked()).toHaveLength(2);
});

test('a part that the node refuses takes nothing from the others; a silent node is asked once', async () => {
  const read = async (failure: Error) => {
    const { client, asked } = node(failure);
    const reading = beginReading(client, []);
    const all = await Promise.allSettled([good, bad, good].map((each, of) => balanceOf(reading.client, each, of)));
    return { outcome: all.map(({ status }) => status), asked };
  };
  expect(await read(refused)).toEqual({ outcome: ['fulfilled', 'rejected', 'fulfilled'], asked: [3, 1, 1, 1] });
  expect(await read(silent)).toEqual({ outcome: ['rejected', 'rejected', 'rejected'], asked: [3] });

  // The same holds for calls repeated from the last reading.
  const { client, asked } = node(silent);
  const known = [good, bad].map((to) => ({ to, data: '0x' as const, bytes: 32, isChanging: false }));
  const reading = beginReading(client, known);
  await expect(balanceOf(reading.client, good, 1)).rejects.toBe(silent);
  expect(asked).toEqual([2]);
});

test('no answer is larger than a node may give, and calls that change something come last', async () => {
  const { client, asked, answered } = node(refused, 672);
  const first = beginReading(client, []);
  const many = Array.from({ length: 90 }, (_, of) => of);
  await Promise.all(many.map((of) => balanceOf(first.client, good, of)));
  const second = beginReading(client, first.asked());
  await balanceOf(second.client, good, 1);
  expect(asked.length).toBeGreaterThan(4);
  for (const bytes of answered) expect(bytes).toBeLessThanOrEqual(24_576);

  const third = beginReading(client, []);
  const changing = { address: good, abi: erc20Abi, functionName: 'approve', args: [good, 1n] } as const;
  const answers = await Promise.all([
    third.client.simulateContract({ ...changing, account: good }),
    balanceOf(third.client, good, 5),
  ]);
  // The node answers each call with its index in the list.
  expect(answers).toEqual([{ result: true }, 0n]);
});
