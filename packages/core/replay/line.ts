/** One comparison: the stated value and the one that follows from the evidence. */
export interface Line {
  readonly what: string;
  readonly said: string;
  readonly found: string;
  /** Why it could not be checked, so that the two being the same proves nothing. */
  readonly unchecked?: string;
}
