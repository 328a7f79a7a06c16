import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { timed } from '../api/freshness.ts';
import { useChain } from '../chain/client.ts';
import { type Guard, type OwnedGuards, readGuards } from '../chain/read-guards.ts';
import { readLoan } from '../chain/read-loan.ts';
import { useSettings } from '../settings.tsx';

/** The borrower's loan in each lending protocol, in the order of the registry. */
export function useLoans(borrower: Address) {
  const client = useChain();
  const settings = useSettings();
  return useQueries({
    queries: settings.lending.map((protocol) => ({
      queryKey: ['chain', 'loan', protocol.name, borrower],
      queryFn: () => timed(() => readLoan(client, settings, protocol, borrower)),
      refetchInterval: 4_000,
    })),
  });
}

export function useGuards(borrower: Address) {
  const client = useChain();
  const queries = useQueryClient();
  const { contracts, lending } = useSettings();
  const places = { loanGuard: contracts.loanGuard, lending };
  const queryKey = ['chain', 'guards', borrower];
  return useQuery({
    queryKey,
    queryFn: () => timed(() => readGuards(client, places, borrower, queries.getQueryData<OwnedGuards>(queryKey))),
    refetchInterval: 4_000,
  });
}

/** Number of rescues shown, newest first. */
const SHOWN = 20;

export function useRescues({ id, rescues }: Guard) {
  const client = useChain();
  const { contracts } = useSettings();
  return useQuery({
    queryKey: ['chain', 'rescues', String(id), rescues],
    queryFn: async () => {
      const from = BigInt(Math.max(0, rescues - SHOWN));
      const call = { address: contracts.loanGuard, abi: loanGuardAbi, functionName: 'rescues' } as const;
      return (await client.readContract({ ...call, args: [id, from, BigInt(rescues)] })).toReversed();
    },
    placeholderData: (before) => before,
  });
}
