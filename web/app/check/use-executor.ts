import { planIrregularities } from '@bowline/core/audit/irregularities';
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
/** At most this many rounds are read at once if few of their plans have a record. */
const MAX_ROUNDS = 10;

/**
 * The newest plans up to a number that tell something about their executor.
 * @param read reads the plans from one number to another.
 */
export async function readRecorded(to: bigint, read: (from: bigint, to: bigint) => ReturnType<typeof readServed>) {
  const rounds: Awaited<ReturnType<typeof readServed>>[] = [];
  const recorded = () =>
    rounds.flatMap(({ found }) => found).filter((plan) => plan.runs.length > 0 || planIrregularities(plan).length > 0);
  let from = to + 1n;
  do {
    const last = from - 1n;
    from = last > ROUND ? last - ROUND + 1n : 1n;
    rounds.push(await read(from, last));
  } while (from > 1n && rounds.length < MAX_ROUNDS && recorded().length < ROUND);
  const [{ block }] = rounds as [(typeof rounds)[number]];
  return {
    ...{ plans: recorded(), from, to, blockNumber: block.number, timestamp: block.timestamp },
    unread: rounds.flatMap(({ unread }) => unread),
    cause: rounds.find(({ cause }) => cause !== undefined)?.cause,
  };
}

/** The executor's plans that have a record, and the numbers that were searched. */
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
      return readRecorded(to, (from, last) => readServed(client, places, from, last));
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

/** The executor's operator, and its balance for gas. */
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
