import { useMemo } from 'react';
import type { Chain, Client, PublicActions, PublicRpcSchema, Transport } from 'viem';
import {
  call,
  getBalance,
  getBlock,
  getBlockNumber,
  getCode,
  getGasPrice,
  getLogs,
  getTransaction,
  getTransactionCount,
  getTransactionReceipt,
  multicall,
  readContract,
  simulateBlocks,
  simulateContract,
} from 'viem/actions';
import { useClient } from 'wagmi';

export { inOneCall } from '@bowline/chain/reads';

/**
 * The chain requests that the page makes. viem's public client has five times as many actions (signer recovery, names,
 * filters, …), which would add 28 kB to the first load.
 */
const used = {
  ...{ call, getBalance, getBlock, getBlockNumber, getCode, getGasPrice, getLogs, getTransaction, getTransactionCount },
  ...{ getTransactionReceipt, multicall, readContract, simulateBlocks, simulateContract },
};

type Actions = Pick<PublicActions<Transport, Chain | undefined, undefined>, keyof typeof used>;

/** viem's public client with the actions that the page uses. */
export type ChainClient = Client<Transport, Chain | undefined, undefined, PublicRpcSchema, Actions>;

type Action = (client: Client, asked: unknown) => unknown;

const actionsOf = (client: Client): Actions =>
  Object.fromEntries(
    Object.entries(used).map(([name, action]) => [name, (asked: unknown) => (action as Action)(client, asked)]),
  ) as unknown as Actions;

/** A client that reads the page's one chain. */
export function useChain(): ChainClient {
  const client = useClient();
  if (client === undefined) throw new Error('the page knows no chain');
  return useMemo(() => client.extend(actionsOf as never) as unknown as ChainClient, [client]);
}

/** Concurrent calls per reading: public nodes refuse more. */
export const AT_ONCE = 4;
