import { useQuery } from '@tanstack/react-query';
import { planRegistryAbi } from '../../../abis/index.ts';
import { useChain } from '../chain/client.ts';
import type { Plan } from '../chain/read-plans.ts';
import { useSettings } from '../settings.tsx';

/** Number of records shown, newest first. */
export const SHOWN = 10;

/** The plan's newest runs and deferrals, newest first. */
export function useRuns({ id, records }: Plan) {
  const client = useChain();
  const { contracts } = useSettings();
  return useQuery({
    queryKey: ['chain', 'runs', String(id), records],
    queryFn: async () => {
      const from = BigInt(Math.max(0, records - SHOWN));
      const call = { address: contracts.planRegistry, abi: planRegistryAbi, functionName: 'runs' } as const;
      const runs = await client.readContract({ ...call, args: [id, from, BigInt(records)] });
      return runs.map((run, at) => ({ ...run, record: Number(from) + at + 1 })).toReversed();
    },
    placeholderData: (before) => before,
  });
}
