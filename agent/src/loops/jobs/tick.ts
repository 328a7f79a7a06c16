import type { Escrow } from '@bowline/core/domain/jobs';
import type { Log, Sender } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { type DeliverDeps, deliverableOf } from '../../seller/deliver.ts';
import type { JobReading, Jobs } from '../../seller/jobs.ts';
import type { JobInbox } from '../../seller/notify-funded.ts';
import { isChainUnavailable, newTally, send, type Tally, type Tick } from '../runner.ts';
import { nextStep } from './plan.ts';

export interface JobsDeps {
  readonly jobs: Jobs;
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

/** Number of newest jobs scanned at start. Older jobs are found when a client announces them. */
const SCAN = 500n;
/** Creating a job without funding it is free, so at most this many jobs are watched. */
const MAX_WATCHED = 1_000;

/**
 * One round of the seller: finds new jobs, delivers funded ones and settles those whose dispute window has passed.
 * Everything done is on chain and every deliverable is in the store, so a restart repeats nothing. It forgets only
 * watched jobs that are older than the newest `SCAN`.
 */
export function createJobsLoop(deps: JobsDeps): { readonly tick: Tick; readonly inbox: JobInbox } {
  const watched = new Set<bigint>();
  let scannedTo: bigint | undefined;

  async function findNew(): Promise<void> {
    const count = await deps.escrow.jobCount();
    const oldest = count > SCAN ? count - SCAN + 1n : 1n;
    for (let id = (scannedTo ?? oldest - 1n) + 1n; id <= count; id++) {
      const reading = await deps.jobs.read(id);
      if (reading !== undefined && !isForeign(reading) && watched.size < MAX_WATCHED) watched.add(id);
      scannedTo = id;
    }
    scannedTo ??= count;
  }

  async function serve(id: bigint, tally: Tally): Promise<'next' | 'stop'> {
    const reading = await deps.jobs.read(id);
    if (reading === undefined || isForeign(reading)) {
      watched.delete(id);
      return 'next';
    }
    const { judgement, status, submittedAt, now } = reading;
    const step = nextStep({ id, status, ...judgement, submittedAt, now }, deps.escrow.disputeWindowSeconds);
    if (step === 'forget') {
      watched.delete(id);
      if (judgement.state === 'refused') {
        tally.add(`refused.${judgement.reason}`);
        deps.log.info('job.refused', { jobId: id, reason: judgement.reason });
      }
    }
    if (step === 'settle') return await act(deps.escrow.settle(id), 'job.settled', { jobId: id }, tally);
    if (step === 'deliver' && judgement.state === 'deliver') {
      const { hash } = await deliverableOf(id, judgement.offer, deps.deliver);
      const call = deps.escrow.submit(id, hash, `${deps.publicUrl}/job/${id}/response`);
      return await act(call, 'job.submitted', { jobId: id, deliverable: hash }, tally);
    }
    return 'next';
  }

  async function act(
    call: ReturnType<Escrow['settle']>,
    event: 'job.submitted' | 'job.settled',
    fields: Record<string, unknown>,
    tally: Tally,
  ): Promise<'next' | 'stop'> {
    const settled = await send(deps, call, tally);
    if (settled.state === 'stop') return 'stop';
    if (settled.state === 'confirmed') {
      tally.add(event.replace('job.', ''));
      deps.log.info(event, { ...fields, hash: settled.sent.hash });
    }
    return 'next';
  }

  return {
    inbox: {
      add: (id) => {
        watched.add(id);
        deps.onWork();
      },
      sweep: () => deps.onWork(),
    },
    tick: async (stopping) => {
      const tally = newTally();
      try {
        await findNew();
        tally.add('watched', watched.size);
        for (const id of [...watched].toSorted((a, b) => (a < b ? -1 : 1))) {
          if (stopping.aborted) break;
          try {
            if ((await serve(id, tally)) === 'stop') break;
          } catch (error) {
            if (!(error instanceof BowlineError) || isChainUnavailable(error)) throw error;
            tally.add(`failed.${error.code}`);
            deps.log.warn('job.failed', { jobId: id, code: error.code, message: error.message });
          }
        }
      } catch (error) {
        if (!isChainUnavailable(error)) throw error;
        tally.add('chain_unavailable');
      }
      return { counts: tally.counts() };
    },
  };
}

const isForeign = ({ judgement }: JobReading): boolean =>
  judgement.state === 'refused' && judgement.reason === 'not_our_job';
