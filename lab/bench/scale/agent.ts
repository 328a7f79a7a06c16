// The whole agent as a process, on a chain with our contracts, behind proxies that count its node requests and may delay them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readAddressBook } from '@bowline/http/address-book';
import { getAbiItem, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { loanGuardAbi } from '../../../abis/index.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { startRpcProxy } from '../../../packages/chain/test/rpc-proxy.ts';
import { type Sidecar, startSidecar } from '../../../test/e2e/sidecar.ts';
import { alice } from '../../../test/local/accounts.ts';
import { connect, type EncodedCall } from '../../world/chain.ts';
import { localChainId, startLocalChain } from '../../world/fork.ts';
import { deployContracts, keeper } from '../../world/start/contracts.ts';

const folder = '.cache/deployments/bench';
const patienceMs = 120_000;

/**
 * A chain with our contracts that keeps the state of 30 blocks; a node of BNB Chain keeps the last hundred or so.
 * @param deployments folder of their record.
 * @param blockSeconds absent: each transaction is mined at once.
 */
export async function startWorld(deployments = folder, blockSeconds?: number): Promise<DeployedChain> {
  const local = await startLocalChain({ blockSeconds: blockSeconds ?? 86_400 });
  const chain = connect(local.url);
  if (blockSeconds === undefined) await chain.setAutomine(true);
  await deployContracts(local.url, deployments, new AbortController().signal, { operator: keeper });
  await chain.setBalance({ address: keeper, value: parseEther('1000') });
  const book = readAddressBook(localChainId, new URL(`../../../${deployments}/`, import.meta.url));
  return { url: local.url, chain, book, stop: local.stop };
}

interface AgentPlan {
  readonly nodes?: number;
  /** Whether it also has the node's WebSocket. */
  readonly ws?: boolean;
  /** Delay of each request. */
  readonly rttMs?: number;
  /** Besides the keeper's. */
  readonly rescueKeys?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts the agent with the intervals of BNB Chain, and resolves when every guard has been read once. */
export async function startAgent({ url, chain }: DeployedChain, plan: AgentPlan) {
  const { nodes = 1, ws = false, rttMs = 0, rescueKeys = 1, settings = {} } = plan;
  const proxies = await Promise.all(Array.from({ length: nodes }, () => startRpcProxy(url)));
  for (const proxy of proxies) proxy.fate = () => (rttMs > 0 ? sleep(rttMs, 'answered') : 'answered');
  const keys = Array.from({ length: rescueKeys }, generatePrivateKey);
  for (const key of keys) await chain.setBalance({ address: privateKeyToAddress(key), value: parseEther('100') });
  const kept = mkdtempSync(join(tmpdir(), 'bowline-bench-'));
  const agent = await startSidecar({
    RPC_URL: [...proxies.map((proxy) => proxy.url), ...(ws ? [url.replace('http', 'ws')] : [])].join(','),
    RESCUE_PRIVATE_KEYS: keys.join(','),
    ...{ DEPLOYMENTS_DIR: folder, DATA_DIR: kept, MARKET_DATA_URL: 'off', PYTH_URL: 'off' },
    ...{ EXECUTOR_INTERVAL_SECONDS: '900', ...settings },
  });
  await agent.logged('tick.end', { loop: 'loan-guard' });
  let heard = 0;
  return {
    /** Measures what a block costs the agent during this work. */
    async during(work: () => Promise<unknown>) {
      const asked = proxies.map(({ requests, methods }) => ({ requests, calls: methods.length }));
      const [lines, cpu] = [agent.log.length, await cpuSeconds(agent)];
      const [block, began] = [await chain.getBlockNumber(), performance.now()];
      await work();
      const blocks = Number((await chain.getBlockNumber()) - block);
      const each = (count: number, digits = 1) => (count / blocks).toFixed(digits);
      return {
        blockMs: each(performance.now() - began, 0),
        /** For each node: HTTP requests, and the calls in them. */
        nodes: proxies.map(({ requests, methods }, at) => {
          const of = Map.groupBy(methods.slice(asked[at]?.calls), (method) => method);
          return {
            requests: each(requests - (asked[at]?.requests ?? 0), 2),
            calls: each(methods.length - (asked[at]?.calls ?? 0)),
            methods: [...of].map(([method, { length }]) => `${each(length, 2)} ${method}`).join(', '),
          };
        }),
        cpuMs: each(1_000 * ((await cpuSeconds(agent)) - cpu), 0),
        /** The longest of the loan guard's rounds. */
        roundMs: Math.max(0, ...roundsOf(agent.log.slice(lines))),
      };
    },
    /** How often each warning, error or refusal was logged since the last call. */
    trouble(): string {
      const loud = agent.log
        .slice(heard)
        .filter(({ event, level }) => level === 'warn' || level === 'error' || event === 'call.would_revert')
        .map(({ event, rule, reason }) => [event, rule ?? reason].filter(Boolean).join(' '));
      heard = agent.log.length;
      return [...Map.groupBy(loud, (what) => what)].map(([what, { length }]) => `${length} × ${what}`).join(', ');
    },
    async stop(): Promise<void> {
      await agent.stop();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
      rmSync(kept, { recursive: true, force: true });
    },
  };
}

const roundsOf = (log: Sidecar['log']): number[] =>
  log.filter(({ event, loop }) => event === 'tick.end' && loop === 'loan-guard').map((line) => Number(line.durationMs));

async function cpuSeconds({ url }: Sidecar): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
}

/** Sends one transaction and returns its block. */
export async function act({ chain }: DeployedChain, call: EncodedCall): Promise<bigint> {
  const [receipt] = await chain.sendTogether(alice, [call]);
  if (receipt?.status !== 'success') throw new Error('The shortfall was not made.');
  return receipt.blockNumber;
}

/** Blocks from `fell` to the first rescue by each of these guards, which are numbered from 0 here; sorted ascending. */
export async function rescued({ chain, book }: DeployedChain, fell: bigint, of: readonly number[]): Promise<number[]> {
  const event = getAbiItem({ abi: loanGuardAbi, name: 'LoanRescued' });
  const until = performance.now() + patienceMs;
  for (;;) {
    const logs = await chain.getLogs({ address: book.own.loanGuard, event, fromBlock: fell, strict: true });
    const blocks = of.flatMap((at) => logs.find(({ args }) => args.guardId === BigInt(at + 1))?.blockNumber ?? []);
    if (blocks.length === of.length) return blocks.map((block) => Number(block - fell)).sort((a, b) => a - b);
    if (performance.now() > until)
      throw new Error(`${of.length - blocks.length} of ${of.length} loans were not rescued.`);
    // The chain serves the agent meanwhile.
    await sleep(200);
  }
}
