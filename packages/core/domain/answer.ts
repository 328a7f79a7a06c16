/** A question that the rules understand, offered where they ask back. */
export interface Choice {
  /** A few words, for a button. */
  readonly label: string;
  /** Sent as the next prompt, it is answered. */
  readonly prompt: string;
}

/** A reply to a prompt in natural language. */
export interface Reply {
  readonly text: string;
  /** Names of the tools that were called, in order. */
  readonly tools: readonly string[];
  /** What to ask instead; empty if the question was answered. */
  readonly choices: readonly Choice[];
  readonly answeredBy: 'model' | 'embedded';
}

export interface Answer extends Reply {
  /** Signed tickets of the verdicts the reply rests on, as JSON. */
  readonly tickets: readonly unknown[];
}
