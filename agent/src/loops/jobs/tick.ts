import type { Escrow } from '@bowline/core/domain/jobs';
import type { Log } from '@bowline/core/domain/log';
import { BowlineError } from '@bowline/core/domain/result';
import type { Call, Sender, Sent } from '@bowline/core/domain/sending';
import { type DeliverDeps, deliverableOf } from '../../selling/jobs/deliver.ts';
import type { JobReading, Jobs } from '../../selling/jobs/jobs.ts';
import type { JobInbox } from '../../selling/jobs/negotiate.ts';
import { createSend, isChainUnavailable, isStop, newTally, type Send, type Tally, type Tick } from '../runner.ts';
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

/** Maximum jobs read in full per round: 16 calls. The most promising jobs come first. */
const WHOLE = 96;

interface JobsRound extends JobsDeps {
  readonly send: Send;
  readonly tally: Tally;
  readonly stopping: AbortSignal;
}

type Next = 'next' | 'stop';

/**
 * One round of the seller: finds its jobs, delivers funded ones and settles those whose dispute window has passed.
 * Everything done is on chain and every deliverable is in the store, so a restart repeats nothing.
 */
export function createJobsLoop(deps: JobsDeps): { readonly tick: Tick; readonly inbox: JobInbox } {
  const { finder } = deps;
  const send = createSend(deps);
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
      const round = { ...deps, send, tally, stopping };
      try {
        const { funded, due, refusals } = await finder.find();
        tally.add('watched', finder.watched());
        for (const reason of refusals) tally.add(`refused.${reason}`);
        const next = await deliverFunded(round, funded.slice(0, WHOLE));
        const settlements = due.map((id) => [id, () => settle(round, id)] as const);
        if (next === 'next') await each(round, settlements);
      } catch (error) {
        if (!isChainUnavailable(error)) throw error;
        tally.add('chain_unavailable');
      }
      return { counts: tally.counts() };
    },
  };
}

/** Works on the jobs one after another. A failed job does not hold up the others, unless nothing can be sent. */
async function each(
  { stopping, tally, log }: JobsRound,
  works: readonly (readonly [id: bigint, work: () => Promise<Next>])[],
): Promise<Next> {
  for (const [jobId, work] of works) {
    if (stopping.aborted) return 'stop';
    try {
      if ((await work()) === 'stop') return 'stop';
    } catch (error) {
      if (!(error instanceof BowlineError) || isChainUnavailable(error)) throw error;
      tally.add(`failed.${error.code}`);
      log.warn('job.failed', { jobId, code: error.code, message: error.message });
    }
  }
  return 'next';
}

async function deliverFunded(round: JobsRound, ids: readonly bigint[]): Promise<Next> {
  const { jobs, finder, escrow } = round;
  const { jobs: read, block } = await escrow.jobs(ids);
  for (const id of ids) if (!read.has(id)) finder.postpone(id);
  const found = ids.flatMap((id) => read.get(id) ?? []);
  return await each(
    round,
    found.map((job) => [job.id, async () => await serve(round, await jobs.judge(job, block))] as const),
  );
}

async function serve(round: JobsRound, { id, judgement }: JobReading): Promise<Next> {
  const { finder, escrow, deliver, publicUrl, tally, log } = round;
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
  const sent = await act(round, call, 'submitted', { jobId: id, deliverable: hash });
  return isStop(sent) ? 'stop' : 'next';
}

async function settle(round: JobsRound, id: bigint): Promise<Next> {
  const sent = await act(round, round.escrow.settle(id), 'settled', { jobId: id });
  if (sent.outcome !== 'confirmed') round.finder.settleLater(id);
  return isStop(sent) ? 'stop' : 'next';
}

async function act(
  { send, tally, log }: JobsRound,
  call: Call,
  what: 'submitted' | 'settled',
  fields: Record<string, unknown>,
): Promise<Sent> {
  const sent = await send(call, tally);
  if (sent.outcome === 'confirmed') {
    tally.add(what);
    log.info(`job.${what}`, { ...fields, hash: sent.hash });
  }
  return sent;
}
