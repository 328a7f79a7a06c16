/** A question that the rules understand, offered when they ask back. */
export interface Choice {
  /** A few words, for a button. */
  readonly label: string;
  /** Gets an answer when it is sent as the next prompt. */
  readonly prompt: string;
}

/** Why a language model's words are left out: what they contain. */
export const commentLeftOut = ['number', 'verdict', 'link', 'writing', 'length'] as const;
export type CommentLeftOut = (typeof commentLeftOut)[number];

/** A reply to a prompt in natural language. */
export interface Reply {
  /** The facts. If a model answered, its words follow, each line marked, or a note that they are left out. */
  readonly text: string;
  /** Absent if no model answered: the whole text is facts. */
  readonly parts?: {
    /** What the service states itself, from outputs of tools. */
    readonly facts: string;
    /** The model's own words: every figure and verdict in them comes from a tool. Null if they are left out. */
    readonly comment: string | null;
    /** What the model's words contain that no tool gave; null if they are not left out. */
    readonly leftOut: CommentLeftOut | null;
  };
  /** Names of the tools that were called, in order. */
  readonly tools: readonly string[];
  /** What to ask instead; empty if the question was answered. */
  readonly choices: readonly Choice[];
  readonly answeredBy: 'model' | 'embedded';
}

export interface Answer extends Reply {
  /** Signed tickets of the verdicts the reply rests on, as JSON. */
  readonly tickets: readonly unknown[];
  /** What the tools with a price returned, in order; absent if none was called. */
  readonly verdicts?: readonly unknown[];
}

/** An answer as APIs give it. */
export const answerJson = ({ text, parts, tools, tickets, choices, answeredBy }: Answer) => ({
  result: text,
  facts: parts?.facts ?? text,
  comment: parts?.comment ?? null,
  comment_left_out: parts?.leftOut ?? null,
  tools: [...tools],
  tickets: [...tickets],
  choices: [...choices],
  answered_by: answeredBy,
});
