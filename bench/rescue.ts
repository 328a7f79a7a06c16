// Blocks from a shortfall to its rescue, on a chain that mines every 0.45 s, through a line that delays each request: one
// loan at a time, then a hundred in one block. The agent watches thousands of other guards meanwhile. It runs in this
// process, as compose puts it together, with the keeper's key and three rescue keys.
//
//   npm run bench:rescue -- [--rtt 0,30,100] [--guards 10000] [--trials 8] [--crash 100]

import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { clock, timers } from '@bowline/http/clock';
import { type Address, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { loanGuardAbi } from '../abis/index.ts';
import { createBatchPreviewer } from '../agent/src/chain/batch-previewer.ts';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { createGuardReader } from '../agent/src/chain/guard-reader.ts';
import { watchHeads } from '../agent/src/chain/head.ts';
import { createHealthReader } from '../agent/src/chain/health-reader.ts';
import { lensesOf } from '../agent/src/chain/lending/lenses.ts';
import { createPlanReader } from '../agent/src/chain/plan-reader.ts';
import { createPriceReader } from '../agent/src/chain/price-reader.ts';
import { createLoanGuard } from '../agent/src/loops/loan-guard/tick.ts';
import { startLoop } from '../agent/src/loops/runner.ts';
import { createCalls } from '../agent/src/sending/calls.ts';
import { openKeeper } from '../agent/src/sending/keeper.ts';
import { createBroadcast } from '../agent/src/sending/nodes.ts';
import { startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { makeGuards } from '../agent/test/chain/many-plans.ts';
import { type Fate, startRpcProxy } from '../agent/test/chain/rpc-proxy.ts';
import { borrow, introduce, setGuard, stranger } from '../agent/test/loans.ts';
import { nodeOf } from '../agent/test/sending/sending.ts';
import { vTokenAbi } from '../script/local/abis.ts';
import { venus } from '../script/local/addresses.ts';
import { localChainId } from '../script/local/fork.ts';
import { mineEvery } from '../script/local/miner.ts';
import { setPrice } from '../script/local/oracle.ts';
import { bob } from '../test/local/accounts.ts';

const { values } = parseArgs({
  options: {
    rtt: { type: 'string', default: '0,30,100' },
    guards: { type: 'string', default: '10000' },
    trials: { type: 'string', default: '8' },
    crash: { type: 'string', default: '100' },
  },
});
const [watched, trials, crashed] = [values.guards, values.trials, values.crash].map(Number) as [number, number, number];
/** Loans that the other guards are on. */
const others = 100;
const blockSeconds = 0.45;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
// Of anvil's second account, which everybody knows.
const keeperKey = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');

for (const rttMs of values.rtt.split(',').map(Number)) await measure(rttMs);

async function measure(rttMs: number): Promise<void> {
  const world = await startDeployedChain();
  const proxy = await startRpcProxy(world.url);
  const stops: (() => unknown)[] = [() => world.stop(), () => proxy.stop()];
  try {
    const { chain, book } = world;
    for (let at = 0; at < others; at++) {
      await loan(at, '4000');
      await makeGuards(world, stranger(at), Math.ceil(watched / others));
    }
    const singles = Array.from({ length: trials }, (_, at) => stranger(others + at));
    const many = Array.from({ length: crashed }, (_, at) => stranger(others + trials + at));
    for (const at of singles.keys()) await loan(others + at, '6000', true);
    // Of 8,000 that count; the price falls by 7 %.
    for (const at of many.keys()) await loan(others + trials + at, '7000', true);
    const first =
      (await chain.readContract({ ...guardContract(), functionName: 'guardCount' })) - BigInt(trials + crashed);

    proxy.fate = async (): Promise<Fate> => {
      if (rttMs > 0) await sleep(rttMs);
      return 'answered';
    };
    await startAgent();
    await chain.setAutomine(false);
    stops.push(mineEvery(world.url, blockSeconds));
    await sleep(3_000);
    const [requests, from] = [proxy.methods.length, await chain.getBlockNumber()];
    await sleep(5_000);
    const blocksPassed = Number((await chain.getBlockNumber()) - from);
    const asked = proxy.methods.slice(requests);
    const polls = asked.filter((method) => method === 'eth_getBlockByNumber').length / blocksPassed;
    const perBlock = asked.length / blocksPassed;

    const deltas: number[] = [];
    for (const [at, borrower] of singles.entries()) {
      const more = { abi: vTokenAbi, functionName: 'borrow', args: [parseEther('1500')] } as const;
      const { blockNumber } = await chain.send(borrower, venus.markets.vUSDT, more);
      deltas.push(Number((await rescuedIn(first + BigInt(at + 1))) - blockNumber));
      await sleep(Math.random() * blockSeconds * 1000);
    }
    const before = await chain.getBlockNumber();
    await setPrice(chain, bob, 'BTCB', 93_000n * 10n ** 8n);
    const fell = await chain.getBlockNumber();
    const blocks: number[] = [];
    for (const at of many.keys()) blocks.push(Number((await rescuedIn(first + BigInt(trials + at + 1))) - fell));

    deltas.sort((a, b) => a - b);
    blocks.sort((a, b) => a - b);
    console.log(`+${rttMs} ms a request, load ${loadavg()[0]?.toFixed(1)}, ${watched} other guards`);
    console.log(
      `  requests a block at rest       ${perBlock.toFixed(1)}, ${polls.toFixed(1)} of them polls for blocks   aim 5`,
    );
    console.log(`  one loan: blocks to its rescue ${deltas.join(' ')}   aim ${rttMs === 0 ? 1 : 2}`);
    const parts = [0, 0.5, 0.9, 1].map((part) => blocks[Math.ceil(part * blocks.length) - 1] ?? blocks[0]);
    console.log(
      `  ${crashed} in one block: first, half, 90 %, last ${parts.join(' ')}   aim ${rttMs === 0 ? 2 : 3}` +
        ` (the price moved over ${fell - before} blocks)`,
    );

    function guardContract() {
      return { address: book.own.loanGuard, abi: loanGuardAbi } as const;
    }

    async function loan(at: number, usdt: string, isGuarded = false): Promise<void> {
      const borrower: Address = stranger(at);
      await introduce(chain, borrower);
      await borrow(chain, borrower, usdt, { BTCB: '0.1' });
      if (isGuarded) await setGuard(world, borrower);
    }

    /** The block of the guard's first rescue, found by asking at each block. */
    async function rescuedIn(guardId: bigint): Promise<bigint> {
      const rescues = { ...guardContract(), functionName: 'rescues', args: [guardId, 0n, 1n] } as const;
      for (let tries = 0; tries < 1_500; tries++) {
        const [rescue] = await chain.readContract(rescues);
        if (rescue !== undefined) return blockAt(BigInt(rescue.time), guardId);
        await sleep(20);
      }
      throw new Error(`Guard ${guardId} was not rescued within 30 s.`);
    }

    /** Blocks repeat timestamps: the first one that has the record. */
    async function blockAt(_time: bigint, guardId: bigint): Promise<bigint> {
      let block = await chain.getBlockNumber();
      for (;;) {
        const rescues = { ...guardContract(), functionName: 'rescues', args: [guardId, 0n, 1n] } as const;
        const records = await chain.readContract({ ...rescues, blockNumber: block - 1n });
        if (records.length === 0) return block;
        block -= 1n;
      }
    }

    async function startAgent(): Promise<void> {
      const client = connectChain(proxy.url);
      const rescuers = Array.from({ length: 3 }, () => privateKeyToAccount(generatePrivateKey()));
      for (const { address } of rescuers) await chain.setBalance({ address, value: parseEther('100') });
      const heads = watchHeads({ nodes: nodeOf(client), pollMs: 100, clock, timers, log: silent });
      const keeper = await openKeeper({
        client,
        book,
        account: keeperKey,
        rescuers,
        chainId: localChainId,
        gasBounds: {
          maxGasPriceWei: 5_000_000_000n,
          rescueMaxGasPriceWei: 20_000_000_000n,
          maxDayWei: parseEther('1000'),
        },
        broadcast: createBroadcast([client], silent),
        heads,
        log: silent,
        clock,
        timers,
      });
      const guard = createLoanGuard({
        reader: {
          ...createGuardReader(client, book, keeper.sender.address),
          balances: createPlanReader(client, book.own, book.assets).balances,
        },
        loans: createHealthReader(client, lensesOf(client, book.lending)),
        assets: book.assets,
        prices: createPriceReader(client, book),
        serving: {
          maxTriggerHealthWad: parseEther('2'),
          minimumCooldownSeconds: 300n,
          minimumRepayUsdWad: parseEther('5'),
        },
        calls: createCalls(book.own),
        previewer: createBatchPreviewer(client, keeper.sender.address),
        sender: keeper.sender,
        clock,
        log: silent,
      });
      let hasTicked = () => {};
      const ticked = new Promise<void>((resolve) => {
        hasTicked = resolve;
      });
      const tick: typeof guard.tick = async (...args) => {
        const round = await guard.tick(...args);
        hasTicked();
        return round;
      };
      const loop = startLoop('loan-guard', tick, 300, timers, silent);
      stops.push(heads.stop, heads.onHead(loop.trigger), async () => {
        await Promise.all([loop.stop(), keeper.stop()]);
        await guard.settled();
      });
      await ticked;
    }
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}
