/** A reply to a prompt in natural language. */
export interface Reply {
  readonly text: string;
  /** Names of the tools that were called, in order. */
  readonly tools: readonly string[];
  readonly answeredBy: 'model' | 'embedded';
}

export interface Answer extends Reply {
  /** Signed tickets of the verdicts the reply rests on, as JSON. */
  readonly tickets: readonly unknown[];
}
