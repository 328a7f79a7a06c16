import { useQuery } from '@tanstack/react-query';
import type { Address, ContractFunctionReturnType, PublicClient } from 'viem';
import { usePublicClient } from 'wagmi';
import { loanGuardAbi, venusMarketAbi } from '../../../../abis/index.ts';
import { useConfig } from '../config.tsx';

const WAD = 10n ** 18n;
const page = 20;
const most = 2_000n;

export interface Loan {
  readonly debtUsdWad: bigint;
  readonly weightedUsdWad: bigint;
  /** In base units of what repays it. */
  readonly marketDebt: bigint;
  readonly repayTokenPriceWad: bigint;
  /** Absent without debt. */
  readonly healthWad?: bigint;
}

type Policy = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'policy'>;
type Rescue = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'rescues'>[number];
export interface OwnGuard extends Policy {
  readonly id: bigint;
  readonly rescues: readonly Rescue[];
}

/** The account's loan as the guard itself reads it, up to date with this block. */
export function useLoan(account: Address | undefined) {
  const { contracts, markets } = useConfig();
  const node = usePublicClient();
  const market = markets[0]?.market;
  return useQuery({
    queryKey: ['loan', account],
    enabled: account !== undefined && node !== undefined && market !== undefined,
    refetchInterval: 3_000,
    queryFn: async (): Promise<Loan> => {
      const { result } = await (node as PublicClient).simulateContract({
        address: contracts.venusMarket,
        abi: venusMarketAbi,
        functionName: 'accrueAndRead',
        args: [account as Address, market as Address],
      });
      const { debtUsd, weightedCollateralUsd, marketDebt, repayTokenPriceWad } = result;
      return {
        debtUsdWad: debtUsd,
        weightedUsdWad: weightedCollateralUsd,
        marketDebt,
        repayTokenPriceWad,
        ...(debtUsd > 0n && { healthWad: (weightedCollateralUsd * WAD) / debtUsd }),
      };
    },
  });
}

/** The guards of an account, newest first, with their rescues. */
export function useGuards(account: Address | undefined) {
  const { contracts } = useConfig();
  const node = usePublicClient();
  return useQuery({
    queryKey: ['guards', account],
    enabled: account !== undefined && node !== undefined,
    refetchInterval: 4_000,
    queryFn: () => readGuards(node as PublicClient, contracts.loanGuard, account as Address),
  });
}

async function readGuards(node: PublicClient, address: Address, borrower: Address): Promise<OwnGuard[]> {
  const guard = { address, abi: loanGuardAbi } as const;
  const count = await node.readContract({ ...guard, functionName: 'policyCount' });
  const ids: bigint[] = [];
  for (let id = count; id > 0n && count - id < most; id--) ids.push(id);
  const own: OwnGuard[] = [];
  for (let from = 0; from < ids.length; from += page) {
    const some = ids.slice(from, from + page);
    const contracts = some.map((id) => ({ ...guard, functionName: 'policy', args: [id] }) as const);
    const read = await node.multicall({ contracts, deployless: true, allowFailure: false });
    for (const [at, policy] of read.entries()) {
      if (policy.terms.borrower.toLowerCase() !== borrower.toLowerCase()) continue;
      const id = some[at] as bigint;
      const rescues = await node.readContract({ ...guard, functionName: 'rescues', args: [id, 0n, 1_000n] });
      own.push({ ...policy, id, rescues: rescues.toReversed() });
    }
  }
  return own;
}

/** Repay tokens, in base units and rounded up, that bring the loan to that health; 0 when it is there already. */
export function repayFor({ debtUsdWad, weightedUsdWad, repayTokenPriceWad }: Loan, targetWad: bigint): bigint {
  const bearable = (weightedUsdWad * WAD) / targetWad;
  if (debtUsdWad <= bearable || repayTokenPriceWad === 0n) return 0n;
  return ((debtUsdWad - bearable) * WAD + repayTokenPriceWad - 1n) / repayTokenPriceWad;
}
