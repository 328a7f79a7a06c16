// Requests to each node while nothing happens: one plan whose slot opens later, one guard whose loan is far from its trigger, and the
// whole agent as a process with the intervals of BNB Chain. Then the price falls at once, and the rescue is timed in blocks.
//
//   npm run lab -- bench:rest [--nodes 1,3] [--seconds 60] [--fall 84] [--record]

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPlan } from '../../packages/chain/test/deployed-chain.ts';
import { blockSeconds } from '../world/block.ts';
import { mineEvery } from '../world/miner.ts';
import { priceUsd8 } from '../world/prices.ts';
import { record } from './record.ts';
import { act, rescued, startAgent, startWorld } from './scale/agent.ts';
import { makeLoans, priceChange } from './scale/loans.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,3' },
    seconds: { type: 'string', default: '60' },
    /** The percentage of the price that remains. */
    fall: { type: 'string', default: '84' },
    record: { type: 'boolean', default: false },
  },
});

const world = await startWorld();
const { chain } = world;
try {
  // A health of 1.25 and a trigger of 1.1.
  await makeLoans(world, [{ collateral: 'BTCB', amount: '0.01', debt: '640' }]);
  const { timestamp } = await chain.getBlock();
  await createPlan(world, { startAt: Number(timestamp) + 80_000, windowSeconds: 600 });
  const cells: string[][] = [];
  for (const nodes of values.nodes.split(',').map(Number)) {
    for (const ws of [false, true]) cells.push(await measure(nodes, ws));
  }
  record(values.record, 'rest', [['', 'requests a block and node', 'of them', 'blocks to a rescue'], ...cells]);
} finally {
  await world.stop();
}

async function measure(nodes: number, ws: boolean): Promise<string[]> {
  const made = await chain.snapshot();
  await chain.setAutomine(false);
  const stopMining = mineEvery(world.url, blockSeconds);
  const agent = await startAgent(world, { nodes, ws });
  try {
    await sleep(12_000);
    const rest = await agent.during(() => sleep(Number(values.seconds) * 1000));
    const what = `${nodes} node${nodes === 1 ? '' : 's'}, ${ws ? 'WebSocket' : 'polling'}`;
    console.log(`${what}: a block every ${rest.blockMs} ms`);
    for (const { requests, methods } of rest.nodes) console.log(`  ${requests} requests a block: ${methods}`);
    const fell = await act(world, priceChange('BTCB', (priceUsd8.BTCB * BigInt(values.fall)) / 100n));
    const [blocks] = await rescued(world, fell, [0]);
    console.log(`  rescued ${blocks} blocks after the price`);
    return [what, rest.nodes.map(({ requests }) => requests).join(', '), rest.nodes[0]?.methods ?? '', String(blocks)];
  } finally {
    await agent.stop();
    await stopMining();
    await chain.revert({ id: made });
    await chain.setAutomine(true);
  }
}
