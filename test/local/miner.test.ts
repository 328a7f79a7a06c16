import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { treasurer } from '../../lab/world/replica.ts';

let local: LocalChain;
let chain: Chain;
beforeAll(async () => {
  local = await startLocalChain({ blockSeconds: 0.1 });
  chain = connect(local.url);
});
afterAll(() => local?.stop());

it('mines blocks at the present, no more often than it was told to', async () => {
  const began = performance.now();
  const from = await chain.getBlockNumber();
  await expect.poll(() => chain.getBlockNumber(), { timeout: 20_000 }).toBeGreaterThan(from + 10n);
  const asked = Math.floor(Date.now() / 1000);
  const mined = async () => Number((await chain.getBlock()).timestamp);
  await expect.poll(mined, { timeout: 20_000 }).toBeGreaterThanOrEqual(asked);
  expect(await mined()).toBeLessThanOrEqual(Date.now() / 1000 + 1);
  const blocks = Number((await chain.getBlockNumber()) - from);
  // One was due when the count started, and a late one does not delay the next.
  expect(blocks).toBeLessThanOrEqual((performance.now() - began) / 100 + 2);
});

it('takes what is sent together without waiting for one before the next, in its order', async () => {
  const calls = ['0x01', '0x02', '0x03'].map((data) => ({ to: treasurer, data: data as `0x${string}` }));
  const receipts = await chain.sendTogether(treasurer, calls);
  expect(receipts.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
  const places = receipts.map(({ blockNumber, transactionIndex }) => Number(blockNumber) * 100 + transactionIndex);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  // A block may come in between, but not after each.
  expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBeLessThan(3);
});

it('remembers the last blocks and forgets the rest', async () => {
  const then = await chain.getBlockNumber();
  const ask = (blockNumber: bigint) => chain.getBalance({ address: treasurer, blockNumber });
  expect(await ask(then - 5n)).toBeGreaterThan(0n);
  await expect.poll(() => chain.getBlockNumber(), { timeout: 20_000 }).toBeGreaterThan(then + 40n);
  await expect(ask(then)).rejects.toThrow();
});
