import type { Clock } from '@bowline/core/domain/time';
import type { OffChainSources } from './propose.ts';

/** How long a response, or its absence, is shared with identical requests. A response carries its own time. */
const keptSeconds = 5n;

/**
 * Shares identical requests to the exchange and Pyth for a few seconds. Otherwise many plans or many callers would
 * exhaust the rate limit and leave the loops without an independent source, and each would wait separately for a source
 * that does not answer.
 */
export function sparing({ exchange, pyth }: OffChainSources, clock: Clock): OffChainSources {
  return {
    ...(exchange && {
      exchange: {
        bookTicker: keeping((...question) => exchange.bookTicker(...question), clock),
        candles: keeping((...question) => exchange.candles(...question), clock),
      },
    }),
    ...(pyth && { pyth: { price: keeping((id) => pyth.price(id), clock) } }),
  };
}

function keeping<Question extends readonly (string | number)[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
  clock: Clock,
): (...question: Question) => Promise<Answer> {
  const answers = new Map<string, { readonly at: bigint; readonly answer: Promise<Answer> }>();
  return (...question) => {
    const now = clock();
    // Remove all expired entries: candle requests have thousands of different keys.
    for (const [key, { at }] of answers) if (at > now || now >= at + keptSeconds) answers.delete(key);
    const key = question.join(' ');
    const kept = answers.get(key);
    if (kept !== undefined) return kept.answer;
    const answer = ask(...question);
    answers.set(key, { at: now, answer });
    return answer;
  };
}
