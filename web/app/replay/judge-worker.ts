import { type Task, work } from './tasks.ts';

addEventListener('message', async ({ data: { id, task } }: MessageEvent<{ id: number; task: Task }>) => {
  try {
    postMessage({ id, answer: await work(task) });
  } catch {
    postMessage({ id });
  }
});
