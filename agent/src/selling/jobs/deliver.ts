import type { Deliverable, DeliverableStore, EscrowContracts, SignedOffer } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import type { CallTool } from '../../tools/call.ts';
import type { Checked } from '../../tools/check-asset.ts';
import { manifestJobId } from './check-job.ts';
import type { Interpret } from './negotiate.ts';
import { hashManifest } from './offers.ts';

export interface DeliverDeps {
  readonly call: CallTool;
  readonly interpret: Interpret;
  readonly store: DeliverableStore;
  readonly chainId: number;
  readonly contracts: EscrowContracts;
}

/**
 * The deliverable of a job. It is made once and stored before submission, so that a restart submits the same bytes.
 * Throws BowlineError, retryable while a source does not answer.
 */
export async function deliverableOf(id: bigint, offer: SignedOffer, deps: DeliverDeps): Promise<Deliverable> {
  const { call, interpret, store, chainId, contracts } = deps;
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

/** The verdict in Markdown for people, followed by the same answer in JSON for machines. */
function verdictReport(task: string, answer: Checked): string {
  const { verdict, reason, reference_usd, pool_usd, deviation_bps, references, findings, block, time } = answer;
  const rows = findings.map(
    ({ question, outcome, measured, limit, unit, detail }) =>
      `| ${cell(question)} | ${outcome} | ${measured ?? 'none'} | ${limit} ${unit} | ${cell(detail)} |`,
  );
  const prices = references.map(({ source, usd }) => `- ${source}: ${usd} USD`);
  const deviation = deviation_bps === null ? '' : `, ${deviation_bps} bps from the reference`;
  return [
    `# ${verdict}: ${trade(answer)}`,
    '',
    ...task.split('\n').map((line) => `> ${line}`),
    '',
    reason === null ? 'Every check passed.' : `Decided by: \`${reason}\`.`,
    `Judged at block ${block}, ${time}.`,
    '',
    '## Prices',
    '',
    ...prices,
    `- reference (their median): ${usd(reference_usd)}`,
    `- pool: ${usd(pool_usd)}${deviation}`,
    '',
    '## Checks',
    '',
    '| question | outcome | measured | limit | detail |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## The same as JSON',
    '',
    '```json',
    JSON.stringify(answer, null, 2),
    '```',
    '',
  ].join('\n');
}

/** The judged trade. Its value is unknown if the pool cannot quote, or token_in has no price. */
function trade({ side, asset, amount_usd, pay, receive }: Checked): string {
  if (amount_usd !== null) return `${side} ${asset} for ${amount_usd} USD`;
  return pay && receive
    ? `${side} ${asset}, ${pay.amount} ${pay.symbol} for ${receive.amount} ${receive.symbol}`
    : `${side} ${asset}, of unknown worth`;
}

const usd = (price: string | null): string => (price === null ? 'none' : `${price} USD`);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
