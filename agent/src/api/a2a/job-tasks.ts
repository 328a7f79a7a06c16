import { type Task, TaskState, type TaskStatus } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';
import type { JobProgress, ReadProgress } from '../../selling/jobs/progress.ts';
import { dataPart, messageOf } from './message.ts';

const states = {
  working: TaskState.TASK_STATE_WORKING,
  delivered: TaskState.TASK_STATE_COMPLETED,
  refused: TaskState.TASK_STATE_FAILED,
} as const;

/**
 * A job as an A2A task, by its ID `job-N`. The chain is its only record: a task is made from it whenever somebody asks, so that
 * tasks survive a restart, none fills the memory, and nobody can list them.
 */
export const createTasks = (progress: ReadProgress | undefined): TaskStore => ({
  list: async () => ({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }),
  save: async () => {},
  async load(id) {
    const [, jobId] = /^job-([1-9]\d{0,77})$/.exec(id) ?? [];
    const known = jobId === undefined ? undefined : await progress?.(BigInt(jobId));
    if (jobId === undefined || known === undefined) return undefined;
    const metadata = { job_id: jobId };
    return {
      id,
      contextId: id,
      status: statusOf(id, jobId, known),
      artifacts: artifactsOf(known),
      history: [],
      metadata,
    };
  },
});

function statusOf(id: string, job_id: string, progress: JobProgress): TaskStatus {
  const said = progress.state === 'refused' && { status: 'rejected', job_id, reason: progress.reason };
  const message = said ? messageOf(dataPart(said), id, id) : undefined;
  return { state: states[progress.state], message, timestamp: undefined };
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
