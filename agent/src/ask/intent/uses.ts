import type { Intent } from './intents.ts';
import type { Question } from './question.ts';

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
