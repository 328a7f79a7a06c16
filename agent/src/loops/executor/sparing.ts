import type { Clock } from '../../domain/ports.ts';
import type { OffChainSources } from '../../guard/off-chain.ts';

/** How long an answer, or that there was none, is good for other plans of the asset. It says itself of when it is. */
const keptSeconds = 5n;

/**
 * Asks the exchange and Pyth for the same once in a while, however many plans want it: else a crowd of plans would use up
 * what they allow us, and when one does not answer each plan would wait for that.
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
    const [now, key] = [clock(), question.join(' ')];
    const last = asked.get(key);
    if (last !== undefined && last.at <= now && now < last.at + keptSeconds) return last.answer;
    const answer = ask(...question);
    asked.set(key, { at: now, answer });
    return answer;
  };
}
