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

type Fact = 'assets' | 'sizes' | 'priceUsd' | 'address' | 'plan' | 'guard' | 'count' | 'span';

/**
 * The intent, if it takes in all that the question names; else a refusal: an answer that leaves out a time, a size or an
 * asset answers something else than what was asked.
 */
export function using(question: Question, facts: readonly Fact[], intent: Intent): Intent {
  const named: Record<Fact, boolean> = {
    assets: question.assets.length > 0,
    sizes: question.sizes.length > 0,
    priceUsd: question.priceUsd !== undefined,
    address: question.address !== undefined,
    plan: question.plan !== undefined,
    guard: question.guard !== undefined,
    count: question.count !== undefined,
    span: question.span !== undefined,
  };
  const left = (Object.keys(named) as Fact[]).filter((fact) => named[fact] && !facts.includes(fact));
  return left.length === 0 ? intent : { refusal: 'too_much_at_once' };
}
