import { parentPort, workerData } from 'node:worker_threads';
import { checkSeed } from './check-story.ts';
import { limits } from './limits.ts';
import { addTo, newSummary } from './summary.ts';

const { from, to, step } = workerData as { from: number; to: number; step: number };
const sum = newSummary();
for (let seed = from; seed < to; seed += step) addTo(sum, seed, (await checkSeed(seed, { limits })).report);
parentPort?.postMessage(sum);
