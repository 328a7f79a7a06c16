import type { Question } from './question.ts';

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What the question wants told of the output. */
  readonly told?: Told;
}

export interface Told {
  /** How this price of one, in US dollars, compares. */
  readonly priceUsd?: string;
  /** What so many are worth. */
  readonly units?: string;
  /** What this check measured, whatever decided. */
  readonly check?: string;
  /** The day before today alone. */
  readonly yesterday?: true;
  /** One plan's terms, out of the list. */
  readonly plan?: string;
}

/** What is missing before a question can be answered. */
export type Missing = 'asset' | 'amount' | 'address' | 'plan' | 'guard' | 'side' | 'one asset' | 'one size';

/** Why a question is not answered. */
export type Refusal =
  | 'not_understood'
  | 'greeting'
  | 'only_reads'
  | 'no_forecast'
  | 'not_instructed'
  | 'only_now'
  | 'no_causes'
  | 'no_comparison'
  | 'no_pairs'
  | 'both_sides'
  | 'no_rescue_record'
  | 'no_loan_detail'
  | 'no_plans_by_asset'
  | 'no_long_history'
  | 'too_much_at_once'
  | 'unknown_words'
  | 'unclear';

export type Intent =
  | { readonly calls: readonly ToolCall[]; readonly readings?: readonly string[] }
  | { readonly missing: Missing; readonly question?: Question }
  | { readonly refusal: Refusal; readonly question?: Question; readonly instead?: readonly ToolCall[] };
