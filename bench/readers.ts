// Time to read every plan after a stranger has created thousands, with this agent's reader and with the plain method:
// one page after the other, all pinned to one block. On a chain that advances and prunes old blocks, as BNB Chain does.
//
//   node_modules/.bin/node bench/readers.ts [plans] [latency of each call in milliseconds]

import { setTimeout as sleep } from 'node:timers/promises';
import { BaseError } from 'viem';
import { planRegistryAbi } from '../abis/index.ts';
import { connectChain, inOneCall } from '../agent/src/chain/chain-client.ts';
import { createPlanReader } from '../agent/src/chain/plan-reader.ts';
import { startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { makePlans, stranger } from '../agent/test/chain/many-plans.ts';
import { type Fate, startRpcProxy } from '../agent/test/chain/rpc-proxy.ts';
import { mineEvery } from '../script/local/miner.ts';

const plans = Number(process.argv[2] ?? 5_000);
const travelMs = Number(process.argv[3] ?? 0);
const members = 50;

const world = await startDeployedChain({ forgets: true });
const proxy = await startRpcProxy(world.url);
try {
  const { chain, book } = world;
  await timed('made', async () => {
    for (let member = 0; member < members; member++) {
      // Half of them name another executor.
      const changes = member % 2 === 0 ? {} : { executor: book.own.loanGuard };
      await makePlans(world, stranger(member), plans / members, changes);
    }
    return `${await chain.readContract({ ...registry(), functionName: 'planCount' })} plans`;
  });
  await chain.setAutomine(false);
  const stop = mineEvery(world.url, 0.45);
  proxy.fate = async (): Promise<Fate> => {
    await sleep(travelMs);
    return 'answered';
  };
  const client = connectChain(proxy.url);
  const reader = createPlanReader(client, book.own, book.assets);
  await timed('pinned to one block', () => pinned(client));
  const read = async () => {
    const { plans: all, unread } = await reader.plans();
    return `${all.length} plans, ${unread} unread`;
  };
  await timed('reader, first time', read);
  await timed('reader, again', read);
  await chain.increaseTime({ seconds: 120 });
  await chain.mine({ blocks: 1 });
  await timed('reader, when what is over has settled', read);
  await timed('reader, from then on', read);
  await timed('one owner’s newest', async () => {
    const { total } = await reader.newestPlans({ owner: stranger(2), count: 20 });
    return `${total} of theirs`;
  });
  await stop();
} finally {
  await proxy.stop();
  await world.stop();
}

function registry() {
  return { address: world.book.own.planRegistry, abi: planRegistryAbi } as const;
}

async function timed(what: string, work: () => Promise<string>): Promise<void> {
  const before = proxy.methods.length;
  const from = performance.now();
  const said = await work().catch((error: Error) => `failed: ${error.message.split('\n')[0]}`);
  const seconds = ((performance.now() - from) / 1000).toFixed(2);
  console.log(`${what}: ${seconds} s, ${proxy.methods.length - before} requests: ${said}`);
}

/** Only plans, without their owners' balances and allowances. */
async function pinned(client: ReturnType<typeof connectChain>): Promise<string> {
  const blockNumber = await client.getBlockNumber();
  const count = await client.readContract({ ...registry(), functionName: 'planCount', blockNumber });
  let read = 0;
  try {
    for (; read < count; read += 24) {
      const ids = Array.from({ length: 24 }, (_, at) => BigInt(read + at + 1)).filter((id) => id <= count);
      const contracts = ids.map((id) => ({ ...registry(), functionName: 'plan', args: [id] }) as const);
      await client.multicall({ ...inOneCall, allowFailure: false, blockNumber, contracts });
    }
  } catch (error) {
    throw new Error(`after ${read} plans: ${error instanceof BaseError ? error.details : error}`);
  }
  return `${count} plans`;
}
