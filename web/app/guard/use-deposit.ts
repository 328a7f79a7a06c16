import { erc20Abi } from '@bowline/chain/erc20-abi';
import { depositAbi } from '@bowline/chain/guard-abi';
import { useQuery } from '@tanstack/react-query';
import type { Address, Hex } from 'viem';
import { type ChainClient, useChain } from '../chain/client.ts';

/** An account's deposit receipts, their value according to the adapter, and how much a spender may take. */
export async function readDeposit(
  client: ChainClient,
  adapter: Address,
  account: Address,
  market: Hex,
  spender: Address,
) {
  const call = { abi: depositAbi, functionName: 'accrueAndReadCollateral', args: [account, market] } as const;
  const { receipt, rateWad, token } = (await client.simulateContract({ address: adapter, ...call })).result;
  const approved = { address: receipt, abi: erc20Abi, functionName: 'allowance', args: [account, spender] } as const;
  return { receipt, rateWad, token, allowance: await client.readContract(approved) };
}

/** The same for a form; undefined until read. */
export function useDeposit(adapter: Address | undefined, account: Address, market: Hex, spender: Address) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'deposit', adapter, account, market, spender],
    queryFn: () => readDeposit(client, adapter as Address, account, market, spender),
    enabled: adapter !== undefined,
    refetchInterval: 60_000,
  }).data;
}

export type Deposit = Awaited<ReturnType<typeof readDeposit>>;
