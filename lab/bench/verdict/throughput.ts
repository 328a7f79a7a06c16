import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { watchHeads } from '@bowline/chain/head';
import { httpNodes, openNodes } from '@bowline/chain/nodes/nodes';
import { callerBehind } from '@bowline/http/caller';
import { steadyClock, timers } from '@bowline/http/clock';
import { createFairLimit } from '@bowline/http/fair-limit';
import { pageRecogniser } from '@bowline/http/page-secret';
import { limited } from '@bowline/http/rate-limit';
import express from 'express';
import { createApi } from '../../../agent/src/api/http/api.ts';
import { keepLog } from '../../../agent/test/loops/world.ts';
import type { DeployedChain } from '../../../packages/chain/test/deployed-chain.ts';
import { localChainId } from '../../world/fork.ts';
import { mineEvery } from '../../world/miner.ts';
import { serve } from '../../world/serve.ts';
import { figure, type Table } from '../record.ts';
import { createAsker } from './asker.ts';
import type { Crowd, CrowdResult } from './crowd.ts';
import { startSlowLine } from './slow-line.ts';

const connections = 50;
const seconds = 8;
const blockSeconds = 0.45;
/** As GUARD_BLOCK_POLL_MS has it by default. */
const pollMs = 450;
/** Of the agent's own: 120 in 60 seconds. */
const raisedLimit = { name: 'verdict', requests: 1_000_000, total: 2_000_000, seconds: 1 };
const callers = { callerOf: callerBehind(0), isPage: pageRecogniser(undefined) };
const path = '/verdict?asset=BTCB&side=buy';

/**
 * Verdicts a second over HTTP, for a crowd in a thread of its own, on a chain with a block every 0.45 s. Beside them, in the
 * same run, a bare server that answers with the same bytes.
 */
export async function measureThroughput(world: DeployedChain): Promise<Table> {
  const table: string[][] = [];
  await world.chain.setAutomine(false);
  const stopMining = mineEvery(world.url, blockSeconds);
  try {
    const near = await openAgent(world, world.url);
    const body = Buffer.from(await (await fetch(near.url + path)).arrayBuffer());
    const bare = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
      response.end(body);
    });
    await row(`bare node:http, ${(body.length / 1_000).toFixed(1)} kB`, bare.url);
    await bare.stop();
    await row('GET /verdict, one question', near.url, near.readings, { aim: '2,000 a second, p99 100 ms' });
    await row('GET /verdict, each of another size', near.url, near.readings, { manySizes: true });
    await near.stop();
    const line = await startSlowLine(world.url, 20);
    const far = await openAgent(world, line.url);
    await row('GET /verdict, one question, node at +20 ms', far.url, far.readings);
    await far.stop();
    await line.stop();
  } finally {
    await stopMining();
  }
  return table;

  async function row(
    name: string,
    url: string,
    readings?: () => number,
    { manySizes = false, aim = '' }: { readonly manySizes?: boolean; readonly aim?: string } = {},
  ): Promise<void> {
    const before = readings?.() ?? 0;
    const from = performance.now();
    const { perSecond, p99Ms, bad } = await send({ url: url + path, connections, seconds, manySizes });
    const blocks = (performance.now() - from) / 1_000 / blockSeconds;
    const asked = readings && ((readings() - before) / blocks).toFixed(1);
    const rate = `${figure(perSecond)} a second, p99 ${figure(p99Ms)} ms`;
    const failed = bad > 0 ? `; ${bad} failed` : '';
    table.push([name, `${rate}${asked === undefined ? '' : `; ${asked} requests a block`}${failed}`, aim]);
  }
}

async function send(crowd: Crowd): Promise<CrowdResult> {
  const worker = new Worker(new URL('./crowd.ts', import.meta.url), { workerData: crowd });
  const [result] = (await once(worker, 'message')) as [CrowdResult];
  await worker.terminate();
  return result;
}

/** The agent's `GET /verdict`, with the heads that it watches, over that connection to the node. */
async function openAgent(world: DeployedChain, url: string) {
  const log = keepLog();
  const nodes = openNodes(httpNodes([url]), { chainId: localChainId, clock: steadyClock, timers, log });
  const heads = watchHeads({ nodes, pollMs, clock: steadyClock, timers, log });
  let readings = 0;
  const { call } = createAsker(world, url, {
    newestBlock: () => heads.newest()?.number,
    onReading: () => {
      readings += 1;
    },
  });
  const limit = () => limited(createFairLimit(raisedLimit, timers.now), callers);
  const server = await serve(express().use(createApi({ call, assets: [], limit })));
  const stop = async () => {
    heads.stop();
    await server.stop();
  };
  return { url: server.url, readings: () => readings, stop };
}
