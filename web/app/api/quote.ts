import { useQuery } from '@tanstack/react-query';
import { quoteAnswer } from '../../wire.ts';
import { getJson } from './request.ts';

/** Prices, histories and verdicts of every listed asset. */
export const useQuote = () =>
  useQuery({ queryKey: ['quote'], queryFn: () => getJson('/api/quote', quoteAnswer), refetchInterval: 10_000 });
