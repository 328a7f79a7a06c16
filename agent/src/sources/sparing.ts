import type { Clock } from '@bowline/core/domain/ports';
import type { OffChainSources } from './propose.ts';

/** How long an answer, or that there was none, is good for others with the same question. It says itself of when it is. */
const keptSeconds = 5n;

/**
 * Asks the exchange and Pyth for the same once in a while, however many want it. Else many plans, or many
 * strangers with questions, would use up the rate limit and leave the loops without an independent source until it resets; and
 * when one does not answer, each would wait for that.
 */
export function sparing({ exchange, pyth }: OffChainSources, clock: Clock): OffChainSources {
  return {
    ...(exchange && {
      exchange: {
        bookTicker: keeping((...question) => exchange.bookTicker(...question), clock),
        depth: keeping((...question) => exchange.depth(...question), clock),
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
  const asked = new Map<string, { readonly at: bigint; readonly answer: Promise<Answer> }>();
  return (...question) => {
    const now = clock();
    // All that are old go: there are thousands of different questions for candles.
    for (const [key, { at }] of asked) if (at > now || now >= at + keptSeconds) asked.delete(key);
    const key = question.join(' ');
    const kept = asked.get(key);
    if (kept !== undefined) return kept.answer;
    const answer = ask(...question);
    asked.set(key, { at: now, answer });
    return answer;
  };
}
