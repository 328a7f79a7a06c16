/** A question that the rules understand, offered where they ask back. */
export interface Choice {
  /** A few words, for a button. */
  readonly label: string;
  /** Sent as the next prompt, it is answered. */
  readonly prompt: string;
}

/** What a language model's words contain when they are left out. */
export const commentLeftOut = ['number', 'verdict', 'link', 'writing', 'length'] as const;
export type CommentLeftOut = (typeof commentLeftOut)[number];

/** A reply to a prompt in natural language. */
export interface Reply {
  /** The facts; if a model answered, then its words, each line marked, or that they are left out. */
  readonly text: string;
  /** Absent if no model answered: all of the text are facts. */
  readonly parts?: {
    /** What the service states itself, from outputs of tools. */
    readonly facts: string;
    /** What the model adds in its own words: every figure and verdict in them is a tool's. Null if they are left out. */
    readonly comment: string | null;
    /** What in its words no tool gave; null if they are not left out. */
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
  /** What the tools with a price said, in order; absent: none was asked. */
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
