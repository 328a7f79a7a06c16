import { useQuery } from '@tanstack/react-query';
import { yearAnswer } from '../../wire.ts';
import { getJson } from './request.ts';

/** Daily closes of a listed asset over the past year; asked for when needed. */
export const useYear = (symbol: string | undefined) =>
  useQuery({
    queryKey: ['year', symbol],
    queryFn: () => getJson(`/api/quote/${symbol}`, yearAnswer),
    enabled: symbol !== undefined,
    staleTime: 3_600_000,
  });
