import { useQuery } from '@tanstack/react-query';
import { getQuotes } from './api.ts';

export const useQuotes = () => useQuery({ queryKey: ['quotes'], queryFn: getQuotes, refetchInterval: 10_000 });
