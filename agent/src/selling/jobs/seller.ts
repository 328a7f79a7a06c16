/** A reply in the ecosystem's format: snake_case JSON. */
export type Reply = Record<string, unknown>;

/** The two skills through which other agents buy work (ERC-8183). Neither throws. */
export interface Seller {
  /** Task and terms → an offer signed by the seller's key, or a refusal with its reason. */
  negotiate(request: unknown): Promise<Reply>;
  /** Notice that a job is funded → accepted, rejected or retry. The work runs in the background. */
  notifyFunded(jobId: unknown): Promise<Reply>;
}
