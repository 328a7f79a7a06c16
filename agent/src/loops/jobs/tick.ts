import type { Escrow } from '@bowline/core/domain/jobs';
import type { Log } from '@bowline/core/domain/log';
import { BowlineError } from '@bowline/core/domain/result';
import type { Sender, Sent } from '@bowline/core/domain/sending';
import { type DeliverDeps, deliverableOf } from '../../selling/jobs/deliver.ts';
import type { JobReading, Jobs } from '../../selling/jobs/jobs.ts';
import type { JobInbox } from '../../selling/jobs/notify-funded.ts';
import { createSend, isChainUnavailable, isStop, newTally, type Tally, type Tick } from '../runner.ts';
import type { JobFinder } from './finder.ts';
import { nextStep } from './plan.ts';

export interface JobsDeps {
  readonly jobs: Jobs;
  readonly finder: JobFinder;
  readonly escrow: Escrow;
  readonly deliver: DeliverDeps;
  /** Signs with the provider's key. */
  readonly sender: Sender;
  /** Public base URL of this service, without a trailing slash. */
  readonly publicUrl: string;
  /** Called when a job is announced, so that the next tick starts sooner. */
  readonly onWork: () => void;
  readonly log: Log;
}

/** Jobs read whole in a round, 16 calls. The most promising ones come first. */
const WHOLE = 96;

/**
 * One round of the seller: finds its jobs, delivers funded ones and settles those whose dispute window has passed.
 * Everything done is on chain and every deliverable is in the store, so a restart repeats nothing.
 */
export function createJobsLoop(deps: JobsDeps): { readonly tick: Tick; readonly inbox: JobInbox } {
  const { jobs, finder, escrow, deliver, publicUrl, log } = deps;
  const send = createSend(deps);

  async function serve(reading: JobReading, tally: Tally): Promise<'next' | 'stop'> {
    const { id, judgement } = reading;
    const step = nextStep(judgement);
    if (step === 'forget') finder.forget(id);
    else finder.postpone(id);
    if (judgement.state === 'refused' && step === 'forget') {
      tally.add(`refused.${judgement.reason}`);
      log.info('job.refused', { jobId: id, reason: judgement.reason });
    }
    if (judgement.state !== 'deliver') return 'next';
    const { hash } = await deliverableOf(id, judgement.offer, deliver);
    const call = escrow.submit(id, hash, `${publicUrl}/job/${id}/response`);
    const sent = await act(call, 'job.submitted', { jobId: id, deliverable: hash }, tally);
    return isStop(sent) ? 'stop' : 'next';
  }

  async function settle(id: bigint, tally: Tally): Promise<'next' | 'stop'> {
    const sent = await act(escrow.settle(id), 'job.settled', { jobId: id }, tally);
    if (sent.outcome !== 'confirmed') finder.settleLater(id);
    return isStop(sent) ? 'stop' : 'next';
  }

  async function act(
    call: ReturnType<Escrow['settle']>,
    event: 'job.submitted' | 'job.settled',
    fields: Record<string, unknown>,
    tally: Tally,
  ): Promise<Sent> {
    const sent = await send(call, tally);
    if (sent.outcome === 'confirmed') {
      tally.add(event.replace('job.', ''));
      log.info(event, { ...fields, hash: sent.hash });
    }
    return sent;
  }

  /** Works on one job after the other. One that fails keeps nobody else waiting, unless nothing can be sent. */
  async function each(
    ids: readonly bigint[],
    stopping: AbortSignal,
    tally: Tally,
    work: (id: bigint) => Promise<'next' | 'stop'>,
  ): Promise<'next' | 'stop'> {
    for (const id of ids) {
      if (stopping.aborted) return 'stop';
      try {
        if ((await work(id)) === 'stop') return 'stop';
      } catch (error) {
        if (!(error instanceof BowlineError) || isChainUnavailable(error)) throw error;
        tally.add(`failed.${error.code}`);
        log.warn('job.failed', { jobId: id, code: error.code, message: error.message });
      }
    }
    return 'next';
  }

  async function deliverFunded(ids: readonly bigint[], stopping: AbortSignal, tally: Tally): Promise<'next' | 'stop'> {
    const { jobs: read, block } = await escrow.jobs(ids);
    return await each(ids, stopping, tally, async (id) => {
      const job = read.get(id);
      if (job !== undefined) return await serve(await jobs.judge(job, block), tally);
      finder.postpone(id);
      return 'next';
    });
  }

  return {
    inbox: {
      add: (id) => {
        finder.announce(id);
        deps.onWork();
      },
      sweep: () => deps.onWork(),
    },
    tick: async (stopping) => {
      const tally = newTally();
      try {
        const { funded, due, refusals } = await finder.find();
        tally.add('watched', finder.watched());
        for (const reason of refusals) tally.add(`refused.${reason}`);
        const next = await deliverFunded(funded.slice(0, WHOLE), stopping, tally);
        if (next === 'next') await each(due, stopping, tally, (id) => settle(id, tally));
      } catch (error) {
        if (!isChainUnavailable(error)) throw error;
        tally.add('chain_unavailable');
      }
      return { counts: tally.counts() };
    },
  };
}
