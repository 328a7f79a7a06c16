// Cost of a verdict: requests to the node, CPU, and the duration of a whole check_asset next to one bare eth_call of
// the same run, with 0, 20 and 100 ms of added latency to the node. Excludes exchange and Pyth, which are asked in
// parallel.
//
//   npm run bench:verdict -- [verdicts of each]

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { readTradingCalendars } from '@bowline/core/registry/calendars';
import { timers } from '@bowline/http/clock';
import { encodeFunctionData, isAddress, keccak256, stringToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { erc20Abi } from '../agent/src/chain/chain-abis.ts';
import { connectChain } from '../agent/src/chain/chain-client.ts';
import { createGuardReader } from '../agent/src/chain/guard-reader.ts';
import { createMarketReader } from '../agent/src/chain/market-reader.ts';
import { createPlanReader } from '../agent/src/chain/plan-reader.ts';
import { createPriceReader } from '../agent/src/chain/price-reader.ts';
import { createSwapDrafter } from '../agent/src/chain/swap-drafter.ts';
import { createTicketSigner } from '../agent/src/process/ticket-signer.ts';
import { callTool } from '../agent/src/tools/call.ts';
import { tools } from '../agent/src/tools/index.ts';
import type { ToolContext } from '../agent/src/tools/tool.ts';
import { type DeployedChain, startDeployedChain } from '../agent/test/chain/deployed-chain.ts';
import { startRpcProxy } from '../agent/test/chain/rpc-proxy.ts';
import { localChainId } from '../script/local/fork.ts';

const count = Number(process.argv[2] ?? 100);
const question = { asset: 'BTCB', side: 'buy', amount_usd: '1000' };

const world = await startDeployedChain();
try {
  const counted = await startRpcProxy(world.url);
  const { verdict, summary } = asker(world, counted.url);
  await verdict();
  counted.requests = 0;
  counted.methods.length = 0;
  for (let each = 0; each < count; each++) await verdict();
  const requests = counted.requests / count;
  console.log(`${await summary()}`);
  console.log(`${requests} request(s) to the node a verdict: ${[...new Set(counted.methods)].join(', ')}`);
  await counted.stop();

  const direct = asker(world, world.url);
  for (let each = 0; each < count; each++) await direct.verdict();
  const before = process.cpuUsage();
  for (let each = 0; each < count; each++) await direct.verdict();
  const { user, system } = process.cpuUsage(before);
  console.log(`${((user + system) / 1000 / count).toFixed(2)} ms of CPU a verdict\n`);

  console.log('way to the node   bare eth_call   check_asset   ratio');
  for (const delayMs of [0, 20, 100]) {
    const line = delayMs === 0 ? undefined : await startDelay(world.url, delayMs);
    const { bare, verdict: whole } = line ? asker(world, line.url) : direct;
    await Promise.all([bare(), whole()]);
    const [bareMs, wholeMs] = await medians(bare, whole);
    const cells = [`+${delayMs} ms`, `${bareMs.toFixed(2)} ms`, `${wholeMs.toFixed(2)} ms`];
    console.log(
      `${cells.map((cell, at) => cell.padStart([15, 16, 14][at] ?? 0)).join('')}${(wholeMs / bareMs).toFixed(2).padStart(8)}`,
    );
    await line?.stop();
  }
} finally {
  await world.stop();
}

/** The agent's own path from question to answer, over that connection to the node. */
function asker({ book }: DeployedChain, url: string) {
  const client = connectChain(url);
  const assets = readAssetRegistry(localChainId, isAddress);
  const account = privateKeyToAccount(generatePrivateKey());
  const context: ToolContext = {
    assets,
    limitsOf: limitsOfAsset,
    chain: {
      ...createMarketReader(connectChain(url, true), book, timers),
      ...createPriceReader(client, book),
      ...createPlanReader(client, book.own, assets),
      ...createGuardReader(client, book, account.address),
    },
    calendars: readTradingCalendars(),
    clock: () => BigInt(Math.floor(Date.now() / 1000)),
    drafter: createSwapDrafter(client, book.pancake.router),
    hash: (text) => keccak256(stringToBytes(text)),
    tickets: createTicketSigner(account, localChainId, book.own.planRegistry),
  };
  const call = callTool(tools, context, (error) => {
    throw error;
  });
  const verdict = async () => {
    const result = await call('check_asset', question);
    if (!result.ok) throw new Error(result.message);
    return result.value as { verdict: string; reason: string | null; findings: unknown[]; ticket: unknown };
  };
  const summary = async () => {
    const { verdict: word, reason, findings, ticket } = await verdict();
    return `${word}${reason ? ` (${reason})` : ''}, ${findings.length} checks, ${ticket ? 'signed' : 'no ticket'}`;
  };
  const to = assets[0]?.address ?? account.address;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account.address] });
  return { verdict, summary, bare: () => client.call({ to, data }) };
}

/** In turns, so that both see the same load on this machine. */
async function medians(...asked: (() => Promise<unknown>)[]): Promise<[number, number]> {
  const times = asked.map((): number[] => []);
  for (let each = 0; each < count; each++) {
    for (const [at, ask] of asked.entries()) {
      const from = performance.now();
      await ask();
      times[at]?.push(performance.now() - from);
    }
  }
  const [first = 0, second = 0] = times.map((each) => each.toSorted((a, b) => a - b)[Math.floor(count / 2)]);
  return [first, second];
}

/** A proxy to a node that delays everything sent. */
async function startDelay(nodeUrl: string, delayMs: number) {
  const { hostname, port } = new URL(nodeUrl);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.setNoDelay(true).on('data', (bytes) => setTimeout(() => far.write(bytes), delayMs));
    far.setNoDelay(true).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
    },
  };
}
