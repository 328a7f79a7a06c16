import type { Json } from '@bowline/core/domain/payment';
import { type Failure, failure } from '@bowline/core/domain/result';

/**
 * Why an answer is not sold: none of its verdicts says anything, calls were withheld because the node did not simulate them, or the
 * model failed before it checked anything. Undefined: it is sold.
 */
export function unsold(answer: Json): Failure | undefined {
  const { verdict, verdicts, reason, withheld } = answer;
  if (withheld === 'simulation_unavailable') {
    return failure('chain_unavailable', 'The calls cannot be simulated now. Nothing was charged.', true);
  }
  if (isModelDown(answer)) {
    return failure('model_unavailable', 'The language model does not answer. Nothing was charged.', true);
  }
  const said = Array.isArray(verdicts) ? verdicts : [verdict];
  if (said.length === 0 || said.some((each) => each !== 'NO_DATA')) return undefined;
  const why = typeof reason === 'string' ? ` (${reason})` : '';
  // Asking again does not help: no pool quotes this size.
  const isLasting = reason === 'quote_missing';
  return failure('market_unavailable', `There is no verdict: data is missing${why}. Nothing was charged.`, !isLasting);
}

/** Without a verdict, a question in words pays for a model's words: the rules ask back for free. */
function isModelDown({ verdicts, tools, parts }: Json): boolean {
  if (!Array.isArray(verdicts) || verdicts.length > 0) return false;
  const { comment, leftOut } = (parts ?? {}) as { comment?: unknown; leftOut?: unknown };
  return parts === undefined ? Array.isArray(tools) && tools.length === 0 : comment === null && leftOut === null;
}
