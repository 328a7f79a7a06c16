// Work that other agents buy (ERC-8183): jobs as the escrow stores them, and the offers behind them.

import type { Block } from './facts.ts';
import type { Head } from './heads.ts';
import type { Call } from './sending.ts';
import type { Address, Hex } from './units.ts';

/** Gas limit of a submission. A hook, a policy and an event in addition to three slots: 250,000 measured on the local stand-in. */
export const SUBMIT_GAS = 600_000n;
export const SETTLE_GAS = 600_000n;

export type JobStatus = 'open' | 'funded' | 'submitted' | 'completed' | 'rejected' | 'expired';

/** Why a job is refused. */
export type JobRefusal =
  | 'not_our_job'
  | 'job_number_too_large'
  | 'job_not_funded'
  | 'job_ended'
  | 'foreign_evaluator'
  | 'foreign_hook'
  | 'foreign_policy'
  | 'foreign_client'
  | 'no_signed_offer'
  | 'foreign_token'
  | 'budget_too_low'
  | 'deadline_too_tight'
  | 'offer_expired'
  | 'offer_used';

/** A job as of one block. */
export interface Job {
  readonly id: bigint;
  readonly client: Address;
  readonly provider: Address;
  readonly evaluator: Address;
  readonly hook: Address;
  /** Policy the router uses to decide this job; absent if none is registered. */
  readonly policy?: Address;
  readonly token: Address;
  /** Base units of `token`. */
  readonly budget: bigint;
  readonly description: string;
  readonly status: JobStatus;
  readonly expiresAt: bigint;
  readonly submittedAt: bigint;
  /** Hash of the submission. */
  readonly deliverable: Hex;
}

/** A job without its description: enough to decide whether to read all of it. */
export interface JobHead {
  readonly id: bigint;
  readonly status: JobStatus;
  /** Absent while the job names no provider; its client may still name one. */
  readonly provider?: Address;
  /** Whether the router is its evaluator and its hook. */
  readonly isRouted: boolean;
  /** Base units of the job's token. */
  readonly budget: bigint;
  readonly expiresAt: bigint;
  /** 0 before the submission. */
  readonly submittedAt: bigint;
}

/** Jobs by ID. */
export interface JobsRead<Item> {
  readonly jobs: ReadonlyMap<bigint, Item>;
  /** IDs without an answer, or of jobs that the node does not know: nothing is known about them. */
  readonly unread: readonly bigint[];
}

/** Contracts of the job escrow. */
export interface EscrowContracts {
  readonly commerce: Address;
  readonly router: Address;
  readonly policy: Address;
}

/** All reads throw BowlineError `chain_unavailable` (retryable) if the node does not answer. */
export interface Escrow {
  readonly contracts: EscrowContracts;
  /** Seconds after a submission during which the client may dispute it. */
  readonly disputeWindowSeconds: bigint;
  newestBlock(): Promise<Head>;
  /** ID of the newest job; 0 if there is none. */
  jobCount(): Promise<bigint>;
  /** Undefined if the job does not exist. */
  job(id: bigint): Promise<{ readonly block: Block; readonly job: Job } | undefined>;
  /**
   * Heads of the jobs that name `provider` or no provider, in few requests however many there are. Leaves out jobs of
   * other providers, and jobs that cost too much to read to belong to an offer.
   */
  heads(ids: readonly bigint[], provider: Address): Promise<JobsRead<JobHead>>;
  /** Whole jobs as of one block, several to a request. */
  jobs(ids: readonly bigint[]): Promise<JobsRead<Job> & { readonly block: Block }>;
  /**
   * Jobs of `provider` that were funded in these blocks, both included; undefined if the node does not serve
   * logs. Never the only way to find a job: many nodes refuse logs.
   */
  fundedIn(provider: Address, fromBlock: bigint, toBlock: bigint): Promise<readonly bigint[] | undefined>;
  /** Hash of the block of this number; undefined if the node has none. */
  blockHash(number: bigint): Promise<Hex | undefined>;
  /** When the job was funded, unix seconds; undefined if the node does not keep logs that far back. */
  fundedAt(id: bigint): Promise<bigint | undefined>;
  submit(id: bigint, deliverable: Hex, url: string): Call;
  settle(id: bigint): Call;
}

/** What the seller has read of the escrow, so that a restart need not read everything again. */
export interface JobNotes {
  /** A block of the chain that the notes belong to. */
  readonly block: { readonly number: bigint; readonly hash: Hex };
  /** Jobs from `oldest` + 1 to `newest` have been read. */
  readonly newest: bigint;
  readonly oldest: bigint;
  /** The read jobs that may still need action. */
  readonly jobs: readonly bigint[];
}

/** Cached notes. Without them, or with another chain's, everything is read again: they only save time. */
export interface JobNotebook {
  /** Undefined if there are none, or if they cannot be read. */
  load(): Promise<JobNotes | undefined>;
  /** Throws if they cannot be stored. */
  save(notes: JobNotes): Promise<void>;
}

/** An offer of ours, read from a job's description, with our valid signature. */
export interface SignedOffer {
  /** Identifies the offer. */
  readonly hash: Hex;
  readonly task: string;
  /** Base units of `currency`. */
  readonly price: bigint;
  readonly currency: Address;
  readonly madeAt: bigint;
  readonly expiresAt: bigint;
  /** The only account whose job may use the offer; absent if the buyer named none. */
  readonly client?: Address;
}

/** What an offer promises, in the ecosystem's terms. */
export interface OfferTerms {
  readonly deliverables: string;
  readonly quality_standards: string;
  readonly success_criteria?: readonly string[];
}

export interface Offers {
  /** A task as it is signed: brackets and control characters are replaced. */
  signedText(task: string): string;
  /**
   * Signed envelope of an offer in these terms, with the request as received; or of a refusal if the ecosystem's format
   * does not allow the request, for example because of another currency or a description that is too long.
   */
  make(request: Record<string, unknown>, terms: OfferTerms): Promise<Record<string, unknown>>;
  /** A refusal envelope. */
  refuse(request: Record<string, unknown>, refusal: Refusal, reason: string): Record<string, unknown>;
  /**
   * The offer in a job's description; undefined if it contains none that we signed for this chain and these contracts.
   */
  read(description: string): Promise<SignedOffer | undefined>;
}

/** Why there is no offer, in the ecosystem's terms; an adapter maps them to codes. */
export type Refusal = 'ambiguous_terms' | 'unsupported' | 'task_too_long';

/** The deliverable of a job: buyers fetch it, and its hash is on chain. Contains only JSON. */
export interface Deliverable {
  /** keccak256 of the manifest's canonical JSON. */
  readonly hash: Hex;
  readonly offerHash: Hex;
  readonly manifest: Record<string, unknown>;
}

/** Deliverables outlive the process: a buyer may fetch one at any time. */
export interface DeliverableStore {
  /** Throws if it cannot be stored. */
  put(deliverable: Deliverable): Promise<void>;
  byHash(hash: string): Promise<Deliverable | undefined>;
  /** One for each job that it was made for. */
  byOffer(offerHash: Hex): Promise<readonly Deliverable[]>;
}

/** Whether a job's expiry leaves time for the work and for the dispute window after it. All in seconds. */
export const leavesTime = (
  { expiresAt }: { readonly expiresAt: bigint },
  now: bigint,
  terms: { readonly disputeWindowSeconds: bigint; readonly workSeconds: bigint },
): boolean => expiresAt >= now + terms.disputeWindowSeconds + terms.workSeconds;
