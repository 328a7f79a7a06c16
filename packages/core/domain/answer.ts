/** What is said to a prompt in natural language. */
export interface Reply {
  readonly text: string;
  /** Names of the tools that were called, in order. */
  readonly tools: readonly string[];
  readonly answeredBy: 'model' | 'embedded';
}

export interface Answer extends Reply {
  /** The signed tickets of the verdicts that it rests on, in JSON. */
  readonly tickets: readonly unknown[];
}
