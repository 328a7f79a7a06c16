// Work that other agents buy (ERC-8183): jobs as the escrow keeps them, and the offers behind them.

import type { Block } from './facts.ts';
import type { Call } from './ports.ts';
import type { Address, Hex } from './units.ts';

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
  /** ID of the newest job; 0 if there is none. */
  jobCount(): Promise<bigint>;
  /** Undefined if the job does not exist. */
  job(id: bigint): Promise<{ readonly block: Block; readonly job: Job } | undefined>;
  /** When the job was funded, unix seconds; undefined if the node does not keep logs that far back. */
  fundedAt(id: bigint): Promise<bigint | undefined>;
  submit(id: bigint, deliverable: Hex, url: string): Call;
  settle(id: bigint): Call;
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
}

export interface Offers {
  /** The account that signs offers, which jobs must name as their provider. */
  readonly provider: Address;
  readonly currency: Address;
  /** A task as it is signed: brackets and control characters are replaced. */
  signedText(task: string): string;
  /** Signed offer envelope for a request; or a refusal envelope if the terms do not follow the ecosystem's format. */
  make(request: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** A refusal envelope. */
  refuse(request: Record<string, unknown>, refusal: Refusal, reason: string): Record<string, unknown>;
  /**
   * The offer in a job's description; undefined if it contains none that we signed for this chain and these contracts.
   */
  read(description: string): Promise<SignedOffer | undefined>;
}

/** Why there is no offer, in the ecosystem's terms; an adapter maps them to codes. */
export type Refusal = 'ambiguous_terms' | 'unsupported' | 'task_too_long';

/** The deliverable of a job: buyers fetch it, and its hash is on chain. JSON only. */
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
  byOffer(offerHash: Hex): Promise<Deliverable | undefined>;
}
