import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { parseEther } from 'viem';
import { type Sidecar, startAgent } from '../../test/e2e/sidecar.ts';
import { freePort } from '../../test/local/free-port.ts';
import { walletOf } from '../world/account-abstraction.ts';
import { startBundler } from '../world/bundler.ts';
import { type Chain, connect } from '../world/chain.ts';
import { serveFacilitator } from '../world/facilitator.ts';
import { startLocalChain } from '../world/fork.ts';
import { exchange } from '../world/market/exchange.ts';
import { hermes } from '../world/market/hermes.ts';
import { createPath } from '../world/market/path.ts';
import { serve } from '../world/serve.ts';
import { publicKeys } from '../world/start/agent-keys.ts';
import { deployContracts, keeper } from '../world/start/contracts.ts';
import { type Clock, createClock } from './clock.ts';

const agentProgram = fileURLToPath(new URL('../../agent/src/main.ts', import.meta.url));

/** A Wednesday with exchanges open, later than any day on which the replica is built. */
const start = Date.UTC(2030, 0, 2, 15) / 1000;
/** The block in which every recording begins. */
const firstBlock = 1_000;
/** The agents' public URL, so that no answer contains a port of this machine. */
export const publicUrl = 'https://agent.example.com';
const deployments = '.cache/deployments/transcripts';

/** A local chain whose time moves only on command, its market, and what its agents need. */
export type World = Awaited<ReturnType<typeof opened>>;

export async function openWorld(): Promise<World> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    return await opened(stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function opened(stops: (() => unknown)[], stop: () => Promise<void>) {
  const clock = createClock(start);
  stops.push(clock.stop);
  const local = await startLocalChain({ at: start });
  stops.push(local.stop);
  const chain = connect(local.url);
  const wallet = await walletOf(chain, keeper);
  for (const address of [wallet, keeper, publicKeys.rescuer.address]) {
    await chain.setBalance({ address, value: parseEther('10') });
  }
  const contracts = await deployContracts(local.url, deployments, new AbortController().signal, {
    operator: wallet,
    maker: keeper,
  });
  const market = await serveQuotes(() => clock.now());
  stops.push(market.stop);
  const bundler = await startBundler(local.url, await freePort());
  stops.push(bundler.stop);
  const facilitator = await serveFacilitator(local.url, 0);
  stops.push(facilitator.stop);
  const kept = mkdtempSync(join(tmpdir(), 'bowline-transcripts-'));
  stops.push(() => rmSync(kept, { recursive: true, force: true }));

  await pinFirstBlock(chain, clock);

  /** Mines one block, and sets all clocks to its time. */
  const pass = async (seconds: number) => {
    clock.set(clock.now() + seconds);
    await chain.setNextBlockTimestamp({ timestamp: BigInt(clock.now()) });
    await chain.mine({ blocks: 1 });
  };

  const urls = { chain: local.url, market: market.url, bundler: bundler.url, facilitator: facilitator.url };
  let agents = 0;
  return {
    ...{ chain, clock, contracts, urls, stop },
    /** Stops the chain before everything else. */
    stopChain: local.stop,
    /** Each agent has a folder of its own. */
    async startAgent(settings: Readonly<Record<string, string>> = {}): Promise<Sidecar> {
      agents += 1;
      const env = { ...agentSettings(urls, join(kept, String(agents))), ...clock.env, ...settings };
      // A folder without a `.env` file, whose settings would change answers.
      return startAgent(agentProgram, env, [], kept);
    },
    pass,
    /** Goes back to now afterwards. Every feed's answer is old by then. */
    async aDayLater(act: () => Promise<void>): Promise<void> {
      const [now, id] = [clock.now(), await chain.snapshot()];
      await pass(86_400);
      await act();
      await chain.revert({ id });
      clock.set(now);
    },
  };
}

/** Recordings begin with the same block number and time, however many blocks the replica and the deployment took. */
async function pinFirstBlock(chain: Chain, clock: Clock): Promise<void> {
  const built = Number(await chain.getBlockNumber());
  await chain.mine({ blocks: firstBlock - built - 1 });
  clock.set(start + 2 * firstBlock);
  await chain.setNextBlockTimestamp({ timestamp: BigInt(clock.now()) });
  await chain.mine({ blocks: 1 });
}

/** @param folder used by this agent only. */
const agentSettings = (
  urls: Record<'chain' | 'market' | 'bundler', string>,
  folder: string,
): Record<string, string> => ({
  RPC_URL: urls.chain,
  MARKET_DATA_URL: urls.market,
  PYTH_URL: urls.market,
  BUNDLER_URL: urls.bundler,
  DEPLOYMENTS_DIR: deployments,
  PUBLIC_URL: publicUrl,
  RESCUE_PRIVATE_KEYS: publicKeys.rescuer.key,
  LOG_LEVEL: 'info',
  DATA_DIR: folder,
  // One round at the start; for guards, new blocks bring more.
  EXECUTOR_INTERVAL_SECONDS: '86400',
  JOBS_INTERVAL_SECONDS: '86400',
});

/** The exchange and Pyth of the local market, with prices that stand still with the clock. */
async function serveQuotes(now: () => number) {
  const path = createPath(1, start);
  const app = express()
    .use((_request, response, next) => {
      // The agent dates an exchange's prices by this.
      response.set('Date', new Date(now() * 1000).toUTCString());
      next();
    })
    .use(exchange(path, now))
    .use(hermes(path, now));
  return serve(app);
}
