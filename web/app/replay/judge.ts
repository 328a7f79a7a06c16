import workerUrl from './judge-worker.ts?worker&url';
import type { Task, TaskAnswer } from './tasks.ts';

// Evidence is judged again in a worker: a document of somebody else's cannot hold up the page.

/** Maximum time of one task. A verdict takes milliseconds. */
const LIMIT_MS = 20_000;

/** `unread`: the task's text is not what it was given as. */
export class JudgeFailed extends Error {
  readonly why: 'unread' | 'not_loaded' | 'too_slow';

  constructor(why: JudgeFailed['why']) {
    super(why);
    this.why = why;
  }
}

let worker: Worker | undefined;
let tasks = 0;

// The sections that judge are loaded ahead, and so is the worker's code, into the browser's cache: the page's server is not
// needed later. What is shown goes first.
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
      // A worker that failed or hangs answers nothing more.
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
