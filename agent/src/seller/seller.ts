/** An answer as the buyers of the ecosystem read it: snake_case, JSON alone. */
export type Reply = Record<string, unknown>;

/** The two skills by which other agents buy work (ERC-8183). Neither throws. */
export interface Seller {
  /** A task and its terms → an offer signed by the seller's key, or a refusal with its reason. */
  negotiate(request: unknown): Promise<Reply>;
  /** A notice that a job is funded → accepted, rejected or retry. The work goes on in the background. */
  notifyFunded(jobId: unknown): Promise<Reply>;
}
