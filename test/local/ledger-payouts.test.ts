import type { Job } from '@bowline/core/domain/jobs';
import { type Address, encodeEventTopics, type Log, numberToHex } from 'viem';
import { expect, test } from 'vitest';
import { payoutsOf, released } from '../../cli/ledger/jobs.ts';
import { transfer } from '../../cli/ledger/logs.ts';
import { bob, alice as seller } from './accounts.ts';

const [commerce, token] = [1, 2].map((number) => numberToHex(number, { size: 20 })) as [Address, Address];
const price = 3n;

test('AG-150: one transfer pays one job: of its token, to its provider, of what was released, in the same transaction', () => {
  const ids = [1n, 2n];
  const jobs = ids.map((id) => ({ id, token, provider: seller })) as Job[];
  let count = 0;
  const log = (address: Address, topics: unknown, value: bigint, transaction: number) =>
    ({
      address,
      topics,
      data: numberToHex(value, { size: 32 }),
      blockNumber: 1n,
      logIndex: count++,
      transactionHash: numberToHex(transaction, { size: 32 }),
    }) as unknown as Log<bigint, number, false>;
  const moved = ({ value = price, from = commerce, to = seller, token: by = token, at = 1 } = {}) =>
    log(by, encodeEventTopics({ abi: [transfer], args: { from, to } }), value, at);
  const told = (jobId = 1n, by = commerce) =>
    log(by, encodeEventTopics({ abi: [released], args: { jobId, provider: seller } }), price, 1);
  const paid = (...logs: Log<bigint, number, false>[]) => [...payoutsOf(jobs, logs, commerce).keys()];
  expect(paid(moved(), told())).toEqual([ids[0]]);
  expect(paid(moved(), told(), moved(), told(ids[1]))).toEqual(ids);
  expect(paid(moved(), told(), told(ids[1]))).toEqual([ids[0]]);
  expect(paid(told())).toEqual([]);
  expect(paid(moved())).toEqual([]);
  for (const other of [{ value: price - 1n }, { from: bob }, { to: bob }, { token: bob }, { at: 2 }]) {
    expect(paid(moved(other), told())).toEqual([]);
  }
  expect(paid(moved(), told(1n, bob))).toEqual([]);
});
