import type { Head } from '@bowline/core/domain/heads';
import { WAD } from '@bowline/core/domain/units';
import { expect, test } from 'vitest';
import { keeperKey } from './addresses.ts';
import { startAgent } from './agent.ts';
import { blockMs, createChain } from './chain.ts';
import { newNetwork } from './network.ts';
import { createProcess } from './process.ts';
import { createRandom } from './random.ts';
import { createVirtualTime } from './virtual-time.ts';

// The loops, keys and heads of an agent that has nothing to do, with the intervals of BNB Chain. /ready's looks are not modelled.

const startsAt = 1_800_000_000n;
const gwei = 10n ** 9n;
const settings = {
  guardInterval: 300,
  executorSettings: {
    intervalSeconds: 900,
    policy: {
      tokens: ['BTCB', 'USDT'],
      minimumRunUsdWad: WAD,
      minimumPeriodSeconds: 60n,
      gasPerOwnerPerDay: 10n ** 12n,
    },
    gasBounds: { maxGasPriceWei: 5n * gwei, rescueMaxGasPriceWei: 20n * gwei, maxDayWei: 1_000n * WAD },
  },
} as const;
const silent = () => {};

/** Requests per block and node over three minutes. */
async function atRest({
  knowsNodes,
  isTold,
}: {
  readonly knowsNodes: boolean;
  readonly isTold: boolean;
}): Promise<number> {
  const time = createVirtualTime(createRandom(1));
  // Its slot opens later.
  const plans = [{ id: 1n, startAt: startsAt + 3_000n, periodSeconds: 3_600n, windowSeconds: 600n }];
  const chain = createChain({ operator: keeperKey, plans, startsAt });
  const network = newNetwork();
  const told = new Set<(head: Head) => void>();
  const subscriptions = [(onHead: (head: Head) => void) => told.add(onHead) && silent];
  startAgent(
    {
      ...{ chain, network, time, random: createRandom(1), rttMs: 30, isWallet: false, knowsNodes, rescuers: 1 },
      ...{ bundler: undefined, guardIds: [1n], ...settings, ...(isTold && { subscriptions }) },
      clock: () => startsAt + BigInt(Math.floor(time.now() / 1000)),
    },
    createProcess(time),
    { log: { debug: silent, info: silent, warn: silent, error: silent }, sending: silent, sent: silent },
  );
  const block = () => {
    chain.mine(time.now());
    const { number, timestamp, hash } = chain.head();
    for (const tell of told) tell({ number: BigInt(number), timestamp, hash });
    time.after(blockMs, block);
  };
  time.after(blockMs, block);
  await time.run(30_000);
  const [from, before] = [chain.head().number, network.requests];
  await time.run(210_000);
  return (network.requests - before) / (chain.head().number - from) / (knowsNodes ? 3 : 1);
}

test.each([
  { knowsNodes: false, isTold: false, most: 1.1 },
  { knowsNodes: true, isTold: false, most: 1.1 },
  { knowsNodes: false, isTold: true, most: 0.2 },
  { knowsNodes: true, isTold: true, most: 0.2 },
])(
  '$most requests a block and node at most: three nodes $knowsNodes, WebSocket $isTold',
  async ({ most, ...setting }) => {
    const requests = await atRest(setting);
    expect(requests).toBeLessThanOrEqual(most);
    expect(requests).toBeGreaterThan(most / 2);
  },
);
