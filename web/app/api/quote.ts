import { useQuery, useQueryClient } from '@tanstack/react-query';
import { parseUnits } from 'viem';
import { type QuoteAnswer, quoteAnswer, yearAnswer } from '../../wire.ts';
import { thisMoment } from './age.ts';
import { type Dated, dated, isAnswerOld } from './freshness.ts';
import { getJson } from './request.ts';
import { useMoment } from './use-moment.ts';

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

/** The server's price of a token, USD with 18 decimals; undefined if none arrived within the last half minute. */
export function useToldPrice(symbol: string): bigint | undefined {
  const { data: quote } = useQuote();
  const now = useMoment();
  const price = quote && !isAnswerOld(quote, now) && quote.assets.find((each) => each.symbol === symbol)?.price_usd;
  return price ? parseUnits(price, 18) : undefined;
}

/** Daily closes of a listed asset over the past year; requested on demand. */
export const useYear = (symbol: string | undefined) =>
  useQuery({
    queryKey: ['year', symbol],
    queryFn: () => getJson(`/api/quote/${symbol}`, yearAnswer),
    enabled: symbol !== undefined,
    staleTime: 3_600_000,
  });
