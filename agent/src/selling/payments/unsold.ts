import type { Json } from '@bowline/core/domain/payment';
import { type Failure, failure } from '@bowline/core/domain/result';

/**
 * Why an answer is not sold: none of its verdicts says anything, or calls were withheld because the node did not simulate them.
 * Undefined: it is worth its price.
 */
export function unsold({ verdict, verdicts, reason, withheld }: Json): Failure | undefined {
  if (withheld === 'simulation_unavailable') {
    return failure('chain_unavailable', 'The chain does not simulate the calls now. Nothing was charged.', true);
  }
  const said = Array.isArray(verdicts) ? verdicts : [verdict];
  if (said.length === 0 || said.some((each) => each !== 'NO_DATA')) return undefined;
  const why = typeof reason === 'string' ? ` (${reason})` : '';
  // Asked again, a size that no pool quotes has no quote either.
  const isLasting = reason === 'quote_missing';
  return failure('market_unavailable', `There is no verdict: data is missing${why}. Nothing was charged.`, !isLasting);
}
