import type { Choice } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import type { Question, ToolCall } from '../intent/question.ts';

/** A reply that asks back. */
export interface AskedBack {
  readonly text: string;
  /** At least one. */
  readonly choices: readonly Choice[];
}

/** What is said, with {} where the examples go, and the calls that are offered as examples and as choices. */
export type Told = readonly [say: string, calls: readonly ToolCall[]];

/** What a refusal is worded from. */
export interface Refused {
  readonly question: Question | undefined;
  /** Similar questions that can be answered; may be empty. */
  readonly instead: readonly ToolCall[];
  readonly assets: readonly Asset[];
}
