import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// A thread of `npm run lab -- bench:verdict`: asks a server from many connections at once, each of them again as soon as it has its
// whole answer.

export interface Crowd {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Each question is of another size. */
  readonly manySizes: boolean;
}

export interface CrowdResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were no 200 of that many bytes or more. */
  readonly bad: number;
  /** Bytes of the last answer. */
  readonly bytes: number;
}

/** The shortest verdict is longer. */
const MIN_BYTES = 5_000;

const { url, connections, seconds, manySizes } = workerData as Crowd;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const times: number[] = [];
let [bad, bytes, asked] = [0, 0, 0];

const ask = () =>
  new Promise<void>((resolve) => {
    asked += 1;
    const request = get(manySizes ? `${url}&amount_usd=${1_000 + asked}` : url, { agent }, (response) => {
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      response.on('end', () => {
        bytes = length;
        if (response.statusCode !== 200 || length < MIN_BYTES) bad += 1;
        resolve();
      });
    });
    request.on('error', () => {
      bad += 1;
      resolve();
    });
  });

async function askAgainAndAgain(until: number): Promise<void> {
  for (let from = performance.now(); from < until; from = performance.now()) {
    await ask();
    times.push(performance.now() - from);
  }
}

const crowd = (until: number) => Promise.all(Array.from({ length: connections }, () => askAgainAndAgain(until)));

// Opens the connections, and lets both sides compile what they run.
await crowd(performance.now() + 2_000);
times.length = 0;
bad = 0;
const from = performance.now();
await crowd(from + seconds * 1_000);
const took = (performance.now() - from) / 1_000;
agent.destroy();
const sorted = times.toSorted((a, b) => a - b);
const quantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
const result: CrowdResult = { perSecond: times.length / took, p50Ms: quantile(0.5), p99Ms: quantile(0.99), bad, bytes };
parentPort?.postMessage(result);
