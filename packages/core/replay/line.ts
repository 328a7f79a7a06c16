/** One comparison: the stated value and the one that follows from the evidence. */
export interface Line {
  readonly what: string;
  readonly said: string;
  readonly found: string;
  /** Why it could not be checked: equal values then prove nothing. */
  readonly unchecked?: string;
}
