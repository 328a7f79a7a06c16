import type { Offers, Refusal } from '@bowline/core/domain/jobs';
import { BowlineError } from '@bowline/core/domain/result';
import { addressInput } from '@bowline/http/addresses';
import { z } from 'zod';
import { inputCode, isJson, mistakesOf, wordsOf } from '../../tools/read-input.ts';
import { catalogue, catalogueFor, contradicted } from './catalogue.ts';
import type { Jobs } from './jobs.ts';

/** A reply in the ecosystem's format: snake_case JSON. */
export type Reply = Record<string, unknown>;

/** The two skills through which other agents buy work (ERC-8183). Neither throws. */
export interface Seller {
  /** Task and terms → an offer signed by the seller's key, or a refusal with its reason. */
  negotiate(request: unknown): Promise<Reply>;
  /** Notice that a job is funded → accepted, rejected or retry. The work runs in the background. */
  notifyFunded(jobId: unknown): Promise<Reply>;
}

/** Arguments of check_asset. */
type VerdictRequest = Record<string, unknown>;

/** The request in a task; undefined if it is not a verdict request. Uses no model. */
export type Interpret = (task: string) => VerdictRequest | undefined;

const MAX_TASK_CHARS = 2_000;

const text = z.string().max(4_000);
/** The ecosystem's format, and the buyer's address. Members that are not listed are ignored. */
const format = z.object({
  task_description: z.string(),
  terms: z.object({
    deliverables: text,
    quality_standards: text.min(1),
    success_criteria: z.array(text).max(50).nullish(),
    evaluation_required: z.boolean().nullish(),
    evaluator_type: text.nullish(),
    /** Base units. Our own price applies. */
    price: z.string().regex(/^\d+$/, 'must be digits: base units of the token').nullish(),
    currency: text.nullish(),
  }),
  context_urls: z.array(text).nullish(),
  request_id: text.nullish(),
  /** The only account whose job the offer will be good for. */
  client: addressInput.nullish(),
});

/**
 * Makes signed offers, only for work that can be delivered, and only in the catalogue's terms: whatever the buyer wrote,
 * the offer is a counter-offer that its signature covers. Demands that contradict the catalogue are refused.
 */
export function createNegotiate(offers: Offers, interpret: Interpret): Seller['negotiate'] {
  return async (request): Promise<Reply> => {
    const given = isJson(request) ? request : {};
    const refuse = (refusal: Refusal, code: string, reason: string): Reply => ({
      ...offers.refuse(given, refusal, reason),
      code,
      retryable: false,
      offered_terms: catalogue,
    });
    const { success, error, data } = format.safeParse(given, { error: wordsOf });
    if (!success) {
      const code = inputCode(error) === 'invalid_address' ? 'invalid_address' : 'invalid_terms';
      return refuse('ambiguous_terms', code, mistakesOf(format, error));
    }
    const { task_description: task, terms, client } = data;
    if (task.trim() === '')
      return refuse('ambiguous_terms', 'invalid_terms', 'task_description must name the trade to judge.');
    if (task.length > MAX_TASK_CHARS) {
      const reason = `task_description may have at most ${MAX_TASK_CHARS} characters.`;
      return refuse('task_too_long', 'task_too_long', reason);
    }
    // Interpret the signed text, which is what will be worked on.
    if (interpret(offers.signedText(task)) === undefined) {
      const reason =
        'Only verdict reports are sold, one per job: name one listed asset, one side and one size, like ' +
        '"Is BTCB fairly priced to buy for 5,000 USD?"';
      return refuse('unsupported', 'task_not_offered', reason);
    }
    const { deliverables, quality_standards, success_criteria } = terms;
    const instead = contradicted([task, deliverables, quality_standards, ...(success_criteria ?? [])]);
    if (instead !== undefined) return refuse('unsupported', 'terms_not_offered', instead);
    return await offers.make(given, catalogueFor(client ?? undefined));
  };
}

/** Queue of jobs to work on. Adding a job twice has no further effect. */
export interface JobInbox {
  add(id: bigint): void;
  /** Searches for funded jobs that nobody announced. */
  sweep(): void;
}

/** Checks a funded job on chain and replies at once; an accepted job is delivered in the background. */
export function createNotifyFunded(jobs: Jobs, inbox: JobInbox): Seller['notifyFunded'] {
  return async (given): Promise<Reply> => {
    if (given === undefined || given === null) {
      inbox.sweep();
      return { status: 'accepted', note: 'no job_id: searching the chain for funded jobs' };
    }
    const id = jobIdOf(given);
    if (id === undefined) {
      return { status: 'rejected', error: 'invalid job_id: send a whole number above 0, as text when it is large' };
    }
    const job_id = typeof given === 'number' ? given : id.toString();
    try {
      const reading = await jobs.read(id);
      if (reading === undefined) return { status: 'rejected', job_id, reason: 'job_unknown' };
      const { judgement } = reading;
      if (judgement.state === 'refused') return { status: 'rejected', job_id, reason: judgement.reason };
      if (judgement.state === 'delivered') return { status: 'accepted', job_id, note: 'already delivered' };
      inbox.add(id);
      return { status: 'accepted', job_id, note: 'work started; the submission will appear on chain' };
    } catch (error) {
      if (!(error instanceof BowlineError) || !error.retryable) throw error;
      return { status: 'retry', job_id, error: error.message, code: error.code };
    }
  };
}

/** A JSON number that lost digits would name another job. */
function jobIdOf(given: unknown): bigint | undefined {
  if (typeof given === 'number') return Number.isSafeInteger(given) && given > 0 ? BigInt(given) : undefined;
  if (typeof given !== 'string' || !/^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(given)) return undefined;
  const id = BigInt(given);
  return id > 0n && id < 2n ** 256n ? id : undefined;
}
