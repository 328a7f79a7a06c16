// Requests to each node while nothing happens: one plan whose slot opens later, one guard whose loan is far from its trigger, and the
// whole agent as a process with the intervals of BNB Chain. Then the price falls at once, and the rescue is timed in blocks.
//
//   npm run lab -- bench:rest [--nodes 1,3] [--seconds 60] [--fall 84] [--record]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readAddressBook } from '@bowline/http/address-book';
import { getAbiItem, parseEther } from 'viem';
import { loanGuardAbi } from '../../abis/index.ts';
import { createPlan } from '../../packages/chain/test/deployed-chain.ts';
import { type RpcProxy, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';
import { startSidecar } from '../../test/e2e/sidecar.ts';
import { alice } from '../../test/local/accounts.ts';
import { connect } from '../world/chain.ts';
import { localChainId, startLocalChain } from '../world/fork.ts';
import { mineEvery } from '../world/miner.ts';
import { priceUsd8 } from '../world/prices.ts';
import { publicKeys } from '../world/start/agent-keys.ts';
import { deployContracts, keeper } from '../world/start/contracts.ts';
import { record } from './record.ts';
import { makeLoans, priceChange } from './scale/loans.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1,3' },
    seconds: { type: 'string', default: '60' },
    /** Per cent of the price that are left. */
    fall: { type: 'string', default: '84' },
    record: { type: 'boolean', default: false },
  },
});
const blockSeconds = 0.45;

const folder = '.cache/deployments/rest';
const kept = mkdtempSync(join(tmpdir(), 'rest-'));
const settingsOf = (proxies: readonly RpcProxy[], ws: boolean) => ({
  RPC_URL: [...proxies.map(({ url }) => url), ...(ws ? [local.url.replace('http', 'ws')] : [])].join(','),
  DEPLOYMENTS_DIR: folder,
  DATA_DIR: kept,
  RESCUE_PRIVATE_KEYS: publicKeys.rescuer.key,
  MARKET_DATA_URL: 'off',
  PYTH_URL: 'off',
  EXECUTOR_INTERVAL_SECONDS: '900',
});

const local = await startLocalChain({ blockSeconds: 86_400 });
try {
  const chain = connect(local.url);
  await chain.setAutomine(true);
  await deployContracts(local.url, folder, new AbortController().signal, { operator: keeper });
  for (const address of [keeper, publicKeys.rescuer.address])
    await chain.setBalance({ address, value: parseEther('1000') });
  const book = readAddressBook(localChainId, new URL(`../../${folder}/`, import.meta.url));
  const world = { url: local.url, chain, book, stop: local.stop };
  // A health of 1.25 and a trigger of 1.1.
  await makeLoans(world, [{ collateral: 'BTCB', amount: '0.01', debt: '640' }]);
  const { timestamp } = await chain.getBlock();
  await createPlan(world, { startAt: Number(timestamp) + 80_000, windowSeconds: 600 });
  const cells: string[][] = [];
  for (const [nodes, ws] of values.nodes
    .split(',')
    .flatMap((count) => [false, true].map((ws) => [Number(count), ws] as const)))
    cells.push(await measure(nodes, ws));
  record(values.record, 'rest', [['', 'requests a block and node', 'of them', 'blocks to a rescue'], ...cells]);

  async function measure(count: number, ws: boolean): Promise<string[]> {
    const made = await chain.snapshot();
    await chain.setAutomine(false);
    const stopMining = mineEvery(local.url, blockSeconds);
    const proxies = await Promise.all(Array.from({ length: count }, () => startRpcProxy(local.url)));
    const agent = await startSidecar(settingsOf(proxies, ws));
    try {
      await agent.logged('agent.ready');
      await sleep(12_000);
      for (const proxy of proxies) [proxy.requests, proxy.methods.length] = [0, 0];
      const [from, began] = [await chain.getBlockNumber(), performance.now()];
      await sleep(Number(values.seconds) * 1000);
      const blocks = Number((await chain.getBlockNumber()) - from);
      const each = proxies.map(({ requests, methods }) => {
        const by = Object.entries(Object.groupBy(methods, (method) => method)).map(
          ([method, of = []]) => `${(of.length / blocks).toFixed(2)} ${method}`,
        );
        return { requests: (requests / blocks).toFixed(2), methods: by.join(', ') };
      });
      const what = `${count} node${count === 1 ? '' : 's'}, ${ws ? 'WebSocket' : 'polling'}`;
      console.log(`${what}: a block every ${((performance.now() - began) / blocks).toFixed(0)} ms`);
      for (const { requests, methods } of each) console.log(`  ${requests} requests a block: ${methods}`);
      const price = (priceUsd8.BTCB * BigInt(values.fall)) / 100n;
      const [receipt] = await chain.sendTogether(alice, [priceChange('BTCB', price)]);
      const fell = receipt?.blockNumber ?? 0n;
      const rescued = await rescuedAt(fell);
      console.log(`  rescued ${rescued - fell} blocks after the price`);
      return [what, each.map(({ requests }) => requests).join(', '), each[0]?.methods ?? '', String(rescued - fell)];
    } finally {
      await agent.stop();
      await stopMining();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      await chain.revert({ id: made });
      await chain.setAutomine(true);
    }
  }

  async function rescuedAt(fell: bigint): Promise<bigint> {
    const event = getAbiItem({ abi: loanGuardAbi, name: 'LoanRescued' });
    for (let tried = 0; tried < 300; tried++) {
      const [log] = await chain.getLogs({ address: book.own.loanGuard, event, fromBlock: fell });
      if (log) return log.blockNumber;
      await sleep(200);
    }
    throw new Error('The loan was not rescued.');
  }
} finally {
  await local.stop();
  rmSync(kept, { recursive: true, force: true });
}
