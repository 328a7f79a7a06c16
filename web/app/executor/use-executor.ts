import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Address } from 'viem';
import { planRegistryAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { type Moment, thisMoment } from '../api/age.ts';
import { useChain } from '../chain/client.ts';
import { readServed } from '../chain/read-history.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';

/** Plans read at a time, newest first: strangers may have made thousands. */
const ROUND = 100n;

/** The executor's plans, and which numbers have been looked at. */
export function useServed() {
  const client = useChain();
  const { contracts } = useSettings();
  const places = { registry: contracts.planRegistry, executor: contracts.swapExecutor };
  return useInfiniteQuery({
    queryKey: ['chain', 'audit', 'executor'],
    initialPageParam: undefined as bigint | undefined,
    queryFn: async ({ pageParam }) => {
      const count = { address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'planCount' } as const;
      const to = pageParam ?? (await client.readContract(count));
      const from = to > ROUND ? to - ROUND + 1n : 1n;
      const { found: plans, block, ...read } = await readServed(client, places, from, to);
      return { ...read, plans, from, to, blockNumber: block.number, timestamp: block.timestamp };
    },
    getNextPageParam: ({ from }) => (from > 1n ? from - 1n : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface Operator {
  readonly address: Address;
  readonly balanceWei: bigint;
  /** Transactions sent so far; undefined for a wallet that is a contract. */
  readonly sent: number | undefined;
  readonly readAt: Moment;
}

/** Who operates the executor, and what it has for gas. */
export function useOperator() {
  const client = useChain();
  const { contracts } = useSettings();
  const sawBlock = useSawBlock();
  return useQuery({
    queryKey: ['chain', 'operator'],
    queryFn: async (): Promise<Operator> => {
      const asked = thisMoment();
      const call = { address: contracts.swapExecutor, abi: swapExecutorAbi, functionName: 'operator' } as const;
      const address = await client.readContract(call);
      const [balanceWei, sent, code] = await Promise.all([
        client.getBalance({ address }),
        client.getTransactionCount({ address }),
        client.getCode({ address }),
      ]);
      return { address, balanceWei, sent: code === undefined ? sent : undefined, readAt: sawBlock(undefined, asked) };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
