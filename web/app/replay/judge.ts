import workerUrl from './judge-worker.ts?worker&url';
import type { Task, TaskAnswer } from './tasks.ts';

// Evidence is judged again in a worker, so that somebody else's document cannot block the page.

/** Maximum time of one task. A verdict takes milliseconds. */
const LIMIT_MS = 20_000;

/** `unread`: the task's text is not of the claimed kind. */
export class JudgeFailed extends Error {
  readonly why: 'unread' | 'not_loaded' | 'too_slow';

  constructor(why: JudgeFailed['why']) {
    super(why);
    this.why = why;
  }
}

let worker: Worker | undefined;
let tasks = 0;

// Preloads the worker's code into the browser's cache, like the sections that judge, so that the page's server is not
// needed later. Low priority, because visible content goes first.
void fetch(workerUrl, { priority: 'low' }).then(
  (response) => response.arrayBuffer(),
  () => {},
);

/** @throws JudgeFailed */
export function judge<Of extends Task>(task: Of): Promise<TaskAnswer<Of>> {
  worker ??= new Worker(workerUrl, { type: 'module' });
  const asked = worker;
  const id = ++tasks;
  return new Promise((resolve, reject) => {
    const fail = (why: JudgeFailed['why']) => {
      end();
      // A worker that failed or hangs will not answer again.
      if (why !== 'unread') {
        asked.terminate();
        if (worker === asked) worker = undefined;
      }
      reject(new JudgeFailed(why));
    };
    const told = ({ data }: MessageEvent<{ id: number; answer?: TaskAnswer<Of> }>) => {
      if (data.id !== id) return;
      if (data.answer === undefined) return fail('unread');
      end();
      resolve(data.answer);
    };
    const failed = () => fail('not_loaded');
    const timer = setTimeout(() => fail('too_slow'), LIMIT_MS);
    const end = () => {
      clearTimeout(timer);
      asked.removeEventListener('message', told);
      asked.removeEventListener('error', failed);
    };
    asked.addEventListener('message', told);
    asked.addEventListener('error', failed);
    asked.postMessage({ id, task });
  });
}
