/** What comes back for a prompt in natural language. */
export interface Answer {
  readonly text: string;
  /** Names of the tools that were called, in order. */
  readonly tools: readonly string[];
  readonly answeredBy: 'model' | 'embedded';
}
