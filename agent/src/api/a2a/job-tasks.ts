import { type Task, TaskState } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';
import type { DeliverableStore } from '@bowline/core/domain/jobs';
import type { JobReading, Jobs } from '../../selling/jobs/jobs.ts';
import { dataPart, messageOf } from './message.ts';

/** Sources of jobs and their deliverables. */
export interface JobSource {
  readonly jobs: Pick<Jobs, 'read'>;
  readonly store: Pick<DeliverableStore, 'byHash'>;
}

/**
 * A job as an A2A task, by its ID `job-N`. The chain is its only record: a task is made from it whenever somebody asks, so that
 * tasks survive a restart, use no memory, and cannot be listed. There is no task for a job that does not exist, is not ours, or
 * is not funded yet.
 */
export const createTasks = (source: JobSource | undefined, publicUrl: string): TaskStore => ({
  list: async () => ({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }),
  save: async () => {},
  async load(id) {
    const [, job_id] = /^job-([1-9]\d{0,77})$/.exec(id) ?? [];
    const reading = job_id === undefined ? undefined : await source?.jobs.read(BigInt(job_id));
    if (source === undefined || job_id === undefined || reading === undefined) return undefined;
    const task = (state: TaskState, rest: Partial<Task> = {}, said?: object): Task => {
      const status = { state, message: said && messageOf(dataPart(said), id, id), timestamp: undefined };
      return { id, contextId: id, status, artifacts: [], history: [], metadata: { job_id }, ...rest };
    };
    if (isDelivered(reading)) {
      return task(TaskState.TASK_STATE_COMPLETED, { artifacts: [await artifactOf(reading, source.store, publicUrl)] });
    }
    const reason = reading.judgement.state === 'refused' ? reading.judgement.reason : undefined;
    if (reason === 'not_our_job' || reason === 'job_not_funded') return undefined;
    // `offer_used`: the job that holds the offer may still fail.
    if (reason === undefined || reason === 'offer_used') return task(TaskState.TASK_STATE_WORKING);
    return task(TaskState.TASK_STATE_FAILED, {}, { status: 'rejected', job_id, reason });
  },
});

const isDelivered = ({ judgement, status, submittedAt }: JobReading): boolean =>
  submittedAt > 0n && (judgement.state === 'delivered' || status !== 'submitted');

async function artifactOf(
  { id, deliverable: hash }: JobReading,
  store: JobSource['store'],
  publicUrl: string,
): Promise<Task['artifacts'][number]> {
  const told = { deliverable_url: `${publicUrl}/job/${id}/response`, deliverable: hash };
  return {
    artifactId: hash,
    name: 'deliverable',
    description: 'The manifest whose hash is on chain.',
    parts: [dataPart((await store.byHash(hash))?.manifest ?? told)],
    metadata: told,
    extensions: [],
  };
}
