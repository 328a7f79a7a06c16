import type { Question } from './question.ts';

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Which parts of the output the question asks for. */
  readonly details?: Details;
}

export interface Details {
  /** Compare this price of one unit, in US dollars. */
  readonly priceUsd?: string;
  /** Value of this many units. */
  readonly units?: string;
  /** Measurement of this check, whether or not it decided. */
  readonly check?: string;
  /** Only yesterday. */
  readonly yesterday?: true;
  /** Terms of one plan from the list. */
  readonly plan?: string;
}

/** What the question lacks. */
export type Missing = 'asset' | 'amount' | 'address' | 'plan' | 'guard' | 'side' | 'one asset' | 'one size';

/** Why a question is refused. */
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
 * The intent, if it uses everything the question names; otherwise a refusal: an answer that ignores a time, a size or
 * an asset would answer a different question.
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
