import type { QuoteAnswer } from '../../wire.ts';
import type { Moment } from './age.ts';
import { type Dated, isAnswerOld } from './freshness.ts';
import { useQuote } from './quote.ts';

/**
 * Whether the agent has said within half a minute that it makes buys: its own word, and the only one there is. Undefined
 * while the page's server has neither answered nor failed.
 */
export function useBuyerSeen(moment: Moment): boolean | undefined {
  const { data, isError } = useQuote();
  return isBuyerSeen(data, isError, moment);
}

export function isBuyerSeen(
  answer: Dated<Pick<QuoteAnswer, 'time' | 'sent_at' | 'buys'>> | undefined,
  isError: boolean,
  moment: Moment,
): boolean | undefined {
  if (answer === undefined) return isError ? false : undefined;
  return answer.buys?.ok === true && !isAnswerOld(answer, moment);
}
