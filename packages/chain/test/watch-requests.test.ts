import type { Values } from '@bowline/core/domain/loan-health';
import { WAD } from '@bowline/core/domain/units';
import { HttpRequestError, RpcRequestError } from 'viem';
import { expect, test } from 'vitest';
import { guard as terms } from '../../../agent/test/loops/loan-guard/guard.ts';
import type { ChainClient } from '../chain-client.ts';
import { createHealthReader } from '../health-reader.ts';
import type { LendingLens } from '../lending/lens.ts';

// Which lens calls a block takes.

const healthOf = (weightedCollateralValue: bigint): Values => ({ debtValue: WAD, weightedCollateralValue });

function watching(accounts: number) {
  const guards = Array.from({ length: accounts }, (_, at) => ({
    ...terms,
    id: BigInt(at + 1),
    market: `0x${at}` as const,
  }));
  const state: { reads: number; estimates: number; error?: Error } = { reads: 0, estimates: 0 };
  const lens: LendingLens = {
    async read(of) {
      state.reads += 1;
      if (state.error) throw state.error;
      return of.map(() => healthOf(2n * WAD));
    },
    async rates() {
      state.estimates += 1;
      return { worths: () => undefined, valued: () => healthOf(3n * WAD), markets: [], moved: () => expect.fail() };
    },
    shapeOf: () => undefined,
  };
  const reader = createHealthReader({} as ChainClient, new Map([[terms.adapter.toLowerCase(), lens]]));
  return { state, reader, guards, watch: async () => (await reader.watch(guards)).healths };
}

test('few accounts take one call a block', async () => {
  const { state, watch } = watching(3);
  for (let block = 0; block < 5; block += 1) expect(await watch()).toEqual([2n, 2n, 2n].map((times) => times * WAD));
  expect(state).toEqual({ reads: 5, estimates: 0 });
});

test('once after a full reading, who would fall with a price is known of few accounts, too', async () => {
  const { state, watch, reader, guards } = watching(3);
  await reader.healths(guards);
  for (let block = 0; block < 9; block += 1) await watch();
  expect(state).toEqual({ reads: 10, estimates: 1 });
});

test('more than can be read at every block take an estimate beside it', async () => {
  const { state, watch } = watching(401);
  await watch();
  state.reads = 0;
  await watch();
  expect(state).toEqual({ reads: 1, estimates: 1 });
});

test.each([
  ['refuses', new RpcRequestError({ body: {}, url: 'node', error: { code: -32_000, message: 'header not found' } })],
  ['does not answer', new HttpRequestError({ url: 'node' })],
])('a reading that the node %s is made up for by an estimate', async (_, error) => {
  const { state, watch } = watching(1);
  await watch();
  state.error = error;
  expect(await watch()).toEqual([3n * WAD]);
  expect(state.estimates).toBe(1);
});
