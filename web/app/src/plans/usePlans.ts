import { useQuery } from '@tanstack/react-query';
import type { Address, ContractFunctionReturnType, PublicClient } from 'viem';
import { usePublicClient } from 'wagmi';
import { planRegistryAbi } from '../../../../abis/index.ts';
import { useConfig } from '../config.tsx';

type OnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>;
export type Run = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'runs'>[number];

export interface OwnPlan extends OnChain {
  readonly id: bigint;
  /** The newest twenty, newest first. */
  readonly records: readonly Run[];
}

/** Plans of one eth_call: its answer has 24 kB at most. */
const page = 30;
/** Plans that are looked through, newest first: the registry keeps no list by owner. */
const most = 3_000n;
const mostRecords = 20;

/** The plans of an account, newest first, from the registry's own state. */
export function usePlans(account: Address | undefined) {
  const { contracts } = useConfig();
  const node = usePublicClient();
  return useQuery({
    queryKey: ['plans', account],
    enabled: account !== undefined && node !== undefined,
    refetchInterval: 4_000,
    queryFn: () => readPlans(node as PublicClient, contracts.planRegistry, account as Address),
  });
}

async function readPlans(node: PublicClient, address: Address, owner: Address): Promise<OwnPlan[]> {
  const registry = { address, abi: planRegistryAbi } as const;
  const count = await node.readContract({ ...registry, functionName: 'planCount' });
  const ids: bigint[] = [];
  for (let id = count; id > 0n && count - id < most; id--) ids.push(id);
  const pages = Array.from({ length: Math.ceil(ids.length / page) }, (_, at) => ids.slice(at * page, (at + 1) * page));
  const plans: { id: bigint; plan: OnChain }[] = [];
  for (const some of pages) {
    const contracts = some.map((id) => ({ ...registry, functionName: 'plan', args: [id] }) as const);
    const read = await node.multicall({ contracts, deployless: true, allowFailure: false });
    for (const [at, plan] of read.entries()) {
      const isOwn = plan.terms.owner.toLowerCase() === owner.toLowerCase();
      if (isOwn) plans.push({ id: some[at] as bigint, plan });
    }
  }
  return Promise.all(
    plans.map(async ({ id, plan }) => {
      const to = BigInt(plan.state.records);
      const from = to > mostRecords ? to - BigInt(mostRecords) : 0n;
      const records = await node.readContract({ ...registry, functionName: 'runs', args: [id, from, to] });
      return { id, ...plan, records: records.toReversed() };
    }),
  );
}
