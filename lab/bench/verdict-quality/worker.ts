import { parentPort, workerData } from 'node:worker_threads';
import { type Setting, tasksOf } from './tasks.ts';

// One thread of `npm run lab -- bench:verdict-quality`: runs the parts that it is given, in order.

const tasks = tasksOf(workerData as Setting);

parentPort?.on('message', (at: number) => parentPort?.postMessage(tasks[at]?.()));
