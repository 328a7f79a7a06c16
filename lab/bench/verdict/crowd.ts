import { parentPort, workerData } from 'node:worker_threads';
import { createLoad } from '../http/load.ts';

// A thread of `npm run lab -- bench:verdict`: asks a server from many connections at once.

export interface Crowd {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Each question is of another size. */
  readonly manySizes: boolean;
}

export interface CrowdResult {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Answers that were no 200. */
  readonly bad: number;
}

const { url, connections, seconds, manySizes } = workerData as Crowd;
const { port, pathname, search } = new URL(url);
let size = 1_000;
const asked = () => ({ path: `${pathname}${search}${manySizes ? `&amount_usd=${++size}` : ''}`, headers: {} });
const load = await createLoad(Number(port), asked, connections);
// Lets both sides compile what they run.
await load.run(2_000);
const { times, tookMs, bad } = await load.run(seconds * 1_000);
load.close();
const p99Ms = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
const result: CrowdResult = { perSecond: (times.length * 1_000) / tookMs, p99Ms, bad };
parentPort?.postMessage(result);
