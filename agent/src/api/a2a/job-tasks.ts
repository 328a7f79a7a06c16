import { type Part, type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutionEvent, type TaskStore } from '@a2a-js/sdk/server';
import type { JobProgress, Progress } from '../../seller/progress.ts';

// A job as an A2A task. The chain is its only record: a task is made anew from it whenever somebody asks, so that tasks
// survive a restart, and there are none to fill the memory.

const PREFIX = 'job-';

export const taskIdOf = (jobId: bigint): string => `${PREFIX}${jobId}`;

/** Undefined if the task is not a job's. */
export function jobIdOf(taskId: string): bigint | undefined {
  const [, digits] = /^job-([1-9]\d{0,77})$/.exec(taskId) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

const states = {
  working: TaskState.TASK_STATE_WORKING,
  delivered: TaskState.TASK_STATE_COMPLETED,
  refused: TaskState.TASK_STATE_FAILED,
} as const;

export const isFinal = ({ state }: JobProgress): boolean => state !== 'working';

function taskOf(id: bigint, progress: JobProgress): Task {
  const taskId = taskIdOf(id);
  const metadata = { job_id: id.toString() };
  return {
    id: taskId,
    contextId: taskId,
    status: statusOf(id, progress),
    artifacts: artifactsOf(progress),
    history: [],
    metadata,
  };
}

/** What is told after `taskOf` a working job, in order. */
export function updatesOf(id: bigint, progress: JobProgress): AgentExecutionEvent[] {
  const of = { taskId: taskIdOf(id), contextId: taskIdOf(id) };
  const artifacts = artifactsOf(progress).map((artifact) =>
    AgentEvent.artifactUpdate({ ...of, artifact, append: false, lastChunk: true, metadata: {} }),
  );
  return [...artifacts, AgentEvent.statusUpdate({ ...of, status: statusOf(id, progress), metadata: {} })];
}

function statusOf(id: bigint, progress: JobProgress): TaskStatus {
  const base = { state: states[progress.state], message: undefined, timestamp: undefined };
  if (progress.state !== 'refused') return base;
  const message = {
    messageId: `${taskIdOf(id)}-refused`,
    role: 2,
    contextId: taskIdOf(id),
    taskId: taskIdOf(id),
    parts: [dataPart({ status: 'rejected', job_id: id.toString(), reason: progress.reason })],
    extensions: [],
    metadata: {},
    referenceTaskIds: [],
  };
  return { ...base, message };
}

function artifactsOf(progress: JobProgress): Task['artifacts'] {
  if (progress.state !== 'delivered') return [];
  const { url, hash, deliverable } = progress;
  return [
    {
      artifactId: hash,
      name: 'deliverable',
      description: 'The manifest whose hash is on chain.',
      parts: [dataPart(deliverable?.manifest ?? { deliverable_url: url, deliverable: hash })],
      metadata: { deliverable_url: url, deliverable: hash },
      extensions: [],
    },
  ];
}

const dataPart = (value: unknown): Part => ({
  content: { $case: 'data', value },
  mediaType: 'application/json',
  filename: '',
  metadata: undefined,
});

/** Tasks of jobs as the chain tells them: whatever the SDK makes of them, none is saved here, and nobody can list them. */
export function createTasks(progress: Pick<Progress, 'read'> | undefined): TaskStore {
  return {
    list: async () => ({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }),
    save: async () => {},
    async load(taskId) {
      const id = jobIdOf(taskId);
      if (id === undefined) return undefined;
      const known = await progress?.read(id);
      return known && taskOf(id, known);
    },
  };
}

export interface Waiting {
  /** The job's task, then what changes of it until its end. Undefined if too many wait already. */
  follow(id: bigint, first: JobProgress): AsyncIterable<AgentExecutionEvent> | undefined;
}

/** Each job is paid for, and yet anybody may wait for it. */
const [MAX_WAITING, MAX_FOR_ONE] = [500, 10];
/** How often one request looks at its job, at least every half minute. The client may subscribe again. */
const LOOKS = 20;

export function createWaiting(progress: Progress): Waiting {
  const waiting = new Map<bigint, number>();
  let all = 0;
  const count = (id: bigint, by: 1 | -1) => {
    all += by;
    const now = (waiting.get(id) ?? 0) + by;
    if (now === 0) waiting.delete(id);
    else waiting.set(id, now);
  };

  async function* events(id: bigint, first: JobProgress): AsyncIterable<AgentExecutionEvent> {
    count(id, 1);
    try {
      yield AgentEvent.task(taskOf(id, first));
      const never = new AbortController().signal;
      let now: JobProgress | undefined = first;
      for (let looks = 0; looks < LOOKS && now !== undefined && !isFinal(now); looks++) {
        await progress.changed(id, never);
        now = await progress.read(id);
      }
      if (now !== undefined && now !== first) yield* updatesOf(id, now);
    } finally {
      count(id, -1);
    }
  }

  return {
    follow: (id, first) =>
      all >= MAX_WAITING || (waiting.get(id) ?? 0) >= MAX_FOR_ONE ? undefined : events(id, first),
  };
}
