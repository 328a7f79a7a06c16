import { parentPort } from 'node:worker_threads';
import { score } from './score.ts';

// One thread of `npm run bench:verdict-accuracy`: scores the kinds that it receives, one after the other.

parentPort?.on('message', ({ at, count, seed }: { at: number; count: number; seed: number }) => {
  parentPort?.postMessage(score(at, count, seed));
});
