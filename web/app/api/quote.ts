import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type QuoteAnswer, quoteAnswer } from '../../wire.ts';
import { thisMoment } from './age.ts';
import { type Dated, dated } from './freshness.ts';
import { getJson } from './request.ts';

/** Prices, histories and verdicts of every listed asset, with their date. */
export function useQuote() {
  const queries = useQueryClient();
  const queryKey = ['quote'];
  return useQuery({
    queryKey,
    queryFn: async () => {
      const asked = thisMoment();
      const answer = await getJson('/api/quote', quoteAnswer);
      return dated(answer, asked, thisMoment(), queries.getQueryData<Dated<QuoteAnswer>>(queryKey));
    },
    refetchInterval: 10_000,
  });
}
