import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/local/free-port.ts';
import { type Chain, connect } from '../world/chain.ts';
import { localChainId } from '../world/fork.ts';
import { startChild } from '../world/start/child.ts';
import type { Contracts } from '../world/start/contracts.ts';
import { type Coverage, counting, coverageOf } from './coverage.ts';
import { awaited } from './requests.ts';

/** The URLs of the parts, and the deployment record. */
export interface World {
  readonly agentUrl: string;
  readonly webUrl: string;
  readonly rpcUrl: string;
  readonly recordFile: string;
}

/** A running `npm start`, and what runs in its agent. */
export interface Stack {
  readonly world: World;
  readonly chain: Chain;
  readonly contracts: Contracts;
  readonly marketUrl: string;
  readonly coverage: Coverage;
  /** The last lines that it printed. */
  lines(): readonly string[];
  stop(): Promise<void>;
}

const root = new URL('../../', import.meta.url);
const readySeconds = 100;
const keptLines = 30;

/** Starts everything as `npm start` does, on free ports, with an agent that counts the code it runs. */
export async function startStack(): Promise<Stack> {
  const [rpc, market, bundler, agent, web, counter = 0] = await Promise.all([1, 2, 3, 4, 5, 6].map(() => freePort()));
  const folder = `.cache/smoke/${rpc}`;
  const agentScript = fileURLToPath(new URL(`${folder}/agent.mjs`, root));
  mkdirSync(new URL(folder, root), { recursive: true });
  writeFileSync(agentScript, counting(new URL('agent/src/main.ts', root).href, counter));
  const ports = { rpc, market, bundler, agent, web };
  const args = Object.entries(ports).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
  const at = (port: number | undefined) => `http://127.0.0.1:${port}`;
  const printed: string[] = [];
  const ready = Promise.withResolvers<void>();
  const start = fileURLToPath(new URL('lab/world/start.ts', root));
  const child = await startChild({
    name: 'local chain',
    command: [process.execPath, start, ...args, '--agent-script', agentScript, '--deployments', folder],
    env: process.env,
    cwd: fileURLToPath(root),
    ready: `${at(agent)}/ready`,
    readySeconds,
    onLine: (line) => {
      printed.push(line);
      if (printed.length > keptLines) printed.shift();
      if (line.startsWith('Ready after')) ready.resolve();
    },
  });
  const stop = async () => {
    await child.stop();
    rmSync(new URL(folder, root), { recursive: true, force: true });
  };
  try {
    await Promise.race([ready.promise, child.ended.then((why) => Promise.reject(new Error(why)))]);
    const recordFile = `${folder}/${localChainId}.json`;
    const contracts = JSON.parse(readFileSync(new URL(recordFile, root), 'utf8')) as Contracts;
    const world: World = { agentUrl: at(agent), webUrl: at(web), rpcUrl: at(rpc), recordFile };
    const coverage = coverageOf(counter, root.href);
    const all = { world, chain: connect(at(rpc)), contracts, marketUrl: at(market), coverage };
    return { ...all, lines: () => printed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until the output contains these words: the work is then done and reported. */
export async function told({ lines }: Stack, words: string): Promise<void> {
  const isTold = async () => lines().some((line) => line.includes(words)) || undefined;
  await awaited(isTold, `npm start does not print "${words}"`);
}
