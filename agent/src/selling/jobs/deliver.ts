import type { Deliverable, DeliverableStore, EscrowContracts, SignedOffer } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import type { Hex } from '@bowline/core/domain/units';
import type { CallTool } from '../../tools/call.ts';
import { manifestJobId } from './check-job.ts';
import type { Interpret } from './negotiate.ts';
import { verdictReport } from './report.ts';

export interface DeliverDeps {
  readonly call: CallTool;
  readonly interpret: Interpret;
  readonly store: DeliverableStore;
  readonly chainId: number;
  readonly contracts: EscrowContracts;
  /** keccak256 of a manifest's canonical JSON, as buyers compute it. */
  readonly hashManifest: (manifest: Record<string, unknown>) => Hex;
}

/**
 * The deliverable of a job. It is made once and stored before submission, so that a restart submits the same bytes.
 * Throws BowlineError, retryable while a source does not answer.
 */
export async function deliverableOf(id: bigint, offer: SignedOffer, deps: DeliverDeps): Promise<Deliverable> {
  const { call, interpret, store, chainId, contracts, hashManifest } = deps;
  const jobId = manifestJobId(id);
  if (jobId === undefined) throw new BowlineError('invalid_input', `Job ID ${id} is too large for a manifest.`);
  // A stored deliverable may have been made for another job that failed, and then names that job.
  const kept = (await store.byOffer(offer.hash)).find(({ manifest }) => manifest.job_id === jobId);
  if (kept !== undefined) return kept;
  const request = interpret(offer.task);
  if (request === undefined) {
    throw new BowlineError('invalid_input', "The signed offer's task is not a verdict request.");
  }
  const answered = await call('check_asset', request);
  if (!answered.ok) throw new BowlineError(answered.code, answered.message, { retryable: answered.retryable });
  const manifest = {
    version: 1,
    job_id: jobId,
    chain_id: chainId,
    contracts: { ...contracts },
    response: { content: verdictReport(offer.task, answered.value), content_type: 'text/plain' },
    metadata: { kind: 'verdict_report', negotiation_hash: offer.hash, verdict: answered.value },
  };
  const made = { hash: hashManifest(manifest), offerHash: offer.hash, manifest };
  await store.put(made);
  return made;
}
