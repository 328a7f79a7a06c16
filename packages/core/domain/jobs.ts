// Work that other agents buy (ERC-8183): jobs as the escrow keeps them, and the offers they were made from.

import type { Block } from './facts.ts';
import type { Call } from './ports.ts';
import type { Address, Hex } from './units.ts';

export type JobStatus = 'open' | 'funded' | 'submitted' | 'completed' | 'rejected' | 'expired';

/** Why a job is not worked on. */
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

/** A job, at one block. */
export interface Job {
  readonly id: bigint;
  readonly client: Address;
  readonly provider: Address;
  readonly evaluator: Address;
  readonly hook: Address;
  /** What the router was told to decide this job by; absent while it was told nothing. */
  readonly policy?: Address;
  readonly token: Address;
  /** Base units of `token`. */
  readonly budget: bigint;
  readonly description: string;
  readonly status: JobStatus;
  readonly expiresAt: bigint;
  readonly submittedAt: bigint;
  /** Of what was submitted. */
  readonly deliverable: Hex;
}

/** The contracts that jobs are made in. */
export interface EscrowContracts {
  readonly commerce: Address;
  readonly router: Address;
  readonly policy: Address;
}

/** All reads throw BowlineError `chain_unavailable` (retryable) when the node does not answer. */
export interface Escrow {
  readonly contracts: EscrowContracts;
  /** Seconds after a submission in which the client may object. */
  readonly disputeWindowSeconds: bigint;
  /** The number of the newest job; 0 when there is none. */
  jobCount(): Promise<bigint>;
  /** Undefined when there is no such job. */
  job(id: bigint): Promise<{ readonly block: Block; readonly job: Job } | undefined>;
  /** When the job was funded, unix seconds; undefined where the node does not keep logs for that long. */
  fundedAt(id: bigint): Promise<bigint | undefined>;
  submit(id: bigint, deliverable: Hex, url: string): Call;
  settle(id: bigint): Call;
}

/** An offer of ours, as it came back in a job's description with our signature under it. */
export interface SignedOffer {
  /** Names the offer. */
  readonly hash: Hex;
  readonly task: string;
  /** Base units of `currency`. */
  readonly price: bigint;
  readonly currency: Address;
  readonly madeAt: bigint;
  readonly expiresAt: bigint;
}

export interface Offers {
  /** Who signs them, and whom jobs must name as their provider. */
  readonly provider: Address;
  readonly currency: Address;
  /** A task as it will stand in what is signed: brackets and control characters are replaced there. */
  signedText(task: string): string;
  /** The envelope of an offer for a request, signed; or of its refusal, where the terms are not those of the ecosystem. */
  make(request: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The envelope of a refusal. */
  refuse(request: Record<string, unknown>, refusal: Refusal, reason: string): Record<string, unknown>;
  /** The offer in a job's description; undefined when there is none that we signed for this chain and these contracts. */
  read(description: string): Promise<SignedOffer | undefined>;
}

/** Why there is no offer, in the ecosystem's words; their codes are an adapter's. */
export type Refusal = 'ambiguous_terms' | 'unsupported' | 'task_too_long';

/** What was delivered for a job: what buyers fetch, and whose hash is on chain. JSON alone. */
export interface Deliverable {
  /** keccak256 of the manifest's canonical JSON. */
  readonly hash: Hex;
  readonly offerHash: Hex;
  readonly manifest: Record<string, unknown>;
}

/** Deliverables outlast the process: who bought one may come for it at any time. */
export interface DeliverableStore {
  /** Throws when it cannot be kept. */
  put(deliverable: Deliverable): Promise<void>;
  byHash(hash: string): Promise<Deliverable | undefined>;
  byOffer(offerHash: Hex): Promise<Deliverable | undefined>;
}
